package import BluetoothAttributes
internal import BluetoothCodec
package import BluetoothRadio
package import Companion
package import EventLoop
internal import HeadphoneDrivers
package import HeadphoneProtocols
internal import Locking
package import Persistence

/// A driver that keeps the discovered services for the next connection.
///
/// The cached database of a bonded headphone is trusted, because the headphone must indicate
/// Service Changed (Core 5.4, Vol 3, Part G, 2.5.2). If it turns out to be wrong, it is removed and
/// the services are discovered again.
///
/// | at the start | consequence |
/// | --- | --- |
/// | bonded, services kept | no discovery; proven by the hash, which is read with other values |
/// | the same without Read Multiple Variable | proven by the hash once after another firmware |
/// | not bonded, hash kept | the hash is read and compared, and then no discovery |
/// | nothing kept, or another hash | discovery; kept for the next connection |
/// | kept services turn out wrong | removed; the start fails, and the next one discovers |
/// | bluetoothd holds the link, and hides services | discovery; not kept, as the hash is of all |
///
/// A stalled disk delays a link by a few seconds at most. Services that were not read by then are
/// discovered again, and new ones are written when the disk responds.
final class CachingDriver: HeadphoneDriver {
  /// The time that a link waits for the disk.
  private static let timeout = Duration.seconds(5)

  private let driver: GATTDriver
  private let client: GATTClient
  private let id: HeadphoneID
  private let known: KnownHeadphones
  private let io: FileIO
  private struct Kept {
    var discovery: KnownHeadphones.Discovery?
    var isSaved = true
    var isStarted = false
  }

  private let kept: Mutex<Kept>
  private let isBonded: Bool
  /// Returns whether the headphone is bonded now; it may have been paired since the start.
  private let isBondedNow: @Sendable () async -> Bool
  private let firmware = Mutex<String?>(nil)

  /// Sets up the client; nothing is sent yet.
  ///
  /// - Parameters:
  ///   - peer: The address of the link; in a set, perhaps another member's.
  ///   - forced: The family to use, or nil to determine it by the services.
  ///   - history: The requests at which links to this headphone ended.
  init(
    _ bearer: any Bearer, _ id: HeadphoneID, at peer: PeerAddress, _ saved: Saved,
    profiles: [DeviceProfile], forced: HeadphoneFamily?,
    models: ModelCatalog, known: KnownHeadphones, io: FileIO, bonds: any BondStore,
    radio: (any Radio)?, history: RequestHistory, clock: any Clock<Duration>,
    emitter: EventEmitter, report: @escaping @Sendable (ATTDiagnostic) -> Void
  ) {
    self.id = id
    self.known = known
    self.io = io
    isBondedNow = { await Saved(of: id, at: peer, in: known, bonds: bonds, on: io).isBonded }
    isBonded = saved.isBonded
    let discovery = bearer.withheldServices.isEmpty ? saved.discovery : nil
    kept = Mutex(Kept(discovery: discovery))
    let options = GATTOptions(history: history) { incident in
      // Malformed PDUs are shown with the headphone, whichever layer found them.
      if incident.isMalformed {
        emitter.report(.malformed("\(incident)"))
      } else {
        report(incident)
      }
    }
    client = GATTClient(bearer: bearer, clock: clock, options: options)
    driver = GATTDriver(
      client: client, profiles: profiles, forced: forced, models: models, clock: clock,
      cache: discovery?.cache, isBonded: isBonded,
      longTermKey: { bonds.longTermKey(of: peer) },
      audioSide: radio.flatMap { AudioDeviceInfo(of: bonds.identity(of: peer), on: $0) },
      emitter: emitter)
  }

  var firmwareLink: (any FirmwareLink)? { driver.firmwareLink }

  var attributes: GATTClient? { client }

  /// Starts the driver, and keeps the services if they are new.
  ///
  /// - Throws: The driver's error. If trusted services turned out to be wrong,
  ///   `gatt(.servicesChanged)` replaces `notAHeadphone`, so that the next attempt discovers them
  ///   again.
  nonisolated(nonsending) func start() async throws(HeadphoneError) -> HeadphoneDescription {
    await client.observeDatabase { [weak self] in
      Task { [weak self] in await self?.servicesChanged() }
    }
    let description: HeadphoneDescription
    do throws(HeadphoneError) {
      description = try await driver.start()
      try await check(description)
    } catch {
      let wasTrusted = isBonded && kept.withLock { $0.discovery != nil }
      if error.mayComeOfAStaleCache { await drop() }
      guard wasTrusted, case .notAHeadphone = error else { throw error }
      throw .gatt(.servicesChanged)
    }
    firmware.withLock { $0 = description.information.firmware }
    kept.withLock { $0.isStarted = true }
    await keep(description.information.firmware)
    return description
  }

  /// Saves the known services, or deletes saved ones that turned out to be wrong.
  private func keep(_ firmware: String?) async {
    guard client.bearer.withheldServices.isEmpty else { return }
    guard let cache = await client.cache else { return await drop() }
    if cache.hash == nil {
      // Only a bond would prove the cache at the next connection.
      guard await isBondedNow() else { return }
    }
    let learnt = KnownHeadphones.Discovery(cache: cache, firmware: firmware)
    let isNew = kept.withLock { kept in
      defer { (kept.discovery, kept.isSaved) = (learnt, true) }
      return kept.discovery != learnt || !kept.isSaved
    }
    guard isNew else { return }
    await change { known, id throws(FileError) in
      try known.keep(cache, of: id, firmware: firmware, isBonded: true)
    }
  }

  private func drop() async {
    let hadOne = kept.withLock { kept in
      defer { (kept.discovery, kept.isSaved) = (nil, true) }
      return kept.discovery != nil
    }
    guard hadOne else { return }
    await change { known, id throws(FileError) in try known.dropCache(of: id) }
  }

