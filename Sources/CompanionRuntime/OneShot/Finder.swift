internal import Bluetooth
public import BluetoothCodec
public import Companion
internal import GATT
public import Headphones
public import Persistence

/// Finds the headphone that a command is for, in the fewest steps.
public struct Finder: Sendable {
  /// The beginning of an identity, address or name; nil: the one used last, else a newcomer.
  public var selector: String?
  /// Which of those that are heard for the first time, without a selector.
  public var newDevice: AutoConnect.UnknownDevice
  /// How long to look.
  public var timeout: Duration
  /// The family that a person says it is of; nil: what it tells decides.
  public var family: HeadphoneFamily?

  public init(
    selector: String?, newDevice: AutoConnect.UnknownDevice, timeout: Duration,
    family: HeadphoneFamily? = nil
  ) {
    self.selector = selector
    self.newDevice = newDevice
    self.timeout = timeout
    self.family = family
  }

  /// What was found, and where to connect to.
  struct Found: Sendable {
    var headphone: DiscoveredHeadphone
    var peer: PeerAddress
  }

  /// A known headphone with an address that lasts is not even looked for.
  func find(in world: Dependencies) async throws(CommandError) -> Found {
    if let known = try known(in: world) { return known }
    if family == .airpods, let found = selector.flatMap(Found.init(audioSide:)) { return found }
    do {
      return try await listen(in: world)
    } catch .radio(.notPermitted(let operation, let capability)) {
      // Connecting needs no capability, if the address says of which kind it is.
      guard let found = selector.flatMap(Found.init(addressed:)) else {
        throw .radio(.notPermitted(operation: operation, capability: capability))
      }
      return found
    }
  }

  private func known(in world: Dependencies) throws(CommandError) -> Found? {
    let known =
      if let selector {
        try world.known.only(matching: selector)
      } else {
        try world.known.list().first { $0.lastUsed != nil }
      }
    guard let headphone = known, headphone.address.isLasting,
      let peer = PeerAddress(headphone.address)
    else { return nil }
    return Found(headphone: DiscoveredHeadphone(headphone), peer: peer)
  }

  private func listen(in world: Dependencies) async throws(CommandError) -> Found {
    let options = ScanOptions(
      services: world.services, patterns: world.patterns, duration: timeout)
    var registry = world.deviceRegistry
    var received: [Found] = []
    do {
      for try await peripheral in settling(world.radio.scan(options), world) {
        guard let peripheral else {
          guard received.isEmpty else { break }
          continue
        }
        let headphone = registry.receive(peripheral)
        received.removeAll { $0.headphone.id == headphone.earlierID }
        let found = Found(
          headphone: headphone, peer: registry.peer(of: headphone.id) ?? peripheral.peer)
        guard selector.map(headphone.matches) != false else { continue }
        // What only advertises may be connected by another link, and a name may come with the scan
        // response: both are told soon, or not at all.
        if selector != nil, !headphone.isAdvertisingOnly, headphone.name != nil { return found }
        if let index = received.firstIndex(where: { $0.headphone.id == headphone.id }) {
          received[index].learn(found)
        } else {
          received.append(found)
        }
      }
    } catch let error as RadioError {
      throw .radio(error)
    } catch {
      throw .radio(.cancelled)
    }
    guard let nearest = received.max(by: { $0.strength < $1.strength }) else {
      throw .notFound(selector: selector)
    }
    guard received.count == 1 || newDevice == .nearest else {
      throw .ambiguous(received.map { $0.headphone.name ?? $0.headphone.address.text })
    }
    return nearest
  }

  /// The sightings, and nil a second after the first: then all nearby have probably been heard.
  private func settling(
    _ peripherals: AsyncThrowingStream<DiscoveredPeripheral, any Error>, _ world: Dependencies
  ) -> AsyncThrowingStream<DiscoveredPeripheral?, any Error> {
    AsyncThrowingStream { continuation in
      let listening = Task {
        var settled: Task<Void, Never>?
        do {
          for try await peripheral in peripherals {
            continuation.yield(peripheral)
            guard settled == nil else { continue }
            settled = Task {
              try? await world.clock.sleep(for: .seconds(1))
              if !Task.isCancelled { continuation.yield(nil) }
            }
          }
          settled?.cancel()
          continuation.finish()
        } catch {
          settled?.cancel()
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in listening.cancel() }
    }
  }
}

extension Finder.Found {
  fileprivate var strength: Int8 { headphone.rssi ?? .min }

  /// Takes on what was heard of the same headphone later.
  fileprivate mutating func learn(_ later: Self) {
    guard headphone.isAdvertisingOnly || !later.headphone.isAdvertisingOnly else { return }
    let name = later.headphone.name ?? headphone.name
    self = later
    headphone.name = name
  }

  /// A device by its whole address, never heard: random if it looks static, else public.
  fileprivate init?(addressed text: String) {
    guard let address = BluetoothAddress(text) else { return nil }
    let random = PeerAddress(address, .random)
    peer = random.randomKind == .static ? random : PeerAddress(address, .public)
    headphone = DiscoveredHeadphone(
      id: HeadphoneID(address), name: nil, address: AirAddress(peer))
  }

  /// A device by the whole address of its audio side.
  fileprivate init?(audioSide text: String) {
    guard let address = BluetoothAddress(text) else { return nil }
    peer = PeerAddress(address, .classic)
    headphone = DiscoveredHeadphone(
      id: HeadphoneID(address), name: nil, address: AirAddress(peer),
      publicAddress: address.description)
  }
}

extension DiscoveredHeadphone {
  init(_ known: KnownHeadphone) {
    self.init(
      id: known.id, name: known.name, address: known.address, publicAddress: known.publicAddress)
  }

  /// It tells what it tells by advertising, and offers no link.
  fileprivate var isAdvertisingOnly: Bool {
    isAudioOnly || reported != nil && address.kind != .classic
  }

  fileprivate func matches(_ selector: String) -> Bool {
    HeadphoneState(id: id, name: name ?? "", address: address, publicAddress: publicAddress)
      .matches(selector)
  }
}

extension KnownHeadphones {
  /// Forgets the one that `selector` means.
  public func forget(matching selector: String) throws(CommandError) -> KnownHeadphone {
    guard let headphone = try only(matching: selector) else {
      throw .notKnown(selector: selector)
    }
    do {
      try forget(headphone.id)
    } catch {
      throw .file(error)
    }
    return headphone
  }

  /// Where the one that `selector` means was heard the last time, and each further member of its
  /// set.
  ///
  /// - Throws: `notKnown` if there is none.
  public func addresses(matching selector: String) throws(CommandError) -> [PeerAddress] {
    guard let headphone = try only(matching: selector) else {
      throw .notKnown(selector: selector)
    }
    let audio = headphone.publicAddress.map { AirAddress($0, .classic) }
      .flatMap { $0.text == headphone.address.text ? nil : $0 }
    return ([headphone.address] + headphone.memberAddresses + [audio].compactMap(\.self))
      .compactMap { PeerAddress($0) }
  }

  /// The one that `selector` means; nil: none.
  func only(matching selector: String) throws(CommandError) -> KnownHeadphone? {
    let meant = try list().filter { HeadphoneState($0).matches(selector) }
    guard meant.count <= 1 else { throw .ambiguous(meant.map(\.name)) }
    return meant.first
  }

  func list() throws(CommandError) -> [KnownHeadphone] {
    do {
      return try all()
    } catch {
      throw .file(error)
    }
  }
}
