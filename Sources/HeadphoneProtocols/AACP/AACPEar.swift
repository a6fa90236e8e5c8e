public import BluetoothCodec

/// The ear detection: the place of each bud.
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | place of the primary bud: 0 to 3 |
/// | 1 | 1 | place of the other bud: 0 to 3 |
public struct AACPEar: Hashable, Sendable {
  /// The place of a bud, by its published number.
  public enum Place: UInt8, Hashable, Sendable {
    /// 0 in an ear, 1 out, 2 in the case, 3 not connected.
    case inEar = 0, out, inCase, disconnected
  }

  /// The place of the primary bud, whose side is that of the first bud in ``AACPBattery``.
  public var primary: Place
  /// The place of the other bud.
  public var secondary: Place

  public init(primary: Place, secondary: Place) {
    self.primary = primary
    self.secondary = secondary
  }

  /// Decodes the first two bytes after the opcode; further ones are ignored.
  ///
  /// - Throws: ``/BluetoothCodec/MalformedBytes`` if there are fewer, or a place is unknown.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "AACP ear detection")
    primary = try reader.value(of: Place.self)
    secondary = try reader.value(of: Place.self)
  }

  /// The data after the opcode: a byte for each bud.
  public func encoded() -> [UInt8] { [primary.rawValue, secondary.rawValue] }
}
