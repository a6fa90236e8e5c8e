public import BluetoothCodec

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
  /// ``resume(reading:)`` after the first one. What arrived earlier all the same counts, too.
  ///
  /// The hash is read before the discovery: if the database changes in between, the cache that is
  /// made of it fails its next proof.
  ///
  /// - Parameters:
  ///   - cache: the ``cache`` of an earlier connection.
  ///   - isBonded: whether the link is encrypted with a key that was there when `cache` was made.
  ///   - handles: values of `cache` to read by the request for the hash.
  ///   - onPhase: called when a part of a discovery begins.
  /// - Returns: where the database is from, and of `handles` those that were read whole; only a
  ///   cache with the same hash has any.
  /// - Throws: as ``discoverAll()``.
  @discardableResult
  public func discover(
    using cache: GATTCache?, isBonded: Bool = false, reading handles: [UInt16] = [],
    onPhase: (@Sendable (DiscoveryPhase) -> Void)? = nil
  ) async throws(GATTError) -> (source: DatabaseSource, values: [UInt16: Bytes]) {
    if let cache, isBonded {
      adopt(cache)
      return (.cacheOfBond, [:])
    }
    if let cache, let values = try await prove(cache, reading: handles) {
      adopt(cache)
      return (.cacheWithSameHash, values)
    }
    let hash = try await readDatabaseHash()
    if let cache, let hash, cache.hash == hash {
      adopt(cache)
      return (.cacheWithSameHash, [:])
    }
    onPhase?(.services)
    try await discoverServices()
    onPhase?(.characteristics)
    try await discoverCharacteristics()
    if known.isComplete { known.hash = hash }
    return (.discovery, [:])
  }

  private func adopt(_ cache: GATTCache) {
    known.adopt(cache)
    applyPendingChanges()
  }

  /// Reads values of a cache together with the Database Hash, which proves the handles of both.
  ///
  /// With outdated handles the expected hash is not among the values. The request never raises
  /// security: an outdated handle may be that of a protected value.
  ///
  /// - Returns: what was read whole; nil if the cache is not proved.
  /// - Throws: what makes every request fail: `closed`, `cancelled`.
  private func prove(
    _ cache: GATTCache, reading handles: [UInt16]
  ) async throws(GATTError) -> [UInt16: Bytes]? {
    guard !handles.isEmpty, let expected = cache.hash,
      let hash = cache.database.characteristic(.databaseHash)
    else { return nil }
    let asked = [hash.handle] + handles
    switch await response(to: .readMultipleVariable(handles: asked)) {
    case .success(let response):
      guard let values = try? wholeValues(in: response, of: asked),
        values[hash.handle].flatMap({ DatabaseHash($0) }) == expected
      else { return nil }
      return values
    case .failure(let error):
      try noteRefusal(error)
      return nil
    }
  }

  /// Reads what a bonded server keeps between links, and other values, in one request.
  ///
  /// What it still has is not written again: configurations of notifications and indications, and
  /// Client Supported Features (Core 5.4, Vol 3, Part G, 3.3.3.3 and 7.2). Some servers keep the key
  /// and lose these. With a Database Hash other than the cache's, which a server should have
  /// indicated, its services are discovered again. To be called after the first request on a link
  /// whose database is that of a bond.
  ///
  /// - Parameter handles: of values, and of client configurations.
  /// - Returns: of `handles` those that were read whole.
  /// - Throws: as ``servicesSettled()``.
  public func resume(reading handles: [UInt16]) async throws(GATTError) -> [UInt16: Bytes] {
    let database = known.database
    let hash = known.hash == nil ? nil : database.characteristic(.databaseHash)?.handle
    let features = database.characteristic(.clientSupportedFeatures)?.handle
    let changed = database.characteristic(.serviceChanged)?
      .descriptor(.clientConfiguration)?.handle
    let asked = [hash, features, changed].compactMap(\.self) + handles
    var values: [UInt16: Bytes] = [:]
    if !handles.isEmpty, !unsupported.readMultipleVariable {
      do throws(GATTError) {
        let response = try await request(.readMultipleVariable(handles: asked))
        values = try wholeValues(in: response, of: asked)
      } catch {
        // The values are read one by one then, where they are.
        try noteRefusal(error)
      }
    }
    if let hash, let value = values[hash], DatabaseHash(value) != known.hash {
      known.markStale(.all)
      databaseObserver?()
    }
    try await servicesSettled()
    if known.database != database { values = [:] }
    if let features { known.clientFeatures = values[features]?.first ?? 0 }
    for characteristic in known.database.services.flatMap(\.characteristics) {
      guard let descriptor = characteristic.descriptor(.clientConfiguration),
        let value = values[descriptor.handle], value == characteristic.properties.configuration
      else { continue }
      subscribers.enable(
        Subscribers.Enabled(
          id: subscribers.newID(), characteristic: characteristic, write: Job { .success(()) }))
    }
    return values
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
  /// - Throws: `unexpectedResponse`, `closed`, `cancelled`, `security`.
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
  /// Up to 2 requests, for which nothing has to wait. What the server lacks, or has kept, is
  /// skipped; what it refuses is reported (``ATTDiagnostic/conveniencesRefused(_:)``).
  ///
  /// - Throws: `closed`, `cancelled`.
  public func watchForServiceChanges() async throws(GATTError) {
    do throws(GATTError) {
      let wanted = Self.robustCaching | Self.multipleNotifications
      if let features = known.database.characteristic(.clientSupportedFeatures),
        known.clientFeatures & wanted != wanted
      {
        try await write([wanted], to: features.handle)
        known.clientFeatures |= wanted
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
