extension SecretKey {
  /// Whether a device with this identity resolving key has made a resolvable private address
  /// (Core 5.4, Vol 3, Part H, 2.2.2).
  public func resolves(_ peer: PeerAddress) -> Bool {
    guard peer.randomKind == .resolvablePrivate else { return false }
    let random = (0..<3).map { UInt8(truncatingIfNeeded: peer.address.value >> (40 - 8 * $0)) }
    // The kernel carries the key's least significant byte first, AES takes the most significant.
    let block = AES128(key: bytes.reversed()).encrypt(Array(repeating: 0, count: 13) + random)
    let hash = block.suffix(3).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return hash == peer.address.value & 0xFF_FFFF
  }
}

extension Sequence<Bond> {
  /// The address that a bonded device keeps, by one that it uses today; else the same.
  public func identity(of peer: PeerAddress) -> PeerAddress {
    guard !peer.isIdentity else { return peer }
    return first { $0.identityResolvingKey?.resolves(peer) == true }?.identity ?? peer
  }
}
