internal import BluetoothCodec

extension GATTClient {
  /// Gets the database by the fewest requests: from a cache if that is proved, else by discovery.
  ///
  /// | requests | when |
  /// | --- | --- |
  /// | 0 | the cache is that of a bonded server, on a link that is encrypted |
  /// | 1 | the server's Database Hash is that of the cache |
  /// | 1 + pages of services + pages of characteristics, 3 to 5 usually | otherwise |
  ///
  /// A bonded server indicates Service Changed right after encryption if its services changed since
  /// (Core 5.4, Vol 3, Part G, 7.1). So that it is not lost, this is called before any request and
  /// ``servicesSettled()`` after the first one. What arrived earlier all the same counts, too.
  ///
  /// The hash is read before the discovery: if the database changes in between, the cache that is
  /// made of it fails its next proof.
  ///
  /// - Parameters:
  ///   - cache: the ``cache`` of an earlier connection.
  ///   - isBonded: whether the link is encrypted with a key that was there when `cache` was made.
  ///   - onPhase: called when a part of a discovery begins.
  /// - Throws: as ``discoverAll()``.
  @discardableResult
  public func discover(
    using cache: GATTCache?, isBonded: Bool = false,
    onPhase: (@Sendable (DiscoveryPhase) -> Void)? = nil
  ) async throws(GATTError) -> DatabaseSource {
    if let cache, isBonded {
      known.adopt(cache)
      takeUpChanges()
      return .cacheOfBond
    }
    let hash = try await readDatabaseHash()
    if let cache, let hash, cache.hash == hash {
      known.adopt(cache)
      takeUpChanges()
      return .cacheWithSameHash
    }
    onPhase?(.services)
    try await discoverServices()
    onPhase?(.characteristics)
    try await discoverCharacteristics()
    if known.isComplete { known.hash = hash }
    return .discovery
  }

  /// What to keep for the next connection; nil unless a discovery was complete and is still true.
  public var cache: GATTCache? {
    known.isComplete ? GATTCache(hash: known.hash, database: known.database) : nil
  }

  /// Sets a function to call when Service Changed arrives, and when the changed services are known.
  ///
  /// ``cache`` is nil in between. What was kept of it must go then: the server indicates a change
  /// only once, so that a stored database that is out of date would be trusted on the next link.
  ///
  /// - Parameter observer: called on the bearer's executor; replaces the one before.
  public func observeDatabase(_ observer: @escaping @Sendable () -> Void) {
    databaseObserver = observer
  }

  /// Reads the server's Database Hash.
  ///
  /// - Returns: nil if it has none.
  /// - Throws: `unexpectedAnswer`, `closed`, `cancelled`, `security`.
  public func readDatabaseHash() async throws(GATTError) -> DatabaseHash? {
    do throws(GATTError) {
      // There is one at most, so no request follows for what is behind it.
      let response = try await request(
        .readByType(.all, type: .databaseHash), .withinDiscovery)
      guard case .readByType(let items) = response else {
        throw unexpected(response, to: .readByTypeRequest)
      }
      return items.first.flatMap { DatabaseHash($0.value) }
    } catch .att {
      return nil
    }
  }

  /// Subscribes to Service Changed, and asks for robust caching and for values of several handles
  /// in one PDU (Core 5.4, Vol 3, Part G, 7.1 and 7.2).
  ///
  /// Up to 2 requests, for which nothing has to wait. What the server lacks is skipped, what it
  /// refuses is reported (``ATTDiagnostic/conveniencesRefused(_:)``).
  ///
  /// - Throws: `closed`, `cancelled`.
  public func watchForServiceChanges() async throws(GATTError) {
    do throws(GATTError) {
      if let features = known.database.characteristic(.clientSupportedFeatures) {
        try await write([Self.robustCaching | Self.multipleNotifications], to: features.handle)
      }
    } catch {
      try tolerate(error)
    }
    do throws(GATTError) {
      if let changed = known.database.characteristic(.serviceChanged) {
        try await enable(changed)
      }
    } catch {
      try tolerate(error)
    }
  }

  /// Bits of Client Supported Features (Core 5.4, Vol 3, Part G, table 7.6).
  private static let robustCaching: UInt8 = 0x01
  private static let multipleNotifications: UInt8 = 0x04

  /// Reports that the server refused a convenience, and goes on without it.
  func tolerate(_ error: GATTError) throws(GATTError) {
    switch error {
    case .closed, .cancelled: throw error
    default: options.report?(.conveniencesRefused(error))
    }
  }
}
