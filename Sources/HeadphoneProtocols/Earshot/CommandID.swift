/// The command byte of a packet (docs/protocol.md sections 6 and 7).
public struct CommandID: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let capabilities = CommandID(rawValue: 0x01)
  public static let ping = CommandID(rawValue: 0x02)
  public static let state = CommandID(rawValue: 0x03)
  public static let setANC = CommandID(rawValue: 0x10)
  public static let setANCLevel = CommandID(rawValue: 0x11)
  public static let setEQ = CommandID(rawValue: 0x20)
  public static let setCustomEQ = CommandID(rawValue: 0x21)
  public static let customEQ = CommandID(rawValue: 0x22)
  public static let find = CommandID(rawValue: 0x30)
  public static let setTouchAction = CommandID(rawValue: 0x31)
  public static let touchActions = CommandID(rawValue: 0x32)
  public static let setWearDetection = CommandID(rawValue: 0x33)
  public static let rename = CommandID(rawValue: 0x34)
  /// The first of the commands of ``FirmwareRequest``.
  public static let firmwareBegin = CommandID(rawValue: 0x50)
  public static let firmwareData = CommandID(rawValue: 0x51)
  public static let firmwareBlockDone = CommandID(rawValue: 0x52)
  public static let firmwareVerify = CommandID(rawValue: 0x53)
  public static let firmwareActivate = CommandID(rawValue: 0x54)
  public static let firmwareConfirm = CommandID(rawValue: 0x55)
  public static let firmwareAbort = CommandID(rawValue: 0x56)
  public static let firmwareStatus = CommandID(rawValue: 0x57)
  public static let factoryReset = CommandID(rawValue: 0x70)
  public static let restart = CommandID(rawValue: 0x71)
}
