/// The keys that this machine stores for a device, so that the two need not pair again.
///
/// Keys belong to the adapter that was paired. One bond may cover both sides of a dual-mode device.
public struct Bond: Hashable, Sendable {
  public var adapter: BluetoothAddress
  public var identity: PeerAddress
  /// The keys of the LE side: one, two if each role has its own, or none before pairing.
  public var longTermKeys: [LongTermKey] = []
  /// The key that resolves the device's private addresses, or nil if it uses none.
  public var identityResolvingKey: SecretKey?
  /// The key of the BR/EDR side, or nil if that side is not paired.
  public var linkKey: LinkKey?

  public init(adapter: BluetoothAddress, identity: PeerAddress) {
    self.adapter = adapter
    self.identity = identity
  }

  /// Whether pairing protected against a man in the middle: a person compared or typed a number.
  public var isAuthenticated: Bool {
    longTermKeys.contains { [.authenticatedLegacy, .authenticatedP256].contains($0.kind) }
  }
}

/// A key that pairing distributed.
public enum BondKey: Hashable, Sendable {
  case longTerm(LongTermKey)
  case identityResolving(IdentityResolvingKey)
  case link(LinkKey)
}

extension BondKey {
  public var peer: ManagementPeer {
    switch self {
    case .longTerm(let key): key.peer
    case .identityResolving(let key): key.peer
    case .link(let key): key.peer
    }
  }

  /// The address of the device; public for a BR/EDR key.
  public var identity: PeerAddress { peer.peer ?? PeerAddress(peer.address, .public) }
}

extension Bond {
  /// Adds a key, replacing the one it supersedes.
  public mutating func add(_ key: BondKey) {
    switch key {
    case .identityResolving(let key): identityResolvingKey = key.key
    case .link(let key): linkKey = key
    case .longTerm(let key):
      // LE Secure Connections has one key for both directions, legacy pairing one for each.
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
