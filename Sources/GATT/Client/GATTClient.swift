public import Bluetooth
public import BluetoothCodec

/// A GATT client on one ATT bearer (Core 5.4, Vol 3, Part G).
///
/// ```swift
/// let client = GATTClient(bearer: bearer)
/// try await client.exchangeMTU()
/// try await client.discover(using: nil)
/// if let level = await client.database.characteristic(.bit16(0x2A19)) {
///   print("battery: \(try await client.read(level.handle)) %")
///   for try await change in try await client.subscribe(to: level) {
///     print("battery: \(change.value) %")
///   }
/// }
/// await client.close()
/// ```
///
/// It runs on the bearer's executor: an actor with the same ``unownedExecutor`` reads and writes
/// without a thread hop. It starts to receive with its first request, so that ``values(of:)`` called
/// before that misses nothing. The owner of a client closes it: it lives as long as its bearer.
///
/// All procedures throw ``GATTError``. A caller that is cancelled while it waits gets `.cancelled`
/// at once, and the bearer stays usable; what several callers may wait for (the MTU, security, a
/// subscription, a discovery after Service Changed) goes on to its end.
///
/// After Service Changed no handle of the changed range is used before the range is discovered
/// again (Core 5.4, Vol 3, Part G, 2.5.2): a request that names one waits for that, and throws
/// `.servicesChanged` if the handle means something else now.
public actor GATTClient {
  /// The bearer; closing the client closes it.
  public nonisolated let bearer: any Bearer
  public nonisolated let options: GATTOptions
  /// The ranges whose services have changed; finishes with the bearer.
  ///
  /// For a single consumer.
  ///
  /// A range is sent after it was discovered again and its subscriptions have moved, or after that
  /// failed (``ATTDiagnostic/rediscoveryFailed(_:)``). Other handles have to be looked up.
  public nonisolated let serviceChanges: AsyncStream<ATTHandleRange>

  private nonisolated let executor: UnownedSerialExecutor
  private let replyExecutor: any SerialExecutor
  private let clock: any Clock<Duration>
  private let timeline: ElapsedClock
  private let serviceChangeSink: AsyncStream<ATTHandleRange>.Continuation

  private lazy var requests = ATTRequests(on: bearer, timeline: timeline, options: options) {
    [weak self] in
    Task { await self?.requestWasSent() }
  }
  private var isListening = false
  /// Exists while a request is outstanding, and until its next wake-up.
  private var deadlineWatch: Task<Void, Never>?
  private var operations: [Operation: Job] = [:]
  /// How often security was raised with success.
  private var raises = 0
  private var known = DatabaseState()
  private var subscribers = Subscribers()
  private let discoveries = AsyncMutex()
  private var databaseObserver: (@Sendable () -> Void)?

  let longWrites = AsyncMutex()
  var unsupported = UnsupportedProcedures()

  /// Requests that were refused, and sent again after what was in their way was removed.
  ///
  /// What was sent meanwhile may have been refused for the same reason, and without a word.
  public private(set) var repetitions = 0

  /// - Parameters:
  ///   - bearer: a connected ATT bearer that nothing else receives from.
  ///   - clock: measures the 30 s that an answer may take.
  public init(
    bearer: any Bearer, clock: any Clock<Duration> = ContinuousClock(),
    options: GATTOptions = GATTOptions()
  ) {
    self.bearer = bearer
    self.options = options
    self.clock = clock
    timeline = ElapsedClock(clock)
    executor = bearer.executor.asUnownedSerialExecutor()
    replyExecutor = bearer.executor
    (serviceChanges, serviceChangeSink) = AsyncStream.makeStream(
      bufferingPolicy: .bufferingNewest(16))
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor }

  /// ATT_MTU in bytes; 23 until it is exchanged.
  public var mtu: Int { requests.mtu }

  /// Requests sent so far.
  public var requestCount: Int { requests.statistics.requests }

  /// Counters of the bearer; never reset.
  public var statistics: ATTStatistics { requests.statistics }

  /// Why the bearer is closed; nil while it is open.
  public var closed: BearerClosed? { requests.closed }

  /// Suspends until no task waits for a deadline; for tests of idleness.
  package func deadlineWatchEnds() async { await deadlineWatch?.value }

  /// Ends the link; all pending calls throw `.closed` with this reason.
  public func close(_ reason: BearerClosed.Reason = .user) { take(requests.close(reason)) }

  // MARK: - Driving the engine

  /// Sends one request and waits for its answer, as it is.
  func answer(
    to request: ATTRequest, _ policy: RetryPolicy = .withinDiscovery
  ) async -> ATTRequests.Answer {
    if Task.isCancelled { return .failure(.cancelled) }
    listen()
    let (id, promise, events) = requests.send(request, policy)
    take(events)
    watchDeadline()
    return await withTaskCancellationHandler {
      // Named, so that this closure is isolated to the actor and nothing hops.
      _ = self
      return await promise.value ?? .failure(.cancelled)
    } onCancel: {
      Task { await cancel(id) }
    }
  }

  private func cancel(_ id: ATTRequestID) { take(requests.cancel(id)) }

  /// Starts to receive, once; what the bearer has kept until now is delivered first.
  func listen() {
    guard !isListening else { return }
    isListening = true
    bearer.deliver { received in self.assumeIsolated { $0.receive(received) } }
  }

  private func receive(_ received: Result<Bytes, BearerClosed>) { take(requests.receive(received)) }

  private func take(_ events: [ATTRequests.Event]) {
    for event in events {
      switch event {
      case .value(let value, let isIndication): deliver(value, isIndication: isIndication)
      case .closed(let closed): end(closed)
      }
    }
  }

  private func end(_ closed: BearerClosed) {
    deadlineWatch?.cancel()
    let receivers = subscribers.receivers.values.joined()
    subscribers = Subscribers()
    for receiver in receivers { receiver.end(.closed(closed)) }
    serviceChangeSink.finish()
  }

  private func requestWasSent() {
    requests.requestWasSent()
    watchDeadline()
  }

  /// One task for all requests, re-armed when it wakes: a task for each would cost more than the
  /// request.
  private func watchDeadline() {
    guard deadlineWatch == nil, requests.nextDeadline != nil else { return }
    deadlineWatch = Task { await sleepUntilDeadline() }
  }

  private func sleepUntilDeadline() async {
    while let deadline = requests.nextDeadline, !Task.isCancelled {
      let rest = deadline - timeline.elapsed
      if rest <= .zero {
        take(requests.checkDeadline())
      } else {
        try? await clock.sleep(for: rest)
      }
    }
    deadlineWatch = nil
  }

  // MARK: - Shared operations

  /// What runs at most once at a time, and whose outcome is shared by all who want it meanwhile.
  private enum Operation {
    case mtuExchange, securityRaise, resynchronisation, rediscovery
  }

  private typealias Job = Task<Result<Void, GATTError>, Never>

  /// Starts an operation, unless it runs; it ends by itself, also if every caller is cancelled.
  @discardableResult
  private func start(
    _ operation: Operation,
    _ body: @escaping @Sendable (isolated GATTClient) async throws(GATTError) -> Void
  ) -> Job {
    if let running = operations[operation] { return running }
    let job = Job {
      defer { operations[operation] = nil }
      do throws(GATTError) {
        try await body(self)
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    operations[operation] = job
    return job
  }

  /// Waits for a job's end, or for the caller's cancellation.
  private func wait(for job: Job) async throws(GATTError) {
    let promise = ResponsePromise<Result<Void, GATTError>>(on: replyExecutor)
    Task { promise.fulfil(await job.value) }
    let outcome = await withTaskCancellationHandler {
      _ = self
      return await promise.value ?? .failure(.cancelled)
    } onCancel: {
      promise.fulfil(.failure(.cancelled))
    }
    try outcome.get()
  }

  // MARK: - Requests

  /// Sends a request, removes what is in its way, and repeats it.
  ///
  /// - Throws: the server's last error, `security` where the link could not be protected,
  ///   `servicesChanged` where a handle means something else now, `closed`, `cancelled`.
  func request(
    _ request: ATTRequest, _ policy: RetryPolicy = .full
  ) async throws(GATTError) -> ATTResponse {
    var highest = SecurityLevel.low
    var isResynchronised = false
    while true {
      if policy == .full { try await settle(request.handles) }
      let (changes, before, raises) = (known.changes, known.database, raises)
      let result = await answer(to: request, policy)
      if policy == .full, known.changes != changes {
        try await confirm(request.handles, since: before)
      }
      switch result {
      case .success(let response): return response
      // It was not sent, and its handles mean the same as before.
      case .failure(.servicesChanged) where policy == .full: continue
      case .failure(.att(let error)) where error.code.isCuredBySecurity:
        try await raiseSecurity(over: error, since: raises, &highest)
      case .failure(.att(let error)) where error.code == .databaseOutOfSync && !isResynchronised:
        isResynchronised = true
        if policy == .full { try await resynchronise(for: request, error) }
      case .failure(let error): throw error
      }
      repetitions += 1
    }
  }

  func unexpected(_ response: ATTResponse, to request: ATTOpcode) -> GATTError {
    .unexpectedAnswer("\(response.opcode) to \(request)")
  }

  /// Counts Service Changed, for procedures of several requests that a change must not cut in two.
  var serviceChangeCount: UInt64 { known.changes }

  // MARK: - MTU

  /// Exchanges ATT_MTU with the server, once per bearer (Core 5.4, Vol 3, Part G, 4.3.1).
  ///
  /// - Returns: ATT_MTU in bytes; 23 if the server does not know the request.
  /// - Throws: `att` for any other error, which leaves 23 bytes; `closed`, `cancelled`.
  @discardableResult
  public func exchangeMTU() async throws(GATTError) -> Int {
    // Sent at most once (Core 5.4, Vol 3, Part F, 3.4.2.1), also after an error.
    if requests.hasAskedForMTU, operations[.mtuExchange] == nil { return requests.mtu }
    if Task.isCancelled { throw .cancelled }
    try await wait(
      for: start(.mtuExchange) { client throws(GATTError) in
        switch await client.answer(to: .exchangeMTU(clientMTU: client.options.mtu)) {
        case .success: return
        case .failure(.att(let error)) where error.code == .requestNotSupported: return
        case .failure(let error): throw error
        }
      })
    return requests.mtu
  }

  // MARK: - Security

  /// Raises security to the next level that may satisfy `error`, as BlueZ does: medium, high, fips.
  ///
  /// - Parameters:
  ///   - raises: as counted when the request was sent: more since are worth a repetition.
  ///   - highest: the level that this request has asked for; never asked for twice.
  private func raiseSecurity(
    over error: ATTErrorResponse, since raises: Int, _ highest: inout SecurityLevel
  ) async throws(GATTError) {
    guard self.raises == raises else { return }
    if let running = operations[.securityRaise] { return try await wait(for: running) }
    let present = max(await bearer.security, highest)
    guard let wanted = error.code.security(above: present), wanted <= options.highestSecurity
    else { throw .att(error) }
    highest = wanted
    try await wait(
      for: start(.securityRaise) { client throws(GATTError) in
        do throws(SecurityFailure) {
          try await client.bearer.raiseSecurity(to: wanted)
        } catch .closed(let closed) {
          throw .closed(closed)
        } catch {
          throw .security(error)
        }
        client.raises += 1
      })
  }

  // MARK: - Discovery

  /// The attributes of the peripheral that are known.
  public var database: Database { known.database }

  /// Discovers all services and their characteristics: the whole structure.
  ///
  /// One request for each page of up to 85 services or 73 characteristics (16-bit types, MTU 517),
  /// and at most one more for each list's end: the characteristics of all services are one sweep
  /// over the whole range. Secondary services are asked for only if that sweep finds
  /// characteristics outside of the primary ones. Descriptors are not asked for; where a
  /// characteristic that can notify has room for exactly one descriptor, that is its client
  /// configuration. The others come by ``discoverDescriptors(of:)``.
  ///
  /// - Throws: `listTooLong` for a server that would need hundreds of requests, and what ends a
  ///   request.
  @discardableResult
  public func discoverAll() async throws(GATTError) -> Database {
    try await discoverServices()
    return try await discoverCharacteristics()
  }

  /// Discovers all primary services.
  ///
  /// - Throws: as ``discoverAll()``.
  @discardableResult
  public func discoverServices() async throws(GATTError) -> [Service] {
    try await discoveries.lock()
    defer { discoveries.unlock() }
    known.beginDiscovery()
    known.database = Database(services: try await services(.primaryService, in: .all))
    return known.database.services
  }

  /// Discovers the primary services of one type, without looking at others.
  ///
  /// The server compares the bytes of a declaration: a type of the Bluetooth Base UUID is asked for
  /// in 16 bits and in 128, because either form may stand there (Core 5.4, Vol 3, Part G, 3.1).
  ///
  /// - Returns: what was found; it is not added to ``database``.
  /// - Throws: as ``discoverAll()``.
  public func discoverServices(_ uuid: BluetoothUUID) async throws(GATTError) -> [Service] {
    var ranges = try await rangesOfServices(withValue: Bytes(uuid.littleEndianBytes))
    if uuid.short16 != nil {
      ranges += try await rangesOfServices(withValue: Bytes(uuid.longLittleEndianBytes))
    }
    return ranges.sorted { $0.start < $1.start }.map { Service(uuid: uuid, range: $0) }
  }

  /// Discovers the characteristics of all known services, and the secondary services.
  ///
  /// - Throws: as ``discoverAll()``.
  @discardableResult
  public func discoverCharacteristics() async throws(GATTError) -> Database {
    try await discoveries.lock()
    defer { discoveries.unlock() }
    let services = try await withCharacteristics(known.database.services, in: .all)
    known.database = Database(services: services)
    if let moved = known.endDiscovery() {
      await moveSubscriptions(in: moved.range, from: moved.database)
    }
    takeUpChanges()
    return known.database
  }

  /// Discovers the services that `service` includes, and remembers them with it.
  ///
  /// - Throws: as ``discoverAll()``.
  public func discoverIncludedServices(
    of service: Service
  ) async throws(GATTError) -> [IncludedService] {
    var included: [IncludedService] = []
    for item in try await valuesByType(.include, in: service.range) {
      var reader = ByteReader(item.value, of: "include declaration")
      let range: ATTHandleRange
      let short: BluetoothUUID?
      do throws(MalformedBytes) {
        range = ATTHandleRange(start: try reader.uint16(), end: try reader.uint16())
        short = reader.isAtEnd ? nil : try reader.uuid(2)
      } catch {
        throw .unexpectedAnswer("\(error)")
      }
      // A 128-bit type does not fit into the declaration: it is the included service's own value.
      var type = short
      if type == nil { type = try uuid(of: try await read(range.start)) }
      guard let type else { continue }
      included.append(IncludedService(handle: item.handle, range: range, uuid: type))
    }
    known.database.update(service.range.start) { $0.includedServices = included }
    return included
  }

  /// Discovers the descriptors of some characteristics: one sweep over all of them.
  ///
  /// - Returns: the descriptors by their characteristic's handle; also added to ``database``.
  /// - Throws: as ``discoverAll()``.
  @discardableResult
  public func discoverDescriptors(
    of characteristics: [Characteristic]
  ) async throws(GATTError) -> [UInt16: [Descriptor]] {
    try await discoverDescriptors(of: characteristics, .full)
  }

  private func discoverDescriptors(
    of characteristics: [Characteristic], _ policy: RetryPolicy
  ) async throws(GATTError) -> [UInt16: [Descriptor]] {
    let ranges = characteristics.compactMap(\.descriptorRange)
    var attributes: [ATTInformation] = []
    if let start = ranges.map(\.start).min(), let end = ranges.map(\.end).max() {
      attributes = try await information(in: ATTHandleRange(start: start, end: end), policy)
    }
    var found: [UInt16: [Descriptor]] = [:]
    for characteristic in characteristics {
      let range = characteristic.descriptorRange
      let own = attributes.filter { range?.contains($0.handle) ?? false }
        .map { Descriptor(uuid: $0.type, handle: $0.handle) }
      found[characteristic.handle] = own
      known.database.update(characteristic) { $0.descriptors = own }
    }
    return found
  }

  // MARK: - Caching

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
  private func tolerate(_ error: GATTError) throws(GATTError) {
    switch error {
    case .closed, .cancelled: throw error
    default: options.report?(.conveniencesRefused(error))
    }
  }

  // MARK: - Service Changed

  /// Discoveries of a range that changes again meanwhile, before they are given up.
  private static let mostRounds = 8

  /// Suspends until everything that Service Changed named so far is discovered again.
  ///
  /// - Throws: why that failed; the next request for one of these handles tries again.
  public func servicesSettled() async throws(GATTError) {
    guard known.stale != nil else { return }
    try await wait(for: startRediscovery())
  }

  /// Takes in what Service Changed said before its handle, or the services, were known.
  private func takeUpChanges() {
    for value in known.takeEarly() { serviceChanged(value) }
    if known.stale != nil { startRediscovery() }
  }

  /// Takes the value of a Service Changed indication: the range that is not what it was.
  private func serviceChanged(_ value: Bytes) {
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
    take(requests.withdraw { $1 == .full && known.isStale($0.handles) })
    startRediscovery()
  }

  @discardableResult
  private func startRediscovery() -> Job {
    start(.rediscovery) { client throws(GATTError) in try await client.rediscover() }
  }

  /// Discovers the stale range again, until nothing more changes, and moves its subscriptions.
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
        // Between the two parts of a full discovery nothing is known of characteristics.
        if wasDiscovered { await moveSubscriptions(in: range, from: before) }
      } catch {
        options.report?(.rediscoveryFailed(error))
        serviceChangeSink.yield(changed)
        throw error
      }
      serviceChangeSink.yield(changed)
    }
    let error = GATTError.unexpectedAnswer("services that change while they are discovered")
    options.report?(.rediscoveryFailed(error))
    throw error
  }

  /// Discovers a changed range, widened to whole services, old and new.
  ///
  /// The service before the range is asked for, too: it may reach into the range now.
  ///
  /// - Returns: the range that the services fill or have filled, and those that are there now.
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
    guard let end = primary.last?.range.end else { return Database() }
    let whole = ATTHandleRange(start: range.start, end: max(range.end, end))
    return Database(services: try await withCharacteristics(primary, in: whole))
  }

  /// Lets values arrive where the characteristic is now, wherever its handle was before.
  private func moveSubscriptions(in range: ATTHandleRange, from before: Database) async {
    // All are taken out before one is put back: the new handle of one may be another's old one.
    var moved: [(characteristic: Characteristic, receivers: [any ValueReceiver])] = []
    for entry in subscribers.removeAll(in: range) {
      guard let path = before.path(of: entry.handle),
        let characteristic = known.database.characteristic(at: path)
      else {
        for receiver in entry.receivers { receiver.end(.servicesChanged) }
        continue
      }
      subscribers.add(entry.receivers, at: characteristic.handle)
      if entry.isEnabled { moved.append((characteristic, entry.receivers)) }
    }
    for (characteristic, receivers) in moved {
      do throws(GATTError) {
        try await enable(characteristic, .withinDiscovery)
      } catch {
        if receivers.isEmpty { try? tolerate(error) }
        for receiver in receivers {
          receiver.end(error)
          _ = subscribers.remove(receiver)
        }
      }
    }
  }

  /// Waits until handles may be used; throws `servicesChanged` if one means something else then.
  func settle(_ handles: @autoclosure () -> [UInt16]) async throws(GATTError) {
    guard known.isStale(handles()) else { return }
    try await confirm(handles(), since: known.database)
  }

  /// Throws `servicesChanged` unless handles mean what they meant in `before`.
  private func confirm(_ handles: [UInt16], since before: Database) async throws(GATTError) {
    if known.isStale(handles) { try await servicesSettled() }
    guard handles.allSatisfy({ before.path(of: $0) == known.database.path(of: $0) }) else {
      throw .servicesChanged
    }
  }

  /// Finds the database again after the server refused a request with Database Out Of Sync.
  ///
  /// - Throws: `servicesChanged` if its handles mean something else now, and `error` for prepared
  ///   parts, of which the server may have dropped some.
  private func resynchronise(
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

  // MARK: - Subscriptions

  /// Receives a value without asking the server to send it.
  ///
  /// For a bonded server, which keeps what an earlier connection configured; to be called before
  /// the first request, so that nothing is missed.
  public func values(of handle: UInt16) -> Subscription {
    let queue = ValueQueue(capacity: options.subscriptionCapacity)
    add(queue, at: handle)
    return Subscription(handle: handle, values: queue)
  }

  /// Hands each value to a function, without asking the server to send it.
  ///
  /// Like ``values(of:)``, but without a queue between: the function is called on the client's
  /// executor while the PDU is received, so an actor on that executor takes a value before anything
  /// that arrived later. It must not block.
  ///
  /// - Parameter receive: takes values, and at last why no more follow.
  public func deliverValues(
    of handle: UInt16, to receive: @escaping @Sendable (Result<Bytes, GATTError>) -> Void
  ) {
    add(ValueCallback(receive), at: handle)
  }

  private func add(_ receiver: some ValueReceiver, at handle: UInt16) {
    if let closed = requests.closed { receiver.end(.closed(closed)) }
    subscribers.add([receiver], at: handle)
  }

  /// Asks the server to send a value: by notifications, or by indications if there are only those.
  ///
  /// Costs one request (Write Request to the client configuration), none for a further subscriber,
  /// and one more where the configuration's handle is neither known nor can be inferred.
  ///
  /// - Throws: `notSupported` if the characteristic cannot notify or indicate, and what ends a
  ///   request.
  public func subscribe(
    to characteristic: Characteristic
  ) async throws(GATTError) -> Subscription {
    let subscription = values(of: characteristic.handle)
    try await enable(characteristic, for: subscription.values)
    return subscription
  }

  /// Asks the server to send a value, and hands each to a function.
  ///
  /// - Parameter receive: as of ``deliverValues(of:to:)``.
  /// - Throws: as ``subscribe(to:)``.
  public func subscribe(
    to characteristic: Characteristic,
    deliveringTo receive: @escaping @Sendable (Result<Bytes, GATTError>) -> Void
  ) async throws(GATTError) {
    let receiver = ValueCallback(receive)
    add(receiver, at: characteristic.handle)
    try await enable(characteristic, for: receiver)
  }

  private func enable(
    _ characteristic: Characteristic, for receiver: some ValueReceiver
  ) async throws(GATTError) {
    do throws(GATTError) {
      try await enable(characteristic)
    } catch {
      _ = subscribers.remove(receiver)
      receiver.end(error)
      throw error
    }
  }

  /// Ends a subscription; for the last one of a value the server is asked to stop.
  ///
  /// - Throws: what ends a request; the subscription has ended all the same.
  public func unsubscribe(_ subscription: Subscription) async throws(GATTError) {
    subscription.values.end(nil)
    guard let handle = subscribers.remove(subscription.values),
      let characteristic = subscribers.disable(handle)
    else { return }
    try await configure(characteristic, [0, 0])
  }

  /// Asks the server to send a value, without waiting for the answer.
  ///
  /// The request has been handed over when this returns, unless others are before it or the
  /// configuration's handle has to be looked up; what is sent next reaches the server behind it.
  /// For values that are received already (``values(of:)``).
  ///
  /// - Returns: the outcome of the request.
  /// - Throws: `notSupported` if the characteristic cannot notify or indicate, or has no
  ///   configuration.
  public func ask(
    for characteristic: Characteristic
  ) throws(GATTError) -> Task<Result<Void, GATTError>, Never> {
    try ask(for: characteristic, .full)
  }

  private func ask(
    for characteristic: Characteristic, _ policy: RetryPolicy
  ) throws(GATTError) -> Job {
    guard let configuration = characteristic.properties.configuration else {
      throw .notSupported("notify or indicate")
    }
    let handle = characteristic.handle
    if let asked = subscribers.enabled[handle] { return asked.write }
    // Thrown here, so that the task below has at least one request to wait for.
    if let known = characteristic.descriptors,
      !known.contains(where: { $0.uuid == .clientConfiguration })
    {
      throw .notSupported("client characteristic configuration")
    }
    let id = subscribers.newID()
    // Outside of the caller's task: others may wait for the same write.
    let write = Job.immediate { () -> Result<Void, GATTError> in
      do throws(GATTError) {
        try await configure(characteristic, configuration, policy)
        return .success(())
      } catch {
        subscribers.disable(handle, id: id)
        return .failure(error)
      }
    }
    subscribers.enable(
      Subscribers.Enabled(id: id, characteristic: characteristic, write: write))
    return write
  }

  /// Lets the server send a value, unless it does so already.
  private func enable(
    _ characteristic: Characteristic, _ policy: RetryPolicy = .full
  ) async throws(GATTError) {
    try await wait(for: ask(for: characteristic, policy))
  }

  /// Writes the client characteristic configuration (Core 5.4, Vol 3, Part G, 3.3.3.3).
  private func configure(
    _ characteristic: Characteristic, _ configuration: Bytes, _ policy: RetryPolicy = .full
  ) async throws(GATTError) {
    var known = characteristic
    if known.descriptors == nil {
      let found = try await discoverDescriptors(of: [characteristic], policy)
      known.descriptors = found[characteristic.handle]
    }
    guard let descriptor = known.descriptor(.clientConfiguration) else {
      throw .notSupported("client characteristic configuration")
    }
    _ = try await request(.write(handle: descriptor.handle, value: configuration), policy)
  }

  private func deliver(_ value: ATTHandleValue, isIndication: Bool) {
    let isServiceChanged = value.handle == known.serviceChangedHandle
    if isServiceChanged { serviceChanged(value.value) }
    guard let receivers = subscribers.receivers[value.handle] else {
      if !isServiceChanged, !(isIndication && known.keepEarly(value)) {
        options.report?(.unclaimedValue(handle: value.handle))
      }
      return
    }
    for receiver in receivers {
      let lost = receiver.append(value.value, isIndication: isIndication)
      if lost > 0 { options.report?(.valuesLost(handle: value.handle, count: lost)) }
    }
  }
}
