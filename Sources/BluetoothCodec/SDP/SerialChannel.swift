/// The RFCOMM channel of a service (Core 5.4, Vol 3, Part B, 5.1.5; RFCOMM 1.2, 5.4).
public struct SerialChannel: Hashable, Sendable {
  /// The server channel, 1 to 30.
  public var number: UInt8

  static let classesAttribute: UInt16 = 0x0001
  static let protocolsAttribute: UInt16 = 0x0004
  private static let packets = BluetoothUUID.bit16(0x0100)
  static let serial = BluetoothUUID.bit16(0x0003)
  private static let numbers: ClosedRange<UInt64> = 1...30

  public init(number: UInt8) { self.number = number }

  /// Creates a channel, or returns nil if there is no such service or it does not use RFCOMM.
  ///
  /// The records are those of ``ServiceDiscovery/channel(for:transaction:)``.
  public init?(_ records: [[UInt16: SDPElement]]) {
    for record in records {
      guard case .sequence(let protocols)? = record[Self.protocolsAttribute] else { continue }
      for case .sequence(let described) in protocols where described.count >= 2 {
        guard described[0] == .uuid(Self.serial), case .unsigned(let number) = described[1],
          Self.numbers.contains(number)
        else { continue }
        self.number = UInt8(truncatingIfNeeded: number)
        return
      }
    }
    return nil
  }

  /// Returns the record with which a device announces the channel of a service.
  public func record(of service: BluetoothUUID) -> [UInt16: SDPElement] {
    [
      Self.classesAttribute: .sequence([.uuid(service)]),
      Self.protocolsAttribute: .sequence([
        .sequence([.uuid(Self.packets)]),
        .sequence([.uuid(Self.serial), .unsigned(UInt64(number))]),
      ]),
    ]
  }

  /// Returns the services in the records of ``ServiceDiscovery/serialServices(transaction:)``.
  public static func services(_ records: [[UInt16: SDPElement]]) -> [BluetoothUUID] {
    records.filter { SerialChannel([$0]) != nil }.flatMap { record -> [BluetoothUUID] in
      guard case .sequence(let classes)? = record[classesAttribute] else { return [] }
      return classes.compactMap { if case .uuid(let uuid) = $0 { uuid } else { nil } }
    }
  }
}
