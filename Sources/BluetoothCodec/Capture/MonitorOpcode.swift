/// The content of a record in a `.monitor` file (BlueZ, doc/btsnoop-protocol).
///
/// It is in bits 0 to 15 of the record's flags, below the controller's index.
public struct MonitorOpcode: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt16

  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// A controller was added.
  public static let newIndex = MonitorOpcode(rawValue: 0)
  /// A controller was removed.
  public static let deletedIndex = MonitorOpcode(rawValue: 1)
  /// An HCI command, from the host to the controller.
  public static let command = MonitorOpcode(rawValue: 2)
  /// An HCI event, from the controller to the host.
  public static let event = MonitorOpcode(rawValue: 3)
  /// ACL data from the host to the controller.
  public static let aclSent = MonitorOpcode(rawValue: 4)
  /// ACL data from the controller to the host.
  public static let aclReceived = MonitorOpcode(rawValue: 5)
  /// Synchronous data from the host to the controller.
  public static let scoSent = MonitorOpcode(rawValue: 6)
  /// Synchronous data from the controller to the host.
  public static let scoReceived = MonitorOpcode(rawValue: 7)
  /// A controller's transport was opened.
  public static let openIndex = MonitorOpcode(rawValue: 8)
  /// A controller's transport was closed.
  public static let closeIndex = MonitorOpcode(rawValue: 9)
  /// A controller's address and manufacturer.
  public static let indexInformation = MonitorOpcode(rawValue: 10)
  /// A diagnostic message of the controller's maker.
  public static let vendorDiagnostics = MonitorOpcode(rawValue: 11)
  /// A note of the kernel, as text.
  public static let systemNote = MonitorOpcode(rawValue: 12)
  /// A log message of a program, with its priority and identity.
  public static let userLogging = MonitorOpcode(rawValue: 13)
  /// A program has opened a management socket.
  public static let controlOpen = MonitorOpcode(rawValue: 14)
  /// A program has closed its management socket.
  public static let controlClose = MonitorOpcode(rawValue: 15)
  /// A management command.
  public static let controlCommand = MonitorOpcode(rawValue: 16)
  /// A management event.
  public static let controlEvent = MonitorOpcode(rawValue: 17)
  /// Isochronous data from the host to the controller.
  public static let isoSent = MonitorOpcode(rawValue: 18)
  /// Isochronous data from the controller to the host.
  public static let isoReceived = MonitorOpcode(rawValue: 19)

  /// The packet type of the HCI packet that the record contains; `nil` for notes.
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
  /// A record for `.monitor` files.
  ///
  /// - Parameters:
  ///   - opcode: the content.
  ///   - controller: the controller's index; 0xFFFF for none.
  ///   - packet: without a packet type.
  ///   - drops: the number of packets lost so far.
  ///   - time: the time of the capture.
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

  /// The controller's index, 0xFFFF for none; for `.monitor` files.
  public var monitorController: UInt16 { UInt16(truncatingIfNeeded: flags >> 16) }
}
