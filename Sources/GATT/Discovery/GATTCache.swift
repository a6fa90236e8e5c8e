/// A discovered database to keep between connections, with the hash that proves it.
public struct GATTCache: Hashable, Sendable {
  /// Nil where the server has none: then only a bond proves the cache.
  public var hash: DatabaseHash?
  /// As far as it was discovered: values are never part of it.
  public var database: Database

  public init(hash: DatabaseHash?, database: Database) {
    self.hash = hash
    self.database = database
  }
}
