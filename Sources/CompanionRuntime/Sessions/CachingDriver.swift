public import Bluetooth
internal import BluetoothCodec
public import Companion
public import GATT
internal import HeadphoneDrivers
public import HeadphoneProtocols
internal import Synchronization

/// A driver whose discovery is kept for the next connection.
///
/// A bonded headphone is believed to be as it was: it would tell otherwise (Core 5.4, Vol 3, Part
/// G, 2.5.2). Where that belief turns out wrong, what was kept is dropped, and what is discovered
/// anew takes its place.
final class CachingDriver: HeadphoneDriver {
  private let choice: DetectingDriver
  private let client: GATTClient
  private let id: HeadphoneID
  private let known: KnownHeadphones
  private let kept: Mutex<KnownHeadphones.Discovery?>
  private let isBonded: Bool
  /// What the headphone told at the start.
  private let firmware = Mutex<String?>(nil)

  init(
    _ bearer: any Bearer, _ id: HeadphoneID, at peer: PeerAddress, profiles: [DeviceProfile],
    forced: HeadphoneFamily?,
    models: ModelCatalog, known: KnownHeadphones, bonds: any BondStore,
    radio: (any Radio)?, clock: any Clock<Duration>, emitter: EventEmitter,
    report: @escaping @Sendable (ATTDiagnostic) -> Void
  ) {
    self.id = id
    self.known = known
    let discovery = known.discovery(of: id)
    kept = Mutex(discovery)
    isBonded = known.isBonded(id, at: peer, in: bonds)
    let options = GATTOptions { incident in
      // What makes no sense is told where the person looks, whichever layer it is of.
      if incident.isMalformed {
        emitter.report(.malformed("\(incident)"))
      } else {
        report(incident)
      }
    }
    client = GATTClient(bearer: bearer, clock: clock, options: options)
    choice = DetectingDriver(
      client: client, profiles: profiles, forced: forced, models: models, clock: clock,
      cache: discovery?.cache, isBonded: isBonded,
      longTermKey: { bonds.longTermKey(of: peer) },
      audioSide: radio.flatMap { AudioDeviceInfo(of: bonds.identity(of: peer), on: $0) },
      emitter: emitter)
  }

  var firmwareLink: (any FirmwareLink)? { choice.driver?.firmwareLink }

  var attributes: GATTClient? { client }

  func start() async throws(HeadphoneError) -> HeadphoneDescription {
    let description: HeadphoneDescription
    do throws(HeadphoneError) {
      description = try await choice.start()
      try await check(description)
    } catch {
      let hasBelieved = isBonded && kept.withLock { $0 != nil }
      if error.mayComeOfAStaleCache { drop() }
      guard hasBelieved, case .notAHeadphone = error else { throw error }
      throw .gatt(.servicesChanged)
    }
    firmware.withLock { $0 = description.information.firmware }
    await keep(description.information.firmware)
    return description
  }

  /// Keeps what is known of the services now; what has turned out wrong is dropped.
  ///
  /// Without it the next connection takes a few requests more; nothing else depends on it.
  private func keep(_ firmware: String?) async {
    guard let cache = await client.cache else { return drop() }
    let learnt = KnownHeadphones.Discovery(cache: cache, firmware: firmware)
    let isNew = kept.withLock { kept in
      defer { kept = learnt }
      return kept != learnt
    }
    if isNew { try? known.keep(learnt.cache, of: id, firmware: firmware) }
  }

  private func drop() {
    let hadOne = kept.withLock { kept in
      defer { kept = nil }
      return kept != nil
    }
    if hadOne { try? known.dropCache(of: id) }
  }

  /// New firmware has perhaps other services: what was believed is proved once.
  private func check(_ description: HeadphoneDescription) async throws(HeadphoneError) {
    guard isBonded, let kept = kept.withLock({ $0 }),
      kept.firmware != description.information.firmware
    else { return }
    let hash = try? await client.readDatabaseHash()
    if hash != kept.cache.hash { throw .gatt(.servicesChanged) }
  }

  func perform(_ command: HeadphoneCommand) async throws(HeadphoneError) {
    try await driver().perform(command)
    await keepWhatHasChanged()
  }

  func refresh() async throws(HeadphoneError) {
    try await driver().refresh()
    await keepWhatHasChanged()
  }

  private func driver() throws(HeadphoneError) -> any HeadphoneDriver {
    guard let driver = choice.driver else { throw .notStarted }
    return driver
  }

  /// The services may have changed, or turned out to be others, since the start.
  private func keepWhatHasChanged() async {
    if await client.cache != kept.withLock({ $0?.cache }) { await keep(firmware.withLock { $0 }) }
  }
}

extension HeadphoneError {
  /// The headphone is perhaps not what an earlier connection found.
  fileprivate var mayComeOfAStaleCache: Bool {
    switch self {
    case .notAHeadphone, .noResponse, .closed(BearerClosed(.peer)): true
    case .gatt(.security), .gatt(.closed), .gatt(.cancelled): false
    case .gatt: true
    default: false
    }
  }
}

extension KnownHeadphones {
  /// Whether there are keys of this headphone of an earlier connection.
  ///
  /// Not for another member of its set: whose services are kept, those of the headphone itself.
  fileprivate func isBonded(
    _ id: HeadphoneID, at peer: PeerAddress, in bonds: any BondStore
  ) -> Bool {
    guard bonds.isBonded(peer), let headphone = (try? all())?.first(where: { $0.id == id }) else {
      return false
    }
    let identity = bonds.identity(of: peer)
    return [headphone.bondAddress, headphone.address].contains { address in
      address.flatMap(PeerAddress.init(_:)).map(bonds.identity) == identity
    }
  }
}

extension BondStore {
  /// The key by which a link with this device, of which this host is the central, is encrypted.
  fileprivate func longTermKey(of peer: PeerAddress) -> SecretKey? {
    let bonds = bonds()
    let identity = bonds.identity(of: peer)
    let keys = bonds.first { $0.identity == identity }?.longTermKeys ?? []
    return (keys.first { $0.central != 0 } ?? keys.first)?.key
  }
}

extension [DeviceProfile] {
  /// Makes drivers that keep what they discovered with what is known of their headphones.
  ///
  /// - Parameters:
  ///   - bonds: tell which headphones need not prove what an earlier connection discovered.
  ///   - forced: the family that a person says all headphones are of; nil: their services tell.
  ///   - models: what is known of kinds of headphones as data.
  ///   - radio: reaches the audio sides; nil: nobody asks them anything.
  ///   - clock: measures how long a headphone may take to answer.
  ///   - report: told what should not be on a link, and did not end it.
  public func drivers(
    keepingIn known: KnownHeadphones, bonds: any BondStore = EmptyBondStore(),
    forced: HeadphoneFamily? = nil, models: ModelCatalog = ModelCatalog(),
    radio: (any Radio)? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    report: @escaping @Sendable (HeadphoneID, ATTDiagnostic) -> Void = { _, _ in }
  ) -> HeadphoneConnection.MakeDriver {
    { bearer, id, peer, emitter in
      // Whatever a person says: no other language is spoken there.
      if case .classic = bearer.channel {
        return AACPDriver(bearer: bearer, models: models, clock: clock, emitter: emitter)
      }
      return CachingDriver(
        bearer, id, at: peer, profiles: self, forced: forced, models: models, known: known,
        bonds: bonds, radio: radio, clock: clock, emitter: emitter
      ) { report(id, $0) }
    }
  }
}
