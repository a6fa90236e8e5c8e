public import BluetoothCodec

/// Joins the packets of one logical payload (flag bit 2) in the order of their arrival.
public struct FragmentJoiner: Hashable, Sendable {
  /// A logical payload never grows longer; bytes.
  public static let limit = 16 * HeadphonePacket.longestPayload

  private var joined: [UInt8] = []
  private var flags: HeadphonePacket.Flags = []

  public init() {}

  /// The logical payload once its last packet is there, with the flags of all parts but
  /// `.moreFollows`; nil: more follows.
  ///
  /// - Throws: if the payload is over ``limit``; the parts taken so far are dropped.
  public mutating func receive(
    _ packet: HeadphonePacket
  ) throws(MalformedBytes) -> (payload: Bytes, flags: HeadphonePacket.Flags)? {
    guard joined.count + packet.payload.count <= Self.limit else {
      let count = joined.count + packet.payload.count
      self = FragmentJoiner()
      throw MalformedBytes(
        "fragmented payload", at: Self.limit, .tooLong(count: count, limit: Self.limit))
    }
    joined += packet.payload
    flags.formUnion(packet.flags)
    guard !packet.flags.contains(.moreFollows) else { return nil }
    defer { self = FragmentJoiner() }
    return (joined[...], flags.subtracting(.moreFollows))
  }
}
