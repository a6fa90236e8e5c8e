internal import BluetoothCodec

/// A client's knowledge of the server's attributes, and which handles must not be used.
struct DatabaseState: Sendable {
  private static let earlyLimit = 16

  private(set) var database = Database() {
    didSet { serviceChangedHandle = database.characteristic(.serviceChanged)?.handle }
  }
  private(set) var serviceChangedHandle: UInt16?
  var hash: DatabaseHash?
  var clientFeatures: UInt8 = 0
  private(set) var isDiscovered = false
  private(set) var stale: ATTHandleRange?
  /// The number of Service Changed indications, so that a discovery notices one.
  private(set) var changes: UInt64 = 0

  private var changesAtStart: UInt64 = 0
  private var replaced: (database: Database, range: ATTHandleRange)?
  private var early: [ATTHandleValue] = []

  var isComplete: Bool { isDiscovered && stale == nil }

  /// Returns whether one of these handles must not be used (Core 5.4, Vol 3, Part G, 2.5.2).
  func isStale(_ handles: @autoclosure () -> [UInt16]) -> Bool {
    guard isDiscovered, let stale else { return false }
    return handles().contains(where: stale.contains)
  }

  /// Adds a changed range; a single range covers all outdated handles, to limit the memory.
  mutating func markStale(_ range: ATTHandleRange) {
    changes += 1
    stale = stale.map { $0.union(range) } ?? range
  }

  mutating func adopt(_ cache: GATTCache) {
    database = cache.database
    hash = cache.hash
    isDiscovered = true
  }

  mutating func beginDiscovery() {
    if isDiscovered, let stale { replaced = (database, database.wholeServices(touching: stale)) }
    isDiscovered = false
    hash = nil
    early = []
    changesAtStart = changes
  }

  mutating func setServices(_ services: [Service]) { database = Database(services: services) }

  /// Ends a full discovery; changes since its start stay outdated.
  ///
  /// - Returns: The part that was outdated before, where subscriptions may have to move.
  mutating func endDiscovery(
    _ services: [Service]
  ) -> (database: Database, range: ATTHandleRange)? {
    setServices(services)
    isDiscovered = true
    if changes == changesAtStart { stale = nil }
    return replaced.take()
  }

  /// Replaces whole services of a range, which stays outdated after more changes than `known`.
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

  mutating func update(_ service: UInt16, _ change: (inout Service) -> Void) {
    database.update(service, change)
  }

  mutating func update(_ characteristic: Characteristic, _ change: (inout Characteristic) -> Void) {
    database.update(characteristic, change)
  }

  /// Keeps an indication that may be Service Changed, or returns false for any other value.
  mutating func keepEarly(_ value: ATTHandleValue) -> Bool {
    guard serviceChangedHandle == nil, value.value.count == 4 else { return false }
    if early.count < Self.earlyLimit { early.append(value) }
    return true
  }

  mutating func removeEarly() -> [Bytes] {
    defer { early = [] }
    return early.filter { $0.handle == serviceChangedHandle }.map(\.value)
  }
}

/// The position of an attribute in the structure of a database, which survives moved handles.
struct AttributePath: Hashable, Sendable {
  var service: BluetoothUUID
  var serviceOrdinal: Int
  var characteristic: BluetoothUUID
  var characteristicOrdinal: Int
  var descriptor: BluetoothUUID?
}

extension Database {
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

  func contains(_ characteristic: Characteristic) -> Bool {
    self.characteristic(handle: characteristic.handle)?.uuid == characteristic.uuid
  }

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
