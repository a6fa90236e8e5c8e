public import BluetoothCodec

/// Firmware versions and the serial number, as command 0105 answers them.
///
/// | offset | size | field | meaning |
/// | --- | --- | --- | --- |
/// | 0 | 5 | version | "01.63"; of the left bud where there are two |
/// | 5 | 5 | version | of the right bud; only in a body of 26 bytes or more |
/// | 5 or 10 | 16 | serial | begins with the model's four digits |
public struct SoundcoreFirmware: Hashable, Sendable {
  /// One version, or left and right.
  public var versions: [String]
  /// The serial number of 16 characters.
  public var serial: String

  private static let versionLength = 5
  private static let serialLength = 16

  /// Decodes a frame's body; its length says whether there are one or two versions.
  ///
  /// - Throws: `MalformedBytes` for fewer than 21 bytes.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Soundcore firmware")
    let isDual = bytes.count >= 2 * Self.versionLength + Self.serialLength
    versions = [textFromAir(try reader.take(Self.versionLength))]
    if isDual { versions.append(textFromAir(try reader.take(Self.versionLength))) }
    serial = textFromAir(try reader.take(Self.serialLength))
  }
}
