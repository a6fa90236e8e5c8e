extension SecretKey {
  /// Whether a device with this identity resolving key has made a resolvable private address (Core
  /// 5.4, Vol 3, Part H, 2.2.2).
  ///
  /// | bits of the address | field |
  /// | --- | --- |
  /// | 0 to 23 | hash of the random part |
  /// | 24 to 45 | random part |
  /// | 46, 47 | 01 |
  ///
  /// - Parameter peer: any address; only a resolvable private one can match.
  /// - Complexity: one AES encryption.
  public func resolves(_ peer: PeerAddress) -> Bool {
    guard peer.randomKind == .resolvablePrivate else { return false }
    let address = peer.address.value
    return hash(of: UInt32(truncatingIfNeeded: address >> 24)) == UInt32(address & 0xFF_FFFF)
  }

  /// The 24-bit hash `ah` of a resolvable private address (Core 5.4, Vol 3, Part H, 2.2.2), which
  /// is also `sih` of a set identifier (CSIS 1.0, 4.7).
  ///
  /// - Parameter random: the 24-bit random part.
  package func hash(of random: UInt32) -> UInt32 {
    let bits = [16, 8, 0].map { UInt8(truncatingIfNeeded: random >> $0) }
    // Keys are stored least significant byte first, AES expects the most significant one first.
    let block = AES128(key: bytes.reversed()).encrypt(Array(repeating: 0, count: 13) + bits)
    return block.suffix(3).reduce(0) { $0 << 8 | UInt32($1) }
  }
}

extension Sequence<Bond> {
  /// The identity address of the bonded device that uses a private address.
  ///
  /// - Parameter peer: returned unchanged if it is not private, or of no bonded device.
  /// - Complexity: O(*n*) in the number of bonds, with an AES encryption for each.
  public func identity(of peer: PeerAddress) -> PeerAddress {
    guard !peer.isIdentity else { return peer }
    return first { $0.identityResolvingKey?.resolves(peer) == true }?.identity ?? peer
  }
}
