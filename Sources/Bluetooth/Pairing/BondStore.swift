public import BluetoothCodec

/// Storage of bonds: the keys from pairing, which a radio loads into the kernel.
///
/// Storage may be a slow disk, or a file that another process has locked, so every access to it is
/// `async` and runs neither on the thread that polls the links nor on the main actor. Callers that
/// cannot wait, such as those that resolve the private address of each advertisement, use
/// ``cachedBonds``.
///
/// ```swift
/// let peer = store.identity(of: advertisement.peer)  // at once, from memory
/// store.keep(key, of: adapter.address)               // in memory now, on disk soon
/// await store.flush()                                // on disk now
/// ```
public protocol BondStore: Sendable {
  /// The bonds as they were last read or changed; empty before the first ``bonds()``.
  ///
  /// Returns at once. Storage that other processes share keeps this up to date while its changes
  /// are watched.
  var cachedBonds: [Bond] { get }

  /// All bonds, including those that other processes have stored meanwhile.
  func bonds() async -> [Bond]

  /// Stores a key from a pairing that has just ended.
  ///
  /// ``cachedBonds`` has the key when this returns, so that the next PDU of the link can depend on
  /// it. Storage has it soon after, and at the latest after ``flush()``.
  ///
  /// - Parameters:
  ///   - key: the key, with the identity address of its device.
  ///   - adapter: the public address of the adapter that paired.
  func keep(_ key: BondKey, of adapter: BluetoothAddress)

  /// Returns when every key is stored, or storage has failed.
  func flush() async

  /// Removes a device's bonds with all adapters.
  ///
  /// - Parameter identity: its identity address.
  func drop(_ identity: PeerAddress) async
}

extension BondStore {
  /// The identity address of a peer, resolved from the private address that it uses now (Core 5.4,
  /// Vol 6, Part B, 1.3.2.3).
  ///
  /// Uses ``cachedBonds``.
  ///
  /// - Returns: the same address if it is not private, or of a device without a bond.
  public func identity(of peer: PeerAddress) -> PeerAddress {
    peer.isIdentity ? peer : cachedBonds.identity(of: peer)
  }

  /// Whether a device is bonded over LE, by any address that it uses.
  ///
  /// Uses ``cachedBonds``.
  public func isBonded(_ peer: PeerAddress) -> Bool {
    let bonds = cachedBonds
    let identity = bonds.identity(of: peer)
    return bonds.contains { $0.identity == identity && !$0.longTermKeys.isEmpty }
  }
}

/// A store that keeps nothing, so that each connection pairs again.
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
