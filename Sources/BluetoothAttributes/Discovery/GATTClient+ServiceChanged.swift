public import BluetoothCodec

extension GATTClient {
  /// The number of discoveries of a changing range before it is given up.
  private static let mostRounds = 8

  /// Waits until all ranges in Service Changed are discovered again and subscriptions have moved.
  public func servicesSettled() async throws(GATTError) {
    guard known.stale != nil || isRunning(.rediscovery) else { return }
    try await wait(for: startRediscovery())
  }

  func applyPendingChanges() {
    for value in known.removeEarly() { serviceChanged(value) }
    if known.stale != nil { startRediscovery() }
  }

  func serviceChanged(_ value: Bytes) {
    var reader = ByteReader(value, of: "Service Changed")
    let range: ATTHandleRange
    do throws(MalformedBytes) {
      range = ATTHandleRange(start: max(1, try reader.uint16()), end: try reader.uint16())
      guard range.start <= range.end else {
        throw reader.malformed(.badValue(UInt64(range.end)), at: 2)
      }
    } catch {
      options.report?(.malformed(error, pdu: value))
      return
    }
    known.markStale(range)
    databaseObserver?()
    withdrawStaleRequests()
    startRediscovery()
  }

  @discardableResult
  private func startRediscovery() -> Job {
    start(.rediscovery) { client throws(GATTError) in try await client.rediscover() }
  }

  /// Discovers the outdated range again until nothing more changes, and moves its subscriptions.
  private func rediscover() async throws(GATTError) {
    try await discoveries.lock()
    defer { discoveries.unlock() }
    for _ in 0..<Self.mostRounds {
      guard let changed = known.stale else { return }
      let before = known.database
      let wasDiscovered = known.isDiscovered
      do throws(GATTError) {
        let changes = known.changes
        let hash = known.hash == nil ? nil : try await readDatabaseHash()
        let (range, services) = try await wholeServices(touching: changed)
        known.replace(range, by: services, hash: hash, ifUnchangedSince: changes)
        databaseObserver?()
        // Between the two parts of a full discovery, no characteristics are known.
        if wasDiscovered { await moveSubscriptions(in: range, from: before) }
      } catch {
        options.report?(.rediscoveryFailed(error))
        serviceChangeSink.yield(changed)
        throw error
      }
      serviceChangeSink.yield(changed)
    }
    let error = GATTError.unexpectedResponse("services that change while they are discovered")
    options.report?(.rediscoveryFailed(error))
    throw error
  }

  /// Discovers a changed range, widened to whole services, old and new, and returns both.
  ///
  /// The service before the range is included, because it may reach into the range now.
  private func wholeServices(
    touching changed: ATTHandleRange
  ) async throws(GATTError) -> (ATTHandleRange, [Service]) {
    let before = known.database
    var range = before.wholeServices(touching: changed)
    for _ in 0..<Self.mostRounds {
      let asked = before.withServiceBefore(range)
      let found = try await structure(in: asked)
      let wider = before.range(range, widenedBy: found, in: asked)
      if wider == range { return (range, found.services.filter { $0.range.overlaps(range) }) }
      range = wider
    }
    return (.all, try await structure(in: .all).services)
  }

  private func structure(in range: ATTHandleRange) async throws(GATTError) -> Database {
    let primary = try await services(.primaryService, in: range)
    // Even without a primary service, the range may have secondary ones.
    let whole = primary.last.map { range.union($0.range) } ?? range
    return Database(services: try await withCharacteristics(primary, in: whole))
  }

  /// Waits until handles may be used; throws `servicesChanged` if one has another meaning then.
  func settle(_ handles: @autoclosure () -> [UInt16]) async throws(GATTError) {
    guard known.isStale(handles()) else { return }
    try await confirm(handles(), since: known.database)
  }

  /// Throws `servicesChanged` unless handles have the same meaning as in `before`.
  func confirm(_ handles: [UInt16], since before: Database) async throws(GATTError) {
    for _ in 0..<Self.mostRounds {
      if known.isStale(handles) { try await servicesSettled() }
      guard let owner = ownerOfForgottenDescriptor(among: handles, since: before) else { break }
      try await discoverDescriptors(of: [owner], .withinDiscovery)
    }
    guard !known.isStale(handles),
      handles.allSatisfy({ before.path(of: $0) == known.database.path(of: $0) })
    else { throw .servicesChanged }
  }

  /// Returns a rediscovered characteristic whose descriptors are unknown, but include a handle.
  private func ownerOfForgottenDescriptor(
    among handles: [UInt16], since before: Database
  ) -> Characteristic? {
    for handle in handles where before.path(of: handle)?.descriptor != nil {
      let owner = known.database.services.lazy.flatMap(\.characteristics)
        .first { $0.descriptorRange?.contains(handle) ?? false }
      if let owner, owner.descriptors == nil { return owner }
    }
    return nil
  }

  /// Discovers the database again after the server's error Database Out Of Sync.
  ///
  /// - Throws: `servicesChanged` if the handles have another meaning now, and `error` for prepared
  ///   parts, which the server may have dropped.
  func resynchronise(
    for request: ATTRequest, _ error: ATTErrorResponse
  ) async throws(GATTError) {
    let before = known.database
    try await wait(
      for: start(.resynchronisation) { client throws(GATTError) in
        let hash = try await client.readDatabaseHash()
        if let hash, hash == client.known.hash { return }
        if client.known.hash == nil { client.known.hash = hash }
        client.known.markStale(.all)
        try await client.wait(for: client.startRediscovery())
      })
    guard request.namesItsHandles else { throw .att(error) }
    try await confirm(request.handles, since: before)
  }
}
