extension SecretKey {
  /// Returns whether `peer` is a resolvable private address made with this identity resolving key.
  ///
  /// Its lower 24 bits are the AES hash of the upper 24 (Core 5.4, Vol 3, Part H, 2.2.2).
  public func resolves(_ peer: PeerAddress) -> Bool {
    guard peer.randomKind == .resolvablePrivate else { return false }
    let address = peer.address.value
    return hash(of: UInt32(truncatingIfNeeded: address >> 24)) == UInt32(address & 0xFF_FFFF)
  }

  /// Returns `ah` (Core 5.4, Vol 3, Part H, 2.2.2), which is also `sih` (CSIS 1.0, 4.7).
  package func hash(of random: UInt32) -> UInt32 {
    let bits = [16, 8, 0].map { UInt8(truncatingIfNeeded: random >> $0) }
    // Keys are stored least significant byte first; AES expects the most significant byte first.
    let block = AES128(key: bytes.reversed()).encrypt(Array(repeating: 0, count: 13) + bits)
    return block.suffix(3).reduce(0) { $0 << 8 | UInt32($1) }
  }
}

extension Sequence<Bond> {
  /// Returns the identity address of the bonded device with this private address, or else `peer`.
  ///
  /// - Complexity: O(*n*) in the number of bonds, with an AES encryption for each.
  public func identity(of peer: PeerAddress) -> PeerAddress {
    guard !peer.isIdentity else { return peer }
    return first { $0.identityResolvingKey?.resolves(peer) == true }?.identity ?? peer
  }
}
