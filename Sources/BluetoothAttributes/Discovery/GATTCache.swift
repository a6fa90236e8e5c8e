public import BluetoothCodec

/// A discovered database to keep between connections, with the hash that validates it.
public struct GATTCache: Hashable, Sendable {
  /// The hash, or nil if the server has none, in which case only a bond makes the cache valid.
  public var hash: DatabaseHash?
  public var database: Database

  public init(hash: DatabaseHash?, database: Database) {
    self.hash = hash
    self.database = database
  }
}

/// The 128-bit hash of a server's database (Core 5.4, Vol 3, Part G, 7.3).
public struct DatabaseHash: Hashable, Sendable {
  /// The 16 bytes of the Database Hash characteristic.
  public let bytes: [UInt8]

  /// Creates a hash, or returns nil unless there are 16 bytes.
  public init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    self.bytes = Array(bytes)
  }
}

/// A phase of a discovery, for a progress display.
public enum DiscoveryPhase: Hashable, Sendable, CaseIterable {
  case services, characteristics
}

/// The origin of a client's database.
public enum DatabaseSource: Hashable, Sendable {
  case discovery
  case cacheWithSameHash
  /// The cache of a bonded server, which must indicate Service Changed if its services changed.
  case cacheOfBond
}
