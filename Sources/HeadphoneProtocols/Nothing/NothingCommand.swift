/// The commands of Nothing's and CMF's headphones by their published numbers.
///
/// C0xx asks and is answered by 40xx, F0xx commands and is answered by 70xx, E0xx is sent unprompted.
///
/// | command | payload | answer |
/// | --- | --- | --- |
/// | C006 | none | `NothingSerialNumber` |
/// | C007 | none | ``NothingBattery``; E001 unprompted |
/// | C00E | none | count, then key and flag of each; key 1 is in-ear detection |
/// | C011 | none | minutes until it switches itself off; 0 never |
/// | C018 | none | count, then ``NothingGesture`` of each |
/// | C01E | none | 1, ``NothingNoise``, 0, and of newer ones 2, strength, 0; E003 unprompted |
/// | C01F | none | preset of the equaliser |
/// | C020 | none | personalised cancelling: flag |
/// | C027 | none | two devices at a time: flag |
/// | C041 | none | low latency: 1 on, 0 or 2 off |
/// | C042 | none | firmware as text |
/// | C044 | none | ``NothingGains`` |
/// | C04E | none | bass boost: flag, level times 2 |
/// | C04F | none | spatial sound: kind, and of some head tracking |
/// | C050 | none | preset of models with a listening mode |
/// | F002 | part, flag; Ear (1): flag | empty; the part sounds |
/// | F003 | 1, ``NothingGesture`` | empty |
/// | F004 | 1, 1, flag | empty |
/// | F00B | minutes until it switches itself off | empty |
/// | F00F | 1, ``NothingNoise``, 0 | empty |
/// | F010 | preset, 0 | empty |
/// | F011 | personalised cancelling: flag | empty |
/// | F014 | 1 | empty; ``NothingFit`` follows |
/// | F01A | two devices at a time: flag | empty |
/// | F01D | preset of models with a listening mode, 0 | empty |
/// | F040 | 1 on, 2 off | empty |
/// | F041 | ``NothingGains`` | empty |
/// | F051 | bass boost as it is read | empty |
/// | F052 | kind of spatial sound, head tracking | empty |
///
/// Public projects disagree on the number for the advanced equaliser (F04F or F06F), which is not sent.
/// F01D is that of radiance-project/ear-web and of romangobb/nothing-buds-windows, which has tried it on a
/// CMF Buds Pro 2. F00B and F01A are those of sinanalizz123-max/nothing-buds alone, which has them from the
/// maker's app.
public enum NothingCommand {
  public static let readSerialNumber: UInt16 = 0xC006
  public static let readBattery: UInt16 = 0xC007
  public static let readInEarDetection: UInt16 = 0xC00E
  public static let readAutoPowerOff: UInt16 = 0xC011
  public static let readGestures: UInt16 = 0xC018
  public static let readNoise: UInt16 = 0xC01E
  public static let readEQ: UInt16 = 0xC01F
  public static let readPersonalisedCancelling: UInt16 = 0xC020
  public static let readMultipoint: UInt16 = 0xC027
  public static let readLowLatency: UInt16 = 0xC041
  public static let readFirmware: UInt16 = 0xC042
  public static let readGains: UInt16 = 0xC044
  public static let readBass: UInt16 = 0xC04E
  public static let readSpatialSound: UInt16 = 0xC04F
  public static let readListeningMode: UInt16 = 0xC050

  public static let ring: UInt16 = 0xF002
  public static let setGesture: UInt16 = 0xF003
  public static let setInEarDetection: UInt16 = 0xF004
  public static let setAutoPowerOff: UInt16 = 0xF00B
  public static let setNoise: UInt16 = 0xF00F
  public static let setEQ: UInt16 = 0xF010
  public static let setPersonalisedCancelling: UInt16 = 0xF011
  public static let testFit: UInt16 = 0xF014
  public static let setMultipoint: UInt16 = 0xF01A
  public static let setListeningMode: UInt16 = 0xF01D
  public static let setLowLatency: UInt16 = 0xF040
  public static let setGains: UInt16 = 0xF041
  public static let setBass: UInt16 = 0xF051
  public static let setSpatialSound: UInt16 = 0xF052

  /// The key of in-ear detection among the switches of C00E and F004.
  static let inEarDetection: UInt8 = 1

  /// Sent unprompted, as the next ones.
  public static let batteryNews: UInt16 = 0xE001
  public static let noiseNews: UInt16 = 0xE003
  public static let fitNews: UInt16 = 0xE00D

  /// The commands of answers to questions.
  static let answers: ClosedRange<UInt16> = 0x4000...0x4FFF

  /// The command of the answer to a request, which has bit 15 cleared.
  public static func response(to command: UInt16) -> UInt16 { command & 0x7FFF }
}
