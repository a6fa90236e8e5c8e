/// A discovered database to keep between connections, with the hash that proves it.
public struct GATTCache: Hashable, Sendable {
  /// Nil if the server has none: then only a bond proves the cache.
  public var hash: DatabaseHash?
  /// The structure as far as it was discovered; values are never part of it.
  public var database: Database

  public init(hash: DatabaseHash?, database: Database) {
    self.hash = hash
    self.database = database
  }
}

/// A server's 128-bit fingerprint of its database (Core 5.4, Vol 3, Part G, 7.3).
public struct DatabaseHash: Hashable, Sendable {
  /// 16 bytes.
  public let bytes: [UInt8]

  /// Nil unless there are 16 bytes.
  public init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    self.bytes = Array(bytes)
  }
}

/// The parts of a discovery, for a progress display.
public enum DiscoveryPhase: Hashable, Sendable, CaseIterable {
  case services, characteristics
}

/// The origin of a client's database.
public enum DatabaseSource: Hashable, Sendable {
  /// A full discovery.
  case discovery
  /// A cache that the server's Database Hash proved.
  case cacheWithSameHash
  /// A cache of a bonded server, which must indicate Service Changed if its services changed.
  case cacheOfBond
}
