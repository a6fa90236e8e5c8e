public import BluetoothCodec
internal import GATT

/// The coordinated set that a headphone is a member of: one of two buds with a link each.
public struct CoordinatedSet: Hashable, Sendable {
  /// The same for all members: by it they are known as one headphone.
  public var key: SetKey
  /// How many members there are; nil: the headphone does not tell.
  public var size: Int?
  /// Which bud this member is; nil: not reported, and the set does not have two.
  public var side: Side?

  public init(key: SetKey, size: Int? = nil, side: Side? = nil) {
    self.key = key
    self.size = size
    self.side = side
  }

  /// How many members there are to look for beside this one.
  public var others: Int { max(0, (size ?? 2) - 1) }
}

extension Side {
  /// By where it plays (2BCA: Sink Audio Locations; Assigned Numbers, 6.12.1); nil: both sides, or
  /// neither.
  public init?(locations: Bytes) {
    var reader = ByteReader(locations, of: "audio locations")
    guard let places = try? reader.uint32() else { return nil }
    switch (places & Self.lefts != 0, places & Self.rights != 0) {
    case (true, false): self = .left
    case (false, true): self = .right
    default: return nil
    }
  }

  /// Front, back, of centre, side, top, bottom, wide and surround; the bit above each is the right
  /// one.
  private static let lefts: UInt32 = 0x0545_1451
  private static let rights = lefts << 1

  /// The part that has this bud's battery.
  public var part: Part {
    switch self {
    case .left: .left
    case .right: .right
    }
  }
}
