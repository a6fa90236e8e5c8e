extension SecretKey {
  /// Whether a device with this identity resolving key has made a resolvable private address
  /// (Core 5.4, Vol 3, Part H, 2.2.2).
  public func resolves(_ peer: PeerAddress) -> Bool {
    guard peer.randomKind == .resolvablePrivate else { return false }
    let address = peer.address.value
    return hash(of: UInt32(truncatingIfNeeded: address >> 24)) == UInt32(address & 0xFF_FFFF)
  }

  /// The 24-bit hash `ah` of a resolvable private address (Core 5.4, Vol 3, Part H, 2.2.2), also
  /// `sih` of a set identifier (CSIS 1.0, 4.7).
  package func hash(of random: UInt32) -> UInt32 {
    let bits = [16, 8, 0].map { UInt8(truncatingIfNeeded: random >> $0) }
    // Keys are carried with their least significant byte first, AES takes the most significant.
    let block = AES128(key: bytes.reversed()).encrypt(Array(repeating: 0, count: 13) + bits)
    return block.suffix(3).reduce(0) { $0 << 8 | UInt32($1) }
  }
}

extension Sequence<Bond> {
  /// Resolves a private address to the identity address of a bonded device; otherwise returns it
  /// unchanged.
  public func identity(of peer: PeerAddress) -> PeerAddress {
    guard !peer.isIdentity else { return peer }
    return first { $0.identityResolvingKey?.resolves(peer) == true }?.identity ?? peer
  }
}
