/// Commands of Nothing's and CMF's headphones, by their published numbers.
public enum NothingCommand {
  public static let readBattery: UInt16 = 0xC007
  public static let readInEarDetection: UInt16 = 0xC00E
  public static let readNoise: UInt16 = 0xC01E
  public static let readEQ: UInt16 = 0xC01F
  public static let readFirmware: UInt16 = 0xC042
  public static let readGains: UInt16 = 0xC044

  public static let ring: UInt16 = 0xF002
  public static let setInEarDetection: UInt16 = 0xF004
  public static let setNoise: UInt16 = 0xF00F
  public static let setEQ: UInt16 = 0xF010
  public static let setGains: UInt16 = 0xF041

  /// Told unasked.
  public static let batteryNews: UInt16 = 0xE001
  public static let noiseNews: UInt16 = 0xE003

  /// The command of the answer to a request: bit 15 is the request's.
  public static func answer(to command: UInt16) -> UInt16 { command & 0x7FFF }
}
