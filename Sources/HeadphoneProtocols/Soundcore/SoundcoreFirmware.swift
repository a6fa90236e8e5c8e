public import BluetoothCodec

/// Firmware of one device or of two buds (5 characters each), and the serial number (16).
public struct SoundcoreFirmware: Hashable, Sendable {
  /// One or two.
  public var versions: [String]
  /// 16 characters.
  public var serial: String

  private static let versionLength = 5
  private static let serialLength = 16

  /// Reads a frame's body; its length tells whether there are one or two versions.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Soundcore firmware")
    let isDual = bytes.count >= 2 * Self.versionLength + Self.serialLength
    versions = [textFromAir(try reader.take(Self.versionLength))]
    if isDual { versions.append(textFromAir(try reader.take(Self.versionLength))) }
    serial = textFromAir(try reader.take(Self.serialLength))
  }
}
