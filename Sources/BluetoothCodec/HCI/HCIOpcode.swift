/// The opcode of a command: its group and its number (Core 5.4, Vol 4, Part E, 5.4.1).
public struct HCIOpcode: RawRepresentable, Hashable, Sendable {
  /// The OGF in bits 10 to 15 and the OCF in bits 0 to 9.
  public var rawValue: UInt16

  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Creates an opcode from the 6-bit OGF and the 10-bit OCF.
  public init(group: UInt8, command: UInt16) {
    rawValue = UInt16(group & 0x3F) << 10 | command & 0x03FF
  }

  /// The 6-bit OGF: 0x08 for LE commands.
  public var group: UInt8 { UInt8(rawValue >> 10) }
  /// The 10-bit OCF.
  public var command: UInt16 { rawValue & 0x03FF }

  public static let reset = HCIOpcode(group: 0x03, command: 0x0003)
  public static let readLocalSupportedCommands = HCIOpcode(group: 0x04, command: 0x0002)
  public static let readRSSI = HCIOpcode(group: 0x05, command: 0x0005)
  public static let leSetScanParameters = HCIOpcode(group: 0x08, command: 0x000B)
  public static let leSetScanEnable = HCIOpcode(group: 0x08, command: 0x000C)
  public static let leConnectionUpdate = HCIOpcode(group: 0x08, command: 0x0013)
  public static let leReadPHY = HCIOpcode(group: 0x08, command: 0x0030)
  public static let leSetExtendedScanParameters = HCIOpcode(group: 0x08, command: 0x0041)
  public static let leSetExtendedScanEnable = HCIOpcode(group: 0x08, command: 0x0042)
}

extension HCIOpcode: CustomStringConvertible {
  public var description: String {
    switch self {
    // libbluetooth has no names for these.
    case .leReadPHY: "LE Read PHY"
    case .leSetExtendedScanParameters: "LE Set Extended Scan Parameters"
    case .leSetExtendedScanEnable: "LE Set Extended Scan Enable"
    default:
      HCISupportedCommands.name(of: self) ?? "HCI command 0x\(hexadecimal(rawValue, width: 4))"
    }
  }
}
