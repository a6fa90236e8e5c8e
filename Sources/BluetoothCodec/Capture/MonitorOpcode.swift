/// The content of a record in a `.monitor` file (BlueZ, doc/btsnoop-protocol).
///
/// Bits 0 to 15 of the record's flags; the controller's index is above.
public struct MonitorOpcode: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt16

  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public static let newIndex = MonitorOpcode(rawValue: 0)
  public static let deletedIndex = MonitorOpcode(rawValue: 1)
  public static let command = MonitorOpcode(rawValue: 2)
  public static let event = MonitorOpcode(rawValue: 3)
  public static let aclSent = MonitorOpcode(rawValue: 4)
  public static let aclReceived = MonitorOpcode(rawValue: 5)
  public static let scoSent = MonitorOpcode(rawValue: 6)
  public static let scoReceived = MonitorOpcode(rawValue: 7)
  public static let openIndex = MonitorOpcode(rawValue: 8)
  public static let closeIndex = MonitorOpcode(rawValue: 9)
  public static let indexInformation = MonitorOpcode(rawValue: 10)
  /// A diagnostic message of the controller's maker.
  public static let vendorDiagnostics = MonitorOpcode(rawValue: 11)
  public static let systemNote = MonitorOpcode(rawValue: 12)
  public static let userLogging = MonitorOpcode(rawValue: 13)
  public static let controlOpen = MonitorOpcode(rawValue: 14)
  public static let controlClose = MonitorOpcode(rawValue: 15)
  public static let controlCommand = MonitorOpcode(rawValue: 16)
  public static let controlEvent = MonitorOpcode(rawValue: 17)
  public static let isoSent = MonitorOpcode(rawValue: 18)
  public static let isoReceived = MonitorOpcode(rawValue: 19)

  /// The type of the HCI packet in the record, or nil for notes.
  public var packetType: HCIPacketType? {
    switch self {
    case .command: .command
    case .event: .event
    case .aclSent, .aclReceived: .acl
    case .scoSent, .scoReceived: .sco
    case .isoSent, .isoReceived: .iso
    default: nil
    }
  }
}

extension BtsnoopRecord {
  /// Creates a `.monitor` record of a packet without its type; `controller` is 0xFFFF for none.
  public init(
    monitor opcode: MonitorOpcode, controller: UInt16, packet: Bytes, drops: UInt32 = 0,
    time: BtsnoopTime
  ) {
    self.init(
      originalLength: UInt32(truncatingIfNeeded: packet.count),
      flags: UInt32(controller) << 16 | UInt32(opcode.rawValue), drops: drops, time: time,
      data: packet)
  }

  /// The content of the record; for `.monitor` files.
  public var monitorOpcode: MonitorOpcode {
    MonitorOpcode(rawValue: UInt16(truncatingIfNeeded: flags))
  }

  /// The index of the controller, or 0xFFFF for none; for `.monitor` files.
  public var monitorController: UInt16 { UInt16(truncatingIfNeeded: flags >> 16) }
}
