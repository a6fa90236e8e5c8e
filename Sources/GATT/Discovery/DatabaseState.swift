internal import BluetoothCodec

/// What a client knows of its server; a part of the client's state.
struct DatabaseState: Sendable {
  var database = Database() {
    didSet { serviceChangedHandle = database.characteristic(.serviceChanged)?.handle }
  }
  private(set) var serviceChangedHandle: UInt16?
  /// The server's hash of `database`; nil where it has none, or none for this state.
  var hash: DatabaseHash?
  /// False until a discovery has ended, and while a change is not looked at yet.
  var isComplete = false
  /// Whether a changed range could not be discovered: only a whole discovery fills it.
  var hasGap = false

  /// Ranges of Service Changed that are not discovered again yet.
  var staleRanges = FIFO<ATTHandleRange>()
  var isRediscovering = false
  /// Finding the database again after Database Out Of Sync; shared by all who need it.
  var resynchronisation: Task<Result<Void, GATTError>, Never>?
}

/// A server's 128-bit fingerprint of its database (Core 5.4, Vol 3, Part G, 7.3).
public struct DatabaseHash: Hashable, Sendable {
  /// 16 bytes.
  public let bytes: [UInt8]

  /// Nil unless there are 16 bytes.
  public init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    self.bytes = Array(bytes)
  }
}

/// Where one looks for the same thing after handles have moved.
struct AttributePath: Hashable, Sendable {
  var service: BluetoothUUID
  /// Which of the services of this type.
  var serviceOrdinal: Int
  var characteristic: BluetoothUUID
  /// Which of the service's characteristics of this type.
  var characteristicOrdinal: Int
  /// The descriptor's type; nil for the characteristic's value.
  var descriptor: BluetoothUUID?
}

extension Database {
  /// Nil for an attribute that is neither a known value nor a known descriptor.
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

  /// The characteristic at a path.
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
