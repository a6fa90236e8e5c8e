public import BluetoothCodec

/// A joiner of the packets of one logical payload (flag bit 2), in order of arrival.
public struct FragmentJoiner: Hashable, Sendable {
  /// The maximum logical payload in bytes.
  public static let limit = 16 * HeadphonePacket.longestPayload

  private var joined: [UInt8] = []
  private var flags: HeadphonePacket.Flags = []

  public init() {}

  /// Adds a packet of the same command and sequence as the previous ones.
  ///
  /// - Returns: the logical payload after its last packet, with the flags of all parts except
  ///   `.moreFollows`, or nil before the last packet.
  /// - Throws: if the payload exceeds ``limit``; its parts are dropped.
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
