internal import BluetoothCodec

/// Which buds ring (published layout, "Device action"): the right one is bit 0, the left one bit 1.
///
/// A headphone that is no pair of buds looks at bit 0 alone.
struct FastPairRing: Hashable, Sendable {
  var sides: Sides

  init(_ sides: Sides) { self.sides = sides }

  /// Reads the mask; how long it rings, which may follow, is the headphone's affair.
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

  /// Encodes no duration: it rings until a command to stop, as other families' headphones do.
  func encoded(forWhole isWhole: Bool) -> [UInt8] {
    if isWhole { return [sides.isEmpty ? 0 : Self.right] }
    return [
      (sides.contains(.right) ? Self.right : 0) | (sides.contains(.left) ? Self.left : 0)
    ]
  }

  private static let right: UInt8 = 1 << 0
  private static let left: UInt8 = 1 << 1
}
