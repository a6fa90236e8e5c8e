public import BluetoothCodec

/// Everything at once, as the A3028 (Life Q30) answers command 0101; other models order it otherwise.
///
/// Battery step, charging, equaliser, 23 bytes about the wearer's hearing, sound modes, firmware (5
/// characters), serial number (16), and on newer firmware 7 bytes more.
public struct SoundcoreState: Hashable, Sendable {
  public var battery: Battery
  public var eq: SoundcoreEQ
  /// Age, gender and hearing test, kept as they are.
  public var hearing: Bytes
  public var soundModes: SoundcoreSoundModes
  public var firmware: String
  public var serial: String
  /// Settings that only newer firmware tells.
  public var more: Bytes

  /// Bytes of the body, without and with what newer firmware adds.
  public static let lengths: Set<Int> = [60, 67]
  private static let hearingLength = 23

  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Soundcore state")
    guard Self.lengths.contains(bytes.count) else {
      throw reader.malformed(.badLength(bytes.count))
    }
    let step = try reader.uint8(in: 0...SoundcoreBattery.steps)
    battery = Battery(step: step, of: SoundcoreBattery.steps, isCharging: try reader.flag())
    eq = try SoundcoreEQ(&reader)
    hearing = try reader.take(Self.hearingLength)
    soundModes = try SoundcoreSoundModes(&reader)
    firmware = textFromAir(try reader.take(5))
    serial = textFromAir(try reader.take(16))
    more = reader.rest()
  }

  /// The body of the frame.
  public func encoded() -> [UInt8] {
    [battery.step ?? 0, battery.isCharging == true ? 1 : 0] + eq.encoded() + hearing
      + soundModes.encoded() + firmware.utf8 + serial.utf8 + more
  }
}

/// Battery steps of one device, or of the left and the right bud.
public struct SoundcoreBattery: Hashable, Sendable {
  /// Full; the headphone tells no percentage.
  public static let steps: UInt8 = 5

  /// One or two.
  public var levels: [UInt8]

  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Soundcore battery")
    levels = [try reader.uint8(in: 0...Self.steps)]
    if !reader.isAtEnd { levels.append(try reader.uint8(in: 0...Self.steps)) }
  }
}

/// Whether the device charges, or its left and right bud.
public struct SoundcoreCharging: Hashable, Sendable {
  /// One or two.
  public var isCharging: [Bool]

  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Soundcore charging")
    isCharging = [try reader.flag()]
    if !reader.isAtEnd { isCharging.append(try reader.flag()) }
  }
}

/// Firmware of one device or of two buds (5 characters each), and the serial number (16).
public struct SoundcoreFirmware: Hashable, Sendable {
  /// One or two.
  public var versions: [String]
  public var serial: String

  private static let versionLength = 5
  private static let serialLength = 16

  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Soundcore firmware")
    let isDual = bytes.count >= 2 * Self.versionLength + Self.serialLength
    versions = [textFromAir(try reader.take(Self.versionLength))]
    if isDual { versions.append(textFromAir(try reader.take(Self.versionLength))) }
    serial = textFromAir(try reader.take(Self.serialLength))
  }
}