  /// Changes the file; if that fails, only the next connection takes longer.
  private func change(
    _ change: @escaping @Sendable (KnownHeadphones, HeadphoneID) throws(FileError) -> Void
  ) async {
    _ = await io.run(within: Self.timeout) { [known, id] in try? change(known, id) }
  }

  /// Proves a trusted cache once after a change of the firmware; throws if the hash differs.
  private func check(_ description: HeadphoneDescription) async throws(HeadphoneError) {
    guard isBonded, let kept = kept.withLock({ $0.discovery }),
      kept.firmware != description.information.firmware,
      // Otherwise the headphone has already indicated the change.
      await client.cache == kept.cache
    else { return }
    let hash = try? await client.readDatabaseHash()
    guard let hash, hash == kept.cache.hash else { throw .gatt(.servicesChanged) }
  }

  nonisolated(nonsending) func perform(_ command: HeadphoneCommand) async throws(HeadphoneError) {
    try await driver.perform(command)
    await keepWhatHasChanged()
  }

  nonisolated(nonsending) func readCharge() async throws(HeadphoneError) {
    try await driver.readCharge()
  }

  nonisolated(nonsending) func refresh() async throws(HeadphoneError) {
    try await driver.refresh()
    await keepWhatHasChanged()
  }

  /// Removes the file as soon as a change is indicated, and rewrites it after the discovery.
  ///
  /// The headphone does not indicate the change again, even if this program ends now. During the
  /// start the file is only removed, as ``check(_:)`` compares with its former content.
  private func servicesChanged() async {
    guard kept.withLock({ $0.isStarted }) else {
      kept.withLock { $0.isSaved = false }
      await change { known, id throws(FileError) in try known.dropCache(of: id) }
      return
    }
    await keepWhatHasChanged()
  }

  /// Keeps the services if they have changed since the start, or turned out to be different.
  private nonisolated(nonsending) func keepWhatHasChanged() async {
    if await client.cache != kept.withLock({ $0.discovery?.cache }) {
      await keep(firmware.withLock { $0 })
    }
  }
}

extension CachingDriver {
  /// The data that earlier connections have saved for a headphone.
  struct Saved: Sendable {
    var isBonded = false
    var discovery: KnownHeadphones.Discovery?

    /// Reads the keys and the kept services; a stalled disk counts as an empty one.
    init(
      of id: HeadphoneID, at peer: PeerAddress, in known: KnownHeadphones, bonds: any BondStore,
      on io: FileIO
    ) async {
      _ = await bonds.bonds()
      let saved = await io.run(within: CachingDriver.timeout) {
        (known.isBonded(id, at: peer, in: bonds), known.discovery(of: id))
      }
      if let saved { (isBonded, discovery) = saved }
    }
  }
}

extension HeadphoneError {
  /// Whether the error may come from outdated services.
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
  /// Returns whether `peer` is bonded, and is the headphone itself rather than a member of its set.
  fileprivate func isBonded(
    _ id: HeadphoneID, at peer: PeerAddress, in bonds: any BondStore
  ) -> Bool {
    guard bonds.isBonded(peer), let headphone = (try? all())?.first(where: { $0.id == id }) else {
      return false
    }
    let identity = bonds.identity(of: peer)
    return [headphone.bondAddress, headphone.address].contains { address in
      address.map(bonds.identity) == identity
    }
  }
}

extension BondStore {
  /// Returns the key that encrypts a link with this device, with this host as the central.
  fileprivate func longTermKey(of peer: PeerAddress) -> SecretKey? {
    let bonds = cachedBonds
    let identity = bonds.identity(of: peer)
    let keys = bonds.first { $0.identity == identity }?.longTermKeys ?? []
    return (keys.first { $0.central != 0 } ?? keys.first)?.key
  }
}

extension HeadphoneConnection {
  /// Returns a function that makes drivers, which keep discovered services for later connections.
  ///
  /// - Parameters:
  ///   - profiles: The kinds of headphones that use Earshot's own protocol.
  ///   - bonds: The keys, which decide for which headphones the kept services need no proof.
  ///   - radio: Reaches the audio sides over BR/EDR, or nil to leave them alone.
  package nonisolated static func drivers(
    of profiles: [DeviceProfile] = [.earshot], keepingIn known: KnownHeadphones,
    on io: FileIO = .shared,
    bonds: any BondStore = EmptyBondStore(),
    forced: HeadphoneFamily? = nil, models: ModelCatalog = ModelCatalog(),
    radio: (any Radio)? = nil,
    clock: any Clock<Duration> = ContinuousClock(),
    report: @escaping @Sendable (HeadphoneID, ATTDiagnostic) -> Void = { _, _ in }
  ) -> PrepareDriver {
    let histories = Mutex<[HeadphoneID: RequestHistory]>([:])
    return { id, peer in
      let history = histories.withLock { histories in
        let history = histories[id] ?? RequestHistory()
        histories[id] = history
        return history
      }
      let saved = Task {
        await CachingDriver.Saved(of: id, at: peer, in: known, bonds: bonds, on: io)
      }
      return { bearer, emitter in
        // The audio side speaks only one protocol, whatever family the user forced, unless makers
        // share the service.
        if let driver = HeadphoneFamily.driver(
          on: bearer, forced: forced, models: models, clock: clock, emitter: emitter)
        {
          return driver
        }
        return CachingDriver(
          bearer, id, at: peer, await saved.value, profiles: profiles, forced: forced,
          models: models, known: known, io: io, bonds: bonds, radio: radio, history: history,
          clock: clock, emitter: emitter
        ) { report(id, $0) }
      }
    }
  }
}
