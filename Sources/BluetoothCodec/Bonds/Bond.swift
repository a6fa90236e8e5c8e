/// What this machine keeps of a device so that the two need not pair again.
///
/// Keys belong to the adapter that paired: another one is a stranger to the device.
public struct Bond: Hashable, Sendable {
  /// Of the adapter.
  public var adapter: BluetoothAddress
  /// The address that the device keeps: public or random static.
  public var identity: PeerAddress
  /// Of the LE side: one, or two where each role has its own; empty before pairing.
  public var longTermKeys: [LongTermKey] = []
  /// Nil: the device does not change its address.
  public var identityResolvingKey: SecretKey?
  /// Of the BR/EDR side, for the sound.
  public var linkKey: LinkKey?

  public init(adapter: BluetoothAddress, identity: PeerAddress) {
    self.adapter = adapter
    self.identity = identity
  }

  /// Whether pairing was authenticated (MITM protection): a person compared or typed a number.
  public var isAuthenticated: Bool {
    longTermKeys.contains { [.authenticatedLegacy, .authenticatedP256].contains($0.kind) }
  }
}

/// A key that pairing has made.
public enum BondKey: Hashable, Sendable {
  /// Encrypts the LE link.
  case longTerm(LongTermKey)
  /// Tells the device by the private addresses that it uses.
  case identityResolving(IdentityResolvingKey)
  /// Encrypts the BR/EDR link.
  case link(LinkKey)
}

extension BondKey {
  /// Whose it is, and of which of its sides.
  public var peer: ManagementPeer {
    switch self {
    case .longTerm(let key): key.peer
    case .identityResolving(let key): key.peer
    case .link(let key): key.peer
    }
  }

  /// Whose it is: on BR/EDR a public address.
  public var identity: PeerAddress { peer.peer ?? PeerAddress(peer.address, .public) }
}

extension Bond {
  /// Takes a key, in the place of the one that it succeeds.
  public mutating func take(_ key: BondKey) {
    switch key {
    case .identityResolving(let key): identityResolvingKey = key.key
    case .link(let key): linkKey = key
    case .longTerm(let key):
      // Secure Connections has one key for both directions, legacy pairing one for each.
      longTermKeys.removeAll {
        $0.central == key.central || $0.kind.isForBothDirections || key.kind.isForBothDirections
      }
      longTermKeys.append(key)
    }
  }
}

extension LongTermKey.Kind {
  fileprivate var isForBothDirections: Bool {
    [.unauthenticatedP256, .authenticatedP256, .debugP256].contains(self)
  }
}
