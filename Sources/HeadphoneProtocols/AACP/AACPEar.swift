public import BluetoothCodec

/// Where the two buds are, the primary one first.
public struct AACPEar: Hashable, Sendable {
  /// Where a bud is.
  public enum Place: UInt8, Hashable, Sendable {
    case inEar = 0, out, inCase, disconnected
  }

  /// The primary bud's place; the order of the batteries determines its side.
  public var primary: Place
  public var secondary: Place

  public init(primary: Place, secondary: Place) {
    self.primary = primary
    self.secondary = secondary
  }

  /// Reads the first two bytes after the opcode; further ones are ignored.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "AACP ear detection")
    primary = try reader.value(of: Place.self)
    secondary = try reader.value(of: Place.self)
  }

  /// What follows the opcode: a byte for each bud.
  public func encoded() -> [UInt8] { [primary.rawValue, secondary.rawValue] }
}
