internal import AudioRoute
internal import Bluetooth
internal import BluetoothCodec
internal import Companion

/// The audio link of a headphone: `earshot audio connect` and `disconnect`.
///
/// Connecting also makes the headphone the default output. The control link is not touched.
///
/// Commands use it in a process of their own, without store or control link: it talks to bluetoothd
/// and the sound server only.
///
/// ```swift
/// let name = try await SoundLink(world).connect("aurora", within: .seconds(20))
/// ```
@MainActor
public struct SoundLink {
  /// Time for the sound server to create the headphone's device, once its link is up.
  ///
  /// PulseAudio waits 3 s for the hands-free profile before it offers a device without it.
  private static let deviceTimeout: Duration = .seconds(10)
  /// Time for it to do so by itself, before the card's profile is switched on.
  private static let profileTimeout: Duration = .seconds(1)

  private let world: Dependencies

  public init(_ world: Dependencies) { self.world = world }

  /// Connects the audio profiles, waits for the sound server's device, and makes it the output.
  ///
  /// - Parameters:
  ///   - selector: the beginning of the headphone's identity, address or name; nil: the last one
  ///     used.
  ///   - limit: time to scan for a headphone that is not known.
  /// - Returns: the headphone's name.
  /// - Throws: ``CommandError/audioLink(_:)`` with bluetoothd's reason,
  ///   ``CommandError/unavailable(_:)`` without a sound server.
  public func connect(_ selector: String?, within limit: Duration) async throws(CommandError)
    -> String
  {
    let headphone = try await find(selector, within: limit)
    let address = try audioAddress(of: headphone)
    do throws(AudioLinkError) {
      try await world.radio.connectAudio(address)
    } catch {
      throw .audioLink(error)
    }
    try await makeOutput(headphone)
    return headphone.name
  }

  /// Disconnects the audio profiles.
  ///
  /// - Parameters:
  ///   - selector: the beginning of the headphone's identity, address or name; nil: the last one
  ///     used.
  ///   - limit: time to scan for a headphone that is not known.
  ///   - isControlled: whether this process has control links, which stay.
  /// - Returns: the headphone's name.
  /// - Throws: ``CommandError/audioLink(_:)`` with bluetoothd's reason.
  public func disconnect(
    _ selector: String?, within limit: Duration, isControlled: Bool
  ) async throws(CommandError) -> String {
    let headphone = try await find(selector, within: limit)
    let address = try audioAddress(of: headphone)
    do throws(AudioLinkError) {
      try await world.radio.disconnectAudio(address, isControlled: isControlled)
    } catch {
      throw .audioLink(error)
    }
    return headphone.name
  }

  /// - Throws: ``CommandError/unavailable(_:)`` if pairing has not revealed the address yet.
  private func audioAddress(
    of headphone: HeadphoneState
  ) throws(CommandError) -> BluetoothAddress {
    guard let address = headphone.publicAddress.flatMap(BluetoothAddress.init(_:)) else {
      throw .unavailable("the address of its audio side is not known: pair it first")
    }
    return address
  }

  /// A known headphone, else one in range whose audio side is known.
  ///
  /// The scan ends with the first of that name, ID or address, else a second after the first match.
  ///
  /// - Throws: ``CommandError/notFound(selector:)``, ``CommandError/ambiguous(_:)`` or
  ///   ``CommandError/radio(_:)``.
  private func find(
    _ selector: String?, within limit: Duration
  ) async throws(CommandError) -> HeadphoneState {
    let known =
      if let selector {
        try world.known.only(matching: selector)
      } else {
        try world.known.list().first { $0.lastUsed != nil }
      }
    if let known, known.publicAddress != nil { return HeadphoneState(known) }
    var state = State()
    var registry = world.deviceRegistry
    var meant: [HeadphoneState] {
      let headphones = state.headphones.filter { $0.publicAddress != nil }
      return selector.map(headphones.named) ?? headphones
    }
    func scan(for duration: Duration, endsWithFirst: Bool) async throws(CommandError) {
      let options = ScanOptions(
        services: world.services, patterns: world.patterns, duration: duration)
      do {
        for try await peripheral in world.radio.scan(options) {
          let found = registry.receive(peripheral)
          _ = state.reduce(.discovered(found), at: world.now())
          if endsWithFirst, !meant.isEmpty { return }
        }
      } catch let error as RadioError {
        throw .radio(error)
      } catch {
        throw .radio(.cancelled)
      }
    }
    try await scan(for: limit, endsWithFirst: true)
    if let selector, meant.first?.match(selector)?.isExact == false {
      try await scan(for: CommandTarget.settlingTime, endsWithFirst: false)
    }
    guard meant.count <= 1 || selector == nil else { throw .ambiguous(meant) }
    guard let found = meant.first else { throw .notFound(selector: selector) }
    return found
  }

  /// Waits for the headphone's sink, and makes it the default.
  ///
  /// - Throws: ``CommandError/unavailable(_:)`` if the server has no device for it within
  ///   ``deviceTimeout``, or refuses.
  private func makeOutput(_ headphone: HeadphoneState) async throws(CommandError) {
    let audio = world.makeAudio()
    var state = State()
    _ = state.reduce(.launched([KnownHeadphone(headphone)], autoConnect: .never), at: world.now())
    let (observations, observed) = AsyncStream.makeStream(of: AudioObservation?.self)
    let following = Task {
      for await observation in audio.observations { observed.yield(observation) }
      observed.finish()
    }
    let timer = Task { [clock = world.clock] in
      try? await clock.sleep(for: Self.profileTimeout)
      observed.yield(nil)
      try? await clock.sleep(for: Self.deviceTimeout)
      observed.finish()
    }
    defer {
      following.cancel()
      timer.cancel()
    }
    var isRouted = false
    for await observation in observations {
      if let observation { _ = state.reduce(.audio(observation), at: world.now()) }
      guard let shown = state.headphones[headphone.id] else { break }
      let route = state.route(of: shown)
      if case .connected = route { return }
      let command = route.sink.map { AudioCommand.route(sink: $0.name) }
      guard !isRouted,
        let command = command ?? (observation == nil ? route.commandForMusic : nil)
      else { continue }
      isRouted = route.sink != nil
      do throws(AudioError) {
        try await audio.perform(command)
      } catch {
        throw .unavailable(error.messageAndAdvice)
      }
    }
    throw .unavailable(
      "the sound link is up, but the sound server has no device for it in time; "
        + "`earshot audio` lists those that it has")
  }
}
