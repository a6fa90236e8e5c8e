public import BluetoothCodec
internal import GATT

/// The coordinated set of which a headphone is a member: one of two buds with a link each (CSIS
/// 1.0).
public struct CoordinatedSet: Hashable, Sendable {
  /// The key of the set, which is the same for all members.
  public var key: SetKey
  /// The number of members; `nil` if the headphone does not report it.
  public var size: Int?
  /// The side of this member; `nil` if it is not reported, or the set is not a pair.
  public var side: Side?

  public init(key: SetKey, size: Int? = nil, side: Side? = nil) {
    self.key = key
    self.size = size
    self.side = side
  }

  /// The number of other members, which is 1 if it is unknown.
  public var others: Int { max(0, (size ?? 2) - 1) }
}

extension Side {
  /// The side of an audio location (2BCA, Sink Audio Locations; Assigned Numbers, 6.12.1).
  ///
  /// - Parameter locations: 4 bytes, one bit for each location.
  /// - Returns: `nil` for both sides, or neither.
  public init?(locations: Bytes) {
    var reader = ByteReader(locations, of: "audio locations")
    guard let places = try? reader.uint32() else { return nil }
    switch (places & Self.lefts != 0, places & Self.rights != 0) {
    case (true, false): self = .left
    case (false, true): self = .right
    default: return nil
    }
  }

  /// The locations front, back, of centre, side, top, bottom, wide and surround on the left; the
  /// bit above each is the one on the right.
  private static let lefts: UInt32 = 0x0545_1451
  private static let rights = lefts << 1

  /// The part with this bud's battery.
  public var part: Part {
    switch self {
    case .left: .left
    case .right: .right
    }
  }
}
