public import BluetoothCodec

/// Storage of bonds: the keys that pairings made, which a radio loads into the kernel.
///
/// Storage may be a slow disk, or a file that another process has locked: what reaches it is
/// `async`, and runs neither on the thread that polls the links nor on the main actor. Callers that
/// cannot wait, such as those that resolve the private address of each advertisement, use
/// ``cachedBonds``.
public protocol BondStore: Sendable {
  /// The bonds as they were last read or changed; empty before the first ``bonds()``.
  ///
  /// Returns at once. Storage that other processes share keeps this up to date while somebody
  /// follows its changes.
  var cachedBonds: [Bond] { get }

  /// All bonds, with what other processes have stored meanwhile.
  func bonds() async -> [Bond]

  /// Stores a key that `adapter` has just made with a device.
  ///
  /// ``cachedBonds`` has the key when this returns, so that what reads next from the link finds it. It
  /// reaches storage soon after, and at the latest with ``flush()``.
  func keep(_ key: BondKey, of adapter: BluetoothAddress)

  /// Returns when storage has every key, or refused it.
  func flush() async

  /// Removes a device's bonds with all adapters.
  func drop(_ identity: PeerAddress) async
}

extension BondStore {
  /// The identity address of a bonded device (Core 5.4, Vol 6, Part B, 1.3.2.3), resolved from the
  /// private address that it uses now; the same address for any other device.
  ///
  /// Uses ``cachedBonds``.
  public func identity(of peer: PeerAddress) -> PeerAddress {
    peer.isIdentity ? peer : cachedBonds.identity(of: peer)
  }

  /// Whether a device has a bond, by any address that it uses.
  ///
  /// Uses ``cachedBonds``.
  public func isBonded(_ peer: PeerAddress) -> Bool {
    let bonds = cachedBonds
    let identity = bonds.identity(of: peer)
    return bonds.contains { $0.identity == identity && !$0.longTermKeys.isEmpty }
  }
}

/// A store that keeps nothing: each connection pairs again.
public struct EmptyBondStore: BondStore {
  public init() {}

  /// Always empty.
  public var cachedBonds: [Bond] { [] }
  /// Always empty.
  public func bonds() -> [Bond] { [] }
  /// Does nothing.
  public func flush() {}
  /// Does nothing.
  public func keep(_ key: BondKey, of adapter: BluetoothAddress) {}
  /// Does nothing.
  public func drop(_ identity: PeerAddress) {}
}
