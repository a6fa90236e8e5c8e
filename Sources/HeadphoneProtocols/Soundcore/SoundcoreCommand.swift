/// The commands of Soundcore's headphones by their published numbers (``SoundcoreProtocol``).
public enum SoundcoreCommand {
  public static let state: UInt16 = 0x0101
  public static let battery: UInt16 = 0x0103
  public static let charging: UInt16 = 0x0104
  public static let firmware: UInt16 = 0x0105
  /// LDAC: on or off, which some models also report unprompted.
  public static let ldac: UInt16 = 0x017F
  public static let setLDAC: UInt16 = 0x01FF
  public static let setEQ: UInt16 = 0x0281
  public static let setPress: UInt16 = 0x0481
  /// The sound modes, which are reported unprompted after a touch; over RFCOMM they can be
  /// requested.
  public static let soundModes: UInt16 = 0x0601
  public static let setSoundModes: UInt16 = 0x0681
  public static let pairedDevices: UInt16 = 0x0B01
  /// The command that disconnects a paired device by its address, like the next two.
  public static let disconnectDevice: UInt16 = 0x0B81
  public static let connectDevice: UInt16 = 0x0B82
  public static let forgetDevice: UInt16 = 0x0B83
}
