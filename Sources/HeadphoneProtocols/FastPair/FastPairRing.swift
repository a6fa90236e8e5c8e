internal import BluetoothCodec

/// The ringing buds (published layout, "Device action").
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | mask: bit 0 the right bud, bit 1 the left one |
/// | 1 | 1 | optional: duration, ignored |
///
/// Headphones that are not a pair of buds use bit 0 only.
struct FastPairRing: Hashable, Sendable {
  var sides: Sides

  init(_ sides: Sides) { self.sides = sides }

  /// Decodes the mask in the data of a message, and rejects other bits.
  init(decoding bytes: Bytes, ofWhole isWhole: Bool) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Fast Pair ring")
    let mask = try reader.uint8()
    guard mask & ~(Self.right | Self.left) == 0 else {
      throw reader.malformed(.badValue(UInt64(mask)), at: 0)
    }
    sides = []
    if mask & Self.right != 0 { sides.insert(.right) }
    if mask & Self.left != 0 { sides.insert(.left) }
    if isWhole, !sides.isEmpty { sides = .both }
  }

  /// Returns the mask without a duration, so that the headphone rings until a command to stop.
  func encoded(forWhole isWhole: Bool) -> [UInt8] {
    if isWhole { return [sides.isEmpty ? 0 : Self.right] }
    return [
      (sides.contains(.right) ? Self.right : 0) | (sides.contains(.left) ? Self.left : 0)
    ]
  }

  private static let right: UInt8 = 1 << 0
  private static let left: UInt8 = 1 << 1
}
