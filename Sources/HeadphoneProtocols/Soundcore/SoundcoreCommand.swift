/// Commands of Soundcore's headphones, by their published numbers.
public enum SoundcoreCommand {
  public static let state: UInt16 = 0x0101
  public static let battery: UInt16 = 0x0103
  public static let charging: UInt16 = 0x0104
  public static let firmware: UInt16 = 0x0105
  public static let setEQ: UInt16 = 0x0281
  /// Told unasked.
  public static let soundModes: UInt16 = 0x0601
  public static let setSoundModes: UInt16 = 0x0681
}
