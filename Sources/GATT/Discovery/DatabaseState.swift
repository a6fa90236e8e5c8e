internal import BluetoothCodec

/// A client's knowledge of its server's attributes, and which part of it is outdated.
///
/// Handles in an outdated range must not be used until they are discovered again.
struct DatabaseState: Sendable {
  /// The number of indications that are kept while the handle of Service Changed is unknown.
  private static let earlyLimit = 16

  /// The known structure.
  private(set) var database = Database() {
    didSet { serviceChangedHandle = database.characteristic(.serviceChanged)?.handle }
  }
  /// The handle of the Service Changed value; `nil` if it is not known.
  private(set) var serviceChangedHandle: UInt16?
  /// The server's hash of `database`; `nil` if it has none, or if it is not known for this state.
  var hash: DatabaseHash?
  /// The Client Supported Features that the server has, as far as is known.
  var clientFeatures: UInt8 = 0
  /// Whether the characteristics of all services are known, by a discovery or from a cache.
  private(set) var isDiscovered = false
  /// The handles that Service Changed indicated and that are not discovered again yet.
  private(set) var stale: ATTHandleRange?
  /// The number of Service Changed indications, so that one during a discovery is noticed.
  private(set) var changes: UInt64 = 0

  /// The value of ``changes`` when the current discovery began.
  private var changesAtStart: UInt64 = 0
  /// The database and the outdated handles that a full discovery replaces.
  private var replaced: (database: Database, range: ATTHandleRange)?
  /// The indications that may turn out to be Service Changed.
  private var early: [ATTHandleValue] = []

  /// Whether the whole database is known and up to date.
  var isComplete: Bool { isDiscovered && stale == nil }

  /// Whether one of these handles must not be used (Core 5.4, Vol 3, Part G, 2.5.2).
  func isStale(_ handles: @autoclosure () -> [UInt16]) -> Bool {
    guard isDiscovered, let stale else { return false }
    return handles().contains(where: stale.contains)
  }

  /// Adds a changed range to the outdated handles.
  ///
  /// One range covers them all, so that a server that indicates many changes needs no more memory.
  mutating func markStale(_ range: ATTHandleRange) {
    changes += 1
    stale = stale.map { $0.union(range) } ?? range
  }

  /// Adopts the database of an earlier connection; what changed on this one stays outdated.
  mutating func adopt(_ cache: GATTCache) {
    database = cache.database
    hash = cache.hash
    isDiscovered = true
  }

  /// Starts a full discovery, which covers all earlier indications.
  mutating func beginDiscovery() {
    if isDiscovered, let stale { replaced = (database, database.wholeServices(touching: stale)) }
    isDiscovered = false
    hash = nil
    early = []
    changesAtStart = changes
  }

  /// Records the services, the first result of a full discovery; they have no characteristics yet.
  mutating func setServices(_ services: [Service]) { database = Database(services: services) }

  /// Ends a full discovery; what changed while it ran stays outdated.
  ///
  /// - Parameter services: all services with their characteristics.
  /// - Returns: the part that was outdated before, where subscriptions may have to move.
  mutating func endDiscovery(
    _ services: [Service]
  ) -> (database: Database, range: ATTHandleRange)? {
    setServices(services)
    isDiscovered = true
    if changes == changesAtStart { stale = nil }
    return replaced.take()
  }

  /// Replaces the services of a range, which are whole services before and after.
  ///
  /// - Parameters:
  ///   - range: the handles that were discovered.
  ///   - services: the services in it.
  ///   - hash: the server's hash before these services were discovered.
  ///   - known: ``changes`` before they were discovered; the range stays outdated if there were
  ///     more since.
  mutating func replace(
    _ range: ATTHandleRange, by services: [Service], hash: DatabaseHash?,
    ifUnchangedSince known: UInt64
  ) {
    database.replace(range, by: services)
    if range == .all { isDiscovered = true }
    guard changes == known else { return }
    stale = nil
    self.hash = hash
  }

  /// Adds what was discovered of the service that starts at a handle.
  mutating func update(_ service: UInt16, _ change: (inout Service) -> Void) {
    database.update(service, change)
  }

  /// Adds what was discovered of a characteristic.
  mutating func update(_ characteristic: Characteristic, _ change: (inout Characteristic) -> Void) {
    database.update(characteristic, change)
  }

  /// Keeps an indication that may be Service Changed while its handle is not known.
  ///
  /// - Returns: false for any other value.
  mutating func keepEarly(_ value: ATTHandleValue) -> Bool {
    guard serviceChangedHandle == nil, value.value.count == 4 else { return false }
    if early.count < Self.earlyLimit { early.append(value) }
    return true
  }

  /// Removes the Service Changed values that arrived before their handle was known.
  mutating func removeEarly() -> [Bytes] {
    defer { early = [] }
    return early.filter { $0.handle == serviceChangedHandle }.map(\.value)
  }
}

/// The position of an attribute in a database's structure, which survives moved handles.
struct AttributePath: Hashable, Sendable {
  var service: BluetoothUUID
  /// The index among the services of this type.
  var serviceOrdinal: Int
  var characteristic: BluetoothUUID
  /// The index among the service's characteristics of this type.
  var characteristicOrdinal: Int
  /// The descriptor's type; `nil` for the characteristic's value.
  var descriptor: BluetoothUUID?
}

extension Database {
  /// The path of a known value or descriptor; `nil` for any other handle.
  func path(of handle: UInt16) -> AttributePath? {
    guard let service = services.first(where: { $0.range.contains(handle) }),
      let owner = service.characteristics.first(where: { $0.handle <= handle && handle <= $0.end })
    else { return nil }
    let descriptor = owner.descriptors?.first { $0.handle == handle }
    guard handle == owner.handle || descriptor != nil else { return nil }
    return AttributePath(
      service: service.uuid,
      serviceOrdinal: ordinal(of: service, in: services(service.uuid)),
      characteristic: owner.uuid,
      characteristicOrdinal: ordinal(
        of: owner, in: service.characteristics.filter { $0.uuid == owner.uuid }),
      descriptor: descriptor?.uuid)
  }

  /// Whether a characteristic is where it was when it was found.
  func contains(_ characteristic: Characteristic) -> Bool {
    self.characteristic(handle: characteristic.handle)?.uuid == characteristic.uuid
  }

  /// The characteristic at a path; `nil` if the database has none there any more.
  func characteristic(at path: AttributePath) -> Characteristic? {
    let services = services(path.service)
    guard services.indices.contains(path.serviceOrdinal) else { return nil }
    let own = services[path.serviceOrdinal].characteristics.filter {
      $0.uuid == path.characteristic
    }
    return own.indices.contains(path.characteristicOrdinal) ? own[path.characteristicOrdinal] : nil
  }

  private func ordinal<Item: Equatable>(of item: Item, in items: [Item]) -> Int {
    items.firstIndex(of: item) ?? 0
  }
}
