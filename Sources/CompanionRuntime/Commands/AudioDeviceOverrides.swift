public import AudioRoute
internal import BluetoothCodec
internal import Companion
internal import EventLoop
internal import HeadphoneProtocols
public import JSON
internal import Persistence

/// The assignments of sound devices to headphones: `earshot audio`, `audio pin` and `audio unpin`.
///
/// Uses the sound server and the file of known headphones, and never the radio.
///
/// ```swift
/// let overrides = try await AudioDeviceOverrides(world)
/// print(overrides.report.text)
/// let done = try overrides.pin("74:B7:E6", as: "aurora")
/// ```
@MainActor
public struct AudioDeviceOverrides {
  private let world: Dependencies
  private var state = State()

  /// Reads the known headphones, and waits for the first state of the sound server.
  ///
  /// A server that does not answer within 2 s counts as unknown; pins by a whole address still
  /// work.
  ///
  /// - Parameters:
  ///   - world: has the file, and the sound server.
  ///   - shown: what a program that owns the link shows of the server, which virtual headphones have
  ///     in that program alone; it is asked again unless it runs there.
  /// - Throws: ``CommandError/file(_:)`` if the headphones cannot be read.
  public init(
    _ world: Dependencies, shown: AudioObservation = .unavailable(.notStarted)
  ) async throws(CommandError) {
    self.world = world
    _ = state.reduce(
      .launched(try await world.known.list(), autoConnect: .never), at: world.now())
    var first: AudioObservation? = shown
    if case .unavailable = shown {
      first = await observeAudio(world.makeAudio, for: .seconds(2), by: world.clock)
    }
    if let first { _ = state.reduce(.audio(first), at: world.now()) }
  }

  /// Updates the state of a program that owns the link, so that its screens show the change.
  ///
  /// Sends `soundPinned` for each headphone whose pin in the file differs from the one shown.
  ///
  /// - Throws: ``CommandError/file(_:)`` if the file cannot be read again.
  public func report(_ store: Store) async throws(CommandError) {
    for known in try await world.known.list() {
      guard let shown = store.state.headphones[known.id], shown.soundPin != known.soundPin else {
        continue
      }
      store.send(.soundPinned(known.id, known.soundPin))
    }
  }

  /// The sound devices, each with the headphone that it belongs to.
  public var report: SoundDevicesReport { SoundDevicesReport(state) }

  /// Assigns a sound device to a headphone, for this and later runs.
  ///
  /// - Parameters:
  ///   - device: the beginning of the device's address or name; a whole address may be of a device
  ///     that is not connected.
  ///   - headphone: the beginning of a headphone's identity, address or name; nil: the last one
  ///     used.
  /// - Throws: ``CommandError`` for a selector that matches no device or headphone, or several;
  ///   ``CommandError/file(_:)`` if the file cannot be written.
  public func pin(_ device: String, as headphone: String?) async throws(CommandError) -> Report {
    try await keep(try id(of: device), as: headphone)
  }

  /// Removes the assignment of a headphone, whose sound device is then found by address or name
  /// again.
  ///
  /// - Parameter headphone: the beginning of its identity, address or name; nil: the last one used.
  /// - Throws: as ``pin(_:as:)``.
  public func unpin(_ headphone: String?) async throws(CommandError) -> Report {
    try await keep(nil, as: headphone)
  }

  /// The assignment that was stored, as a report.
  ///
  /// JSON of schema 1: `headphone` (name), `pin` (the device's identity; null after `unpin`).
  public struct Report: CompanionRuntime.Report, Hashable {
    var headphone: String
    var pin: String?

    public var text: String {
      let name = displayable(headphone)
      return pin.map { "\(name) is the sound device \(displayable($0))" }
        ?? "\(name): sound device matched automatically again"
    }

    public var json: JSON {
      ["schema": 1, "headphone": .string(headphone), "pin": JSON(pin)]
    }
  }

  /// Writes the pin of one known headphone, or removes it.
  private func keep(
    _ device: SoundDevice.ID?, as selector: String?
  ) async throws(CommandError) -> Report {
    let meant =
      if let selector {
        try await world.known.only(matching: selector)
      } else {
        try await world.known.list().first { $0.lastUsed != nil }
      }
    guard var headphone = meant else { throw .notKnown(selector: selector) }
    headphone.soundPin = device
    do throws(FileError) {
      try await FileIO.shared.run { [known = world.known, headphone] () throws(FileError) in
        try known.keepSoundPin(of: headphone)
      }
    } catch {
      throw .file(error)
    }
    return Report(headphone: headphone.name, pin: device?.text)
  }

  /// The identity of the device that a selector means; a whole address needs no sound server.
  private func id(of selector: String) throws(CommandError) -> SoundDevice.ID {
    if let address = BluetoothAddress(selector) { return SoundDevice.ID(address.description) }
    switch state.audio {
    case .unavailable(let reason):
      throw .unavailable(
        "\(reason.displayText): without a sound server only a whole Bluetooth address can be pinned"
      )
    case .running(let sound):
      return try sound.device(meantBy: selector).id
    }
  }
}
