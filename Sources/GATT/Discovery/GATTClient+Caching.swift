internal import BluetoothCodec

/// The parts of a discovery, for who shows its progress.
public enum DiscoveryPhase: Hashable, Sendable, CaseIterable {
  case services, characteristics
}

/// Where a client's database came from.
public enum DatabaseSource: Hashable, Sendable {
  /// A full discovery.
  case discovery
  /// A cache that the server's Database Hash proved.
  case cacheWithSameHash
  /// A cache of a bonded server, which would tell by Service Changed if it were stale.
  case cacheOfBond
}

extension GATTClient {
  /// Gets the database by the fewest requests: from a cache if that is proved, else by discovery.
  ///
  /// | requests | when |
  /// | --- | --- |
  /// | 0 | the cache is that of a bonded server |
  /// | 1 | the server's Database Hash is that of the cache |
  /// | 1 + pages of services + pages of characteristics, 3 to 5 usually | otherwise |
  ///
  /// The hash is read before the discovery: if the database changes in between, the cache that is
  /// made of it fails its next proof.
  @discardableResult
  public func discover(
    using cache: GATTCache?, isBonded: Bool = false,
    onPhase: (@Sendable (DiscoveryPhase) -> Void)? = nil
  ) async throws(GATTError) -> DatabaseSource {
    if let cache, isBonded {
      adopt(cache)
      return .cacheOfBond
    }
    let hash = try await readDatabaseHash()
    if let cache, let hash, cache.hash == hash {
      adopt(cache)
      return .cacheWithSameHash
    }
    onPhase?(.services)
    try await discoverServices()
    onPhase?(.characteristics)
    try await discoverCharacteristics()
    if databaseState.isComplete { databaseState.hash = hash }
    return .discovery
  }

  /// What to keep for the next connection; nil unless a discovery was complete and is still true.
  public var cache: GATTCache? {
    guard databaseState.isComplete else { return nil }
    return GATTCache(hash: databaseState.hash, database: databaseState.database)
  }

  /// The server's Database Hash; nil if it has none.
  public func readDatabaseHash() async throws(GATTError) -> DatabaseHash? {
    try await readDatabaseHash(.withinDiscovery)
  }

  /// Asks the server to tell when its services change: Service Changed indications, and robust
  /// caching with values of several handles in one PDU (Core 5.4, Vol 3, Part G, 7.1 and 7.2).
  ///
  /// Up to 2 requests, for which nothing has to wait. What the server lacks is skipped.
  public func watchForServiceChanges() async throws(GATTError) {
    do throws(GATTError) {
      if let features = databaseState.database.characteristic(.clientSupportedFeatures) {
        try await write([Self.robustCaching | Self.multipleNotifications], to: features.handle)
      }
    } catch {
      try tolerate(error)
    }
    do throws(GATTError) {
      if let changed = databaseState.database.characteristic(.serviceChanged) {
        try await enable(changed)
      }
    } catch {
      try tolerate(error)
    }
  }

  /// Bits of Client Supported Features (Core 5.4, Vol 3, Part G, table 7.6).
  private static let robustCaching: UInt8 = 0x01
  private static let multipleNotifications: UInt8 = 0x04

  private func adopt(_ cache: GATTCache) {
    databaseState.database = cache.database
    databaseState.hash = cache.hash
    databaseState.hasGap = false
    databaseState.isComplete = true
  }

  func readDatabaseHash(_ recovery: RetryPolicy) async throws(GATTError) -> DatabaseHash? {
    do throws(GATTError) {
      // There is one at most, so nothing is asked for behind it.
      let response = try await request(.readByType(.all, type: .databaseHash), recovery)
      guard case .readByType(let items) = response else {
        throw unexpected(response, to: .readByTypeRequest)
      }
      return items.first.flatMap { DatabaseHash($0.value) }
    } catch .att {
      return nil
    }
  }

  /// A server that refuses a convenience is used without it.
  private func tolerate(_ error: GATTError) throws(GATTError) {
    switch error {
    case .closed, .cancelled: throw error
    default: options.report?(.conveniencesRefused(error))
    }
  }
}
