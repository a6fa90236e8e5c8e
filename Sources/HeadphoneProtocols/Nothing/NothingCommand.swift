/// The commands of Nothing's and CMF's headphones by their published numbers.
///
/// A request C0xx is answered by 40xx, a command F0xx by 70xx; E0xx is sent unprompted.
///
/// | command | payload | answer |
/// | --- | --- | --- |
/// | C006 | none | `NothingSerialNumber` |
/// | C007 | none | ``NothingBattery``; E001 unprompted |
/// | C00E | none | count, then key and flag of each switch; key 1 is in-ear detection |
/// | C011 | none | minutes until the headphone switches itself off, or 0 for never |
/// | C018 | none | count, then that many of `NothingGesture` |
/// | C01E | none | 1, ``NothingNoise``, 0; newer models add 2, strength, 0; E003 unprompted |
/// | C01F | none | equaliser preset |
/// | C020 | none | personalised noise cancelling: flag |
/// | C027 | none | connection to two devices: flag |
/// | C041 | none | low latency: 1 on, 0 or 2 off |
/// | C042 | none | firmware version as text |
/// | C044 | none | ``NothingGains`` |
/// | C04E | none | bass boost: flag, level times 2 |
/// | C04F | none | spatial sound: kind, and on some models head tracking |
/// | C050 | none | preset, on models with a listening mode |
/// | F002 | part, flag; on Ear (1) only flag | empty; the part makes a sound |
/// | F003 | 1, `NothingGesture` | empty |
/// | F004 | 1, 1, flag | empty |
/// | F00B | minutes until the headphone switches itself off | empty |
/// | F00F | 1, ``NothingNoise``, 0 | empty |
/// | F010 | preset, 0 | empty |
/// | F011 | personalised noise cancelling: flag | empty |
/// | F014 | 1 | empty; `NothingFit` follows |
/// | F01A | connection to two devices: flag | empty |
/// | F01D | preset, 0; on models with a listening mode | empty |
/// | F040 | 1 on, 2 off | empty |
/// | F041 | ``NothingGains`` | empty |
/// | F051 | bass boost, as in the answer to C04E | empty |
/// | F052 | kind of spatial sound, head tracking | empty |
///
/// Public projects disagree whether F04F or F06F sets the advanced equaliser, so neither is sent.
/// F01D is from radiance-project/ear-web and from romangobb/nothing-buds-windows, which tested it
/// on a CMF Buds Pro 2. F00B and F01A are only from sinanalizz123-max/nothing-buds, which took them
/// from the maker's app.
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

  /// The key of in-ear detection in the answer to C00E and in F004.
  static let inEarDetection: UInt8 = 1

  /// The unprompted report of battery levels, like ``noiseNews`` and ``fitNews``.
  public static let batteryNews: UInt16 = 0xE001
  public static let noiseNews: UInt16 = 0xE003
  public static let fitNews: UInt16 = 0xE00D

  static let answers: ClosedRange<UInt16> = 0x4000...0x4FFF

  /// Returns the number of the answer to `command`, which has bit 15 cleared.
  public static func response(to command: UInt16) -> UInt16 { command & 0x7FFF }
}
