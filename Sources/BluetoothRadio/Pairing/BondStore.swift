public import BluetoothCodec

/// Storage for bonds: the keys from pairing, which a radio loads into the kernel.
///
/// Storage may be a slow disk or a file that another process has locked. Access is therefore
/// `async` and runs neither on the thread that polls the links nor on the main actor. Callers that
/// cannot wait use ``cachedBonds``.
///
/// ```swift
/// let peer = store.identity(of: advertisement.peer)  // at once, from memory
/// store.keep(key, of: adapter.address)               // in memory now, on disk soon
/// await store.flush()                                // on disk now
/// ```
public protocol BondStore: Sendable {
  /// The bonds as last read or changed, without waiting; empty before the first ``bonds()``.
  var cachedBonds: [Bond] { get }

  /// Returns all bonds, including those that other processes have stored meanwhile.
  func bonds() async -> [Bond]

  /// Stores a key from a pairing with the adapter that has this public address.
  ///
  /// ``cachedBonds`` has the key on return, storage soon after, at the latest after ``flush()``.
  func keep(_ key: BondKey, of adapter: BluetoothAddress)

  /// Waits until every key is stored or storage has failed.
  func flush() async

  /// Removes the bonds of the device with this identity address, with all adapters.
  func drop(_ identity: PeerAddress) async
}

extension BondStore {
  /// Returns a peer's identity address, resolved from its private address with ``cachedBonds``.
  ///
  /// An address that is not private, or of a device without a bond, is returned unchanged.
  public func identity(of peer: PeerAddress) -> PeerAddress {
    peer.isIdentity ? peer : cachedBonds.identity(of: peer)
  }

  /// Returns whether ``cachedBonds`` has an LE bond of a device, by any of its addresses.
  public func isBonded(_ peer: PeerAddress) -> Bool {
    let bonds = cachedBonds
    let identity = bonds.identity(of: peer)
    return bonds.contains { $0.identity == identity && !$0.longTermKeys.isEmpty }
  }

  /// Whether there is a key that encrypts a BR/EDR link with this device.
  public func hasLinkKey(of address: BluetoothAddress) -> Bool {
    cachedBonds.contains { $0.linkKey?.peer.address == address }
  }
}

/// A store that keeps nothing, so that each connection pairs again.
public struct EmptyBondStore: BondStore {
  public init() {}

  public var cachedBonds: [Bond] { [] }
  public func bonds() -> [Bond] { [] }
  public func flush() {}
  public func keep(_ key: BondKey, of adapter: BluetoothAddress) {}
  public func drop(_ identity: PeerAddress) {}
}
