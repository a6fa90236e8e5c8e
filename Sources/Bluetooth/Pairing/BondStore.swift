public import BluetoothCodec

/// Keeps bonds for later runs; a radio gives it the keys, and takes them from it at the start.
public protocol BondStore: Sendable {
  /// All that are kept.
  func bonds() -> [Bond]

  /// Keeps a key that `adapter` has just made with a device.
  func keep(_ key: BondKey, of adapter: BluetoothAddress)

  /// Drops a device's bonds, with whichever adapter.
  func drop(_ identity: PeerAddress)
}

extension BondStore {
  /// The address that a bonded device keeps, by one that it uses today; else the same.
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

/// Keeps nothing: who has no place for keys pairs anew each time.
public struct EmptyBondStore: BondStore {
  public init() {}

  /// None.
  public func bonds() -> [Bond] { [] }
  /// Forgets the key at once.
  public func keep(_ key: BondKey, of adapter: BluetoothAddress) {}
  /// Has nothing to drop.
  public func drop(_ identity: PeerAddress) {}
}
