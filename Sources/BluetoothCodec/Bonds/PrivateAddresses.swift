extension SecretKey {
  /// Returns whether `peer` is a resolvable private address made with this identity resolving key.
  ///
  /// The lower 24 bits are the hash of the upper 24 (Core 5.4, Vol 3, Part H, 2.2.2).
  ///
  /// - Complexity: one AES encryption.
  public func resolves(_ peer: PeerAddress) -> Bool {
    guard peer.randomKind == .resolvablePrivate else { return false }
    let address = peer.address.value
    return hash(of: UInt32(truncatingIfNeeded: address >> 24)) == UInt32(address & 0xFF_FFFF)
  }

  /// Returns the hash `ah` of the 24-bit random part of a resolvable private address.
  ///
  /// See Core 5.4, Vol 3, Part H, 2.2.2. It is also `sih` of a set identifier (CSIS 1.0, 4.7).
  package func hash(of random: UInt32) -> UInt32 {
    let bits = [16, 8, 0].map { UInt8(truncatingIfNeeded: random >> $0) }
    // Keys are stored least significant byte first; AES expects the most significant byte first.
    let block = AES128(key: bytes.reversed()).encrypt(Array(repeating: 0, count: 13) + bits)
    return block.suffix(3).reduce(0) { $0 << 8 | UInt32($1) }
  }
}

extension Sequence<Bond> {
  /// Returns the identity address of the bonded device that uses `peer` as a private address.
  ///
  /// If `peer` is not private or belongs to no bonded device, it is returned unchanged.
  ///
  /// - Complexity: O(*n*) in the number of bonds, with an AES encryption for each.
  public func identity(of peer: PeerAddress) -> PeerAddress {
    guard !peer.isIdentity else { return peer }
    return first { $0.identityResolvingKey?.resolves(peer) == true }?.identity ?? peer
  }
}
