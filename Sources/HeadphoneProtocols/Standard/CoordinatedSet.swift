public import BluetoothCodec

/// The coordinated set of a headphone, such as two buds with a link each (CSIS 1.0).
public struct CoordinatedSet: Hashable, Sendable {
  public var key: SetKey
  /// The number of members, or nil if it was not reported.
  public var size: Int?
  /// The side of this member, or nil if it was not reported or the set is not a pair.
  public var side: Side?

  public init(key: SetKey, size: Int? = nil, side: Side? = nil) {
    self.key = key
    self.size = size
    self.side = side
  }

  /// The number of other members, or 1 if the size is unknown.
  public var others: Int { max(0, (size ?? 2) - 1) }
}

extension Side {
  /// Decodes the 4 bytes of Sink Audio Locations (2BCA; Assigned Numbers, 6.12.1), or returns nil
  /// for both sides or neither.
  public init?(locations: Bytes) {
    var reader = ByteReader(locations, of: "audio locations")
    guard let places = try? reader.uint32() else { return nil }
    switch (places & Self.lefts != 0, places & Self.rights != 0) {
    case (true, false): self = .left
    case (false, true): self = .right
    default: return nil
    }
  }

  /// The left locations: front, back, of centre, side, top, bottom, wide and surround; the next
  /// higher bit of each is the right one.
  private static let lefts: UInt32 = 0x0545_1451
  private static let rights = lefts << 1

  public var part: Part {
    switch self {
    case .left: .left
    case .right: .right
    }
  }
}
