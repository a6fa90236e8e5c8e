/// The commands of Nothing's and CMF's headphones by their published numbers.
///
/// C0xx asks and is answered by 40xx, F0xx commands and is answered by 70xx, E0xx is sent unprompted.
///
/// | command | payload | answer |
/// | --- | --- | --- |
/// | C007 | none | ``NothingBattery``; E001 unprompted |
/// | C00E | none | two bytes, flag of in-ear detection |
/// | C01E | none | a byte, ``NothingNoise``; E003 unprompted |
/// | C01F | none | preset of the equaliser |
/// | C042 | none | firmware as text |
/// | C044 | none | ``NothingGains`` |
/// | F002 | part, flag | empty; the part sounds |
/// | F004 | 1, 1, flag | empty |
/// | F00F | 1, ``NothingNoise``, 0 | empty |
/// | F010 | preset, 0 | empty |
/// | F041 | ``NothingGains`` | empty |
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

  /// Sent unprompted, as the next one.
  public static let batteryNews: UInt16 = 0xE001
  public static let noiseNews: UInt16 = 0xE003

  /// The command of the answer to a request, which has bit 15 cleared.
  public static func response(to command: UInt16) -> UInt16 { command & 0x7FFF }
}
