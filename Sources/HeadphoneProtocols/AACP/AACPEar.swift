public import BluetoothCodec

/// The ear detection: the position of each bud.
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | position of the primary bud: 0 to 3 |
/// | 1 | 1 | position of the other bud: 0 to 3 |
public struct AACPEar: Hashable, Sendable {
  /// The position of a bud, by its published number.
  public enum Place: UInt8, Hashable, Sendable {
    case inEar = 0, out, inCase, disconnected
  }

  /// The position of the primary bud, whose side ``AACPOpcode/primary`` reports.
  public var primary: Place
  public var secondary: Place

  public init(primary: Place, secondary: Place) {
    self.primary = primary
    self.secondary = secondary
  }

  /// Decodes the first two bytes after the opcode, and ignores further bytes.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "AACP ear detection")
    primary = try reader.value(of: Place.self)
    secondary = try reader.value(of: Place.self)
  }
}
