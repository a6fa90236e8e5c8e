public import BluetoothCodec

extension GATTClient {
  /// Gets the database with the fewest requests: from a cache if that is proved, or by discovery.
  ///
  /// | requests | when |
  /// | --- | --- |
  /// | 0 | the cache is that of a bonded server, on an encrypted link |
  /// | 1 | the cache has the server's Database Hash |
  /// | 1 + pages of services + pages of characteristics, usually 3 to 5 | otherwise |
  ///
  /// A bonded server indicates Service Changed right after encryption if its services changed (Core
  /// 5.4, Vol 3, Part G, 7.1). Call this before any request and ``resume(reading:)`` after the
  /// first, so that the indication is not lost. The hash is read before the discovery: if the
  /// database changes in between, the resulting cache fails its next proof.
  ///
  /// - Parameters:
  ///   - isBonded: whether the link is encrypted with a key that existed when `cache` was made.
  ///   - handles: values of `cache` to read in the request for the hash.
  /// - Returns: The source of the database, and those of `handles` that were read whole, which only
  ///   a cache with the same hash has.
  @discardableResult
  public func discover(
    using cache: GATTCache? = nil, isBonded: Bool = false, reading handles: [UInt16] = [],
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

  /// Reads values of a cache together with the Database Hash, or returns nil without a proof.
  ///
  /// If the handles are outdated, the expected hash is not among the values. The request never
  /// raises security, because an outdated handle may be that of a protected value.
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

  /// Reads the state that a bonded server keeps between links, and other values, in one request.
  ///
  /// State that the server still has is not written again: configurations of notifications and
  /// indications, and Client Supported Features (Core 5.4, Vol 3, Part G, 3.3.3.3 and 7.2). Some
  /// servers keep the key and lose this state. If the Database Hash differs from the cache's, the
  /// services are discovered again.
  ///
  /// Call this after the first request on a link whose database is that of a bond.
  ///
  /// - Parameter handles: the handles of values and of client configurations.
  /// - Returns: Those of `handles` that were read whole.
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
        // The values are then read individually when needed.
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

  /// The cache for the next connection, or nil unless a discovery was complete and is still valid.
  public var cache: GATTCache? {
    known.isComplete ? GATTCache(hash: known.hash, database: known.database) : nil
  }

  /// Sets a function to call when Service Changed arrives, and when the changed services are known.
  ///
  /// ``cache`` is nil in between, and a stored cache must be deleted: the server indicates a change
  /// only once, so the next link would trust the outdated database.
  ///
  /// - Parameter observer: called on the bearer's executor; replaces the one before.
  public func observeDatabase(_ observer: @escaping @Sendable () -> Void) {
    databaseObserver = observer
  }

  /// Reads the server's Database Hash, or returns nil if there is none or it is protected.
  public func readDatabaseHash() async throws(GATTError) -> DatabaseHash? {
    do throws(GATTError) {
      // There is one at most, so nothing is requested beyond it.
      let response = try await request(
        .readByType(.all, type: .databaseHash), .withinDiscovery)
      guard case .readByType(let items) = response else {
        throw unexpected(response, to: .readByTypeRequest)
      }
      return items.first.flatMap { DatabaseHash($0.value) }
    } catch {
      switch error {
      case .closed, .cancelled: throw error
      default: return nil
      }
    }
  }

  /// Subscribes to Service Changed, and enables robust caching and multiple notifications per PDU.
  ///
  /// Up to 2 requests are sent (Core 5.4, Vol 3, Part G, 7.1 and 7.2). Rejected features are
  /// reported (``ATTDiagnostic/conveniencesRefused(_:)``).
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

  private static let robustCaching: UInt8 = 0x01
  private static let multipleNotifications: UInt8 = 0x04

  /// Reports that the server rejected an optional feature; throws if the bearer is unusable.
  func tolerate(_ error: GATTError) throws(GATTError) {
    switch error {
    case .closed, .cancelled: throw error
    default: options.report?(.conveniencesRefused(error))
    }
  }
}
