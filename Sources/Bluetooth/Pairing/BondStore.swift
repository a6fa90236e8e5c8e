public import BluetoothCodec

/// A store of bonds: a radio loads the keys from it at the start, and adds those of new pairings.
public protocol BondStore: Sendable {
  /// All bonds.
  func bonds() -> [Bond]

  /// Adds a key that `adapter` has just made with a device.
  func keep(_ key: BondKey, of adapter: BluetoothAddress)

  /// Removes a device's bonds with all adapters.
  func drop(_ identity: PeerAddress)
}

extension BondStore {
  /// The identity address of a bonded device, by any address that it uses; of others, the same one.
  public func identity(of peer: PeerAddress) -> PeerAddress {
    peer.isIdentity ? peer : bonds().identity(of: peer)
  }

  /// Whether a device has a bond, by any address that it uses.
  public func isBonded(_ peer: PeerAddress) -> Bool {
    let bonds = bonds()
    let identity = bonds.identity(of: peer)
    return bonds.contains { $0.identity == identity && !$0.longTermKeys.isEmpty }
  }
}

/// A store that keeps nothing: each connection pairs again.
public struct EmptyBondStore: BondStore {
  public init() {}

  /// Always empty.
  public func bonds() -> [Bond] { [] }
  /// Does nothing.
  public func keep(_ key: BondKey, of adapter: BluetoothAddress) {}
  /// Does nothing.
  public func drop(_ identity: PeerAddress) {}
}
