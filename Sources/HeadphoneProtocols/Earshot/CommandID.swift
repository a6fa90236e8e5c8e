/// The command byte of a packet (docs/protocol.md sections 6 and 7).
public struct CommandID: RawRepresentable, Hashable, Sendable {
  /// The number of the command.
  public var rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Queries the features and their ranges.
  public static let capabilities = CommandID(rawValue: 0x01)
  /// Requests a response with the same payload.
  public static let ping = CommandID(rawValue: 0x02)
  /// Queries all values that have events.
  public static let state = CommandID(rawValue: 0x03)
  /// Sets the noise-control mode, on headphones without FFF1.
  public static let setANC = CommandID(rawValue: 0x10)
  /// Sets the noise-control level, 0 to 10.
  public static let setANCLevel = CommandID(rawValue: 0x11)
  /// Selects an equaliser preset.
  public static let setEQ = CommandID(rawValue: 0x20)
  /// Sets the gains of the custom equaliser.
  public static let setCustomEQ = CommandID(rawValue: 0x21)
  /// Queries the gains of the custom equaliser.
  public static let customEQ = CommandID(rawValue: 0x22)
  /// Starts or stops the sound of one or both buds.
  public static let find = CommandID(rawValue: 0x30)
  /// Sets the action of a gesture.
  public static let setTouchAction = CommandID(rawValue: 0x31)
  /// Queries the actions of all gestures.
  public static let touchActions = CommandID(rawValue: 0x32)
  /// Switches the wearing detection.
  public static let setWearDetection = CommandID(rawValue: 0x33)
  /// Changes the name: 1 to 32 bytes of UTF-8.
  public static let rename = CommandID(rawValue: 0x34)
  /// Announces an image, see ``FirmwareRequest/begin(header:)``.
  public static let firmwareBegin = CommandID(rawValue: 0x50)
  /// Sends a part of the image.
  public static let firmwareData = CommandID(rawValue: 0x51)
  /// Checks a block of the image.
  public static let firmwareBlockDone = CommandID(rawValue: 0x52)
  /// Verifies the whole image.
  public static let firmwareVerify = CommandID(rawValue: 0x53)
  /// Restarts into the image, on trial.
  public static let firmwareActivate = CommandID(rawValue: 0x54)
  /// Makes the image permanent.
  public static let firmwareConfirm = CommandID(rawValue: 0x55)
  /// Discards the image.
  public static let firmwareAbort = CommandID(rawValue: 0x56)
  /// Queries the state of the update.
  public static let firmwareStatus = CommandID(rawValue: 0x57)
  /// Resets the headphone to factory settings; only on an encrypted link.
  public static let factoryReset = CommandID(rawValue: 0x70)
  /// Restarts the headphone.
  public static let restart = CommandID(rawValue: 0x71)
}
