/// The keys that this machine stores of a device, so that the two need not pair again.
///
/// Keys belong to the adapter that paired: the device does not know any other adapter. One bond may
/// cover both sides of a dual-mode device.
///
/// ```swift
/// var bond = Bond(adapter: adapter.address, identity: key.identity)
/// bond.add(key)  // a BondKey from the kernel
/// print(bond.isAuthenticated)
/// ```
public struct Bond: Hashable, Sendable {
  /// The public address of the adapter.
  public var adapter: BluetoothAddress
  /// The identity address of the device: public or random static.
  public var identity: PeerAddress
  /// The keys of the LE side: one, or two if each role has its own; empty before pairing.
  public var longTermKeys: [LongTermKey] = []
  /// The key that resolves its private addresses; `nil` if the device does not use any.
  public var identityResolvingKey: SecretKey?
  /// The key of the BR/EDR side, for the sound; `nil` if that is not paired.
  public var linkKey: LinkKey?

  /// A bond without keys.
  public init(adapter: BluetoothAddress, identity: PeerAddress) {
    self.adapter = adapter
    self.identity = identity
  }

  /// Whether pairing was authenticated (MITM protection): a person compared or typed a number.
  public var isAuthenticated: Bool {
    longTermKeys.contains { [.authenticatedLegacy, .authenticatedP256].contains($0.kind) }
  }
}

/// A key from a pairing.
public enum BondKey: Hashable, Sendable {
  /// Encrypts the LE link.
  case longTerm(LongTermKey)
  /// Identifies the device by the private addresses that it uses.
  case identityResolving(IdentityResolvingKey)
  /// Encrypts the BR/EDR link.
  case link(LinkKey)
}

extension BondKey {
  /// The device that it belongs to, and the side of it.
  public var peer: ManagementPeer {
    switch self {
    case .longTerm(let key): key.peer
    case .identityResolving(let key): key.peer
    case .link(let key): key.peer
    }
  }

  /// The address of the device; for a BR/EDR key a public one.
  public var identity: PeerAddress { peer.peer ?? PeerAddress(peer.address, .public) }
}

extension Bond {
  /// Adds a key, in place of the one that it supersedes.
  ///
  /// Secure Connections has one key for both directions, legacy pairing one for each.
  public mutating func add(_ key: BondKey) {
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
  /// Whether the key is from LE Secure Connections.
  fileprivate var isForBothDirections: Bool {
    [.unauthenticatedP256, .authenticatedP256, .debugP256].contains(self)
  }
}
