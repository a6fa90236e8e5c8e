internal import BluetoothCodec

extension Bond {
  /// Whether a key that is derived from the other transport's key may replace the stored one.
  ///
  /// It must not be weaker in length or authentication (Core 5.4, Vol 3, Part C, 14.1). Otherwise
  /// an attacker who pairs one transport without a number to compare would take over the other
  /// (BLURtooth, CVE-2020-15802).
  func accepts(derived key: BondKey) -> Bool {
    switch key {
    case .identityResolving: true
    case .link(let key): key.isAuthenticated || linkKey?.isAuthenticated != true
    case .longTerm(let key):
      longTermKeys.allSatisfy {
        (key.kind.isAuthenticated || !$0.kind.isAuthenticated)
          && key.encryptionSize >= $0.encryptionSize
      }
    }
  }
}

extension LinkKey {
  /// Whether pairing was protected against a device in the middle, with P-192 or P-256.
  fileprivate var isAuthenticated: Bool { kind == 0x05 || kind == 0x08 }
}

extension LongTermKey.Kind {
  fileprivate var isAuthenticated: Bool {
    self == .authenticatedLegacy || self == .authenticatedP256
  }
}
