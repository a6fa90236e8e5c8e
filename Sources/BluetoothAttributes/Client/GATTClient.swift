public import BluetoothCodec
public import BluetoothRadio

/// A GATT client on one ATT bearer (Core 5.4, Vol 3, Part G).
///
/// It runs on the bearer's executor, so an actor with the same ``unownedExecutor`` reads and writes
/// without a thread hop. It receives from its first request on: ``values(of:)`` before that misses
/// nothing. The owner must close it, as it lives until its bearer is closed.
///
/// A caller that is cancelled gets `.cancelled` at once, and the bearer stays usable. Operations
/// that several callers may share (the MTU, security, a subscription, a discovery after Service
/// Changed) continue to their end.
///
/// After Service Changed, a request for a handle in the changed range waits until the range is
/// discovered again (Core 5.4, Vol 3, Part G, 2.5.2), and throws `.servicesChanged` if the handle
/// then has another meaning.
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
public actor GATTClient {
  /// The bearer, which closing the client closes.
  public nonisolated let bearer: any Bearer
  public nonisolated let options: GATTOptions
  /// The ranges whose services have changed, for a single consumer; finishes with the bearer.
  ///
  /// A range is sent after it was discovered again and its subscriptions have moved, or after that
  /// failed (``ATTDiagnostic/rediscoveryFailed(_:)``). Other handles must be looked up again.
  public nonisolated let serviceChanges: AsyncStream<ATTHandleRange>

  private nonisolated let executor: UnownedSerialExecutor
  package nonisolated let replyExecutor: any SerialExecutor
  private let timeline: ElapsedClock

  private lazy var requests = ATTRequests(
    on: bearer.transport, timeline: timeline, options: options
  ) {
    [weak self] in
    Task { await self?.requestWasSent() }
  }
  private var isListening = false
  /// The timer for deadlines, or nil if no request has been outstanding since its last wake-up.
  private var deadlineWatch: Task<Void, Never>?
  private var operations: [Operation: Job] = [:]
  private var raises = 0
  /// The levels above encryption that were requested on this link; a second attempt would not help.
  private var attemptedLevels: Set<SecurityLevel> = []
  private let pastEnds: [ATTRequest: Int]

  let serviceChangeSink: AsyncStream<ATTHandleRange>.Continuation
  var known = DatabaseState()
  var databaseObserver: (@Sendable () -> Void)?
  let discoveries = AsyncMutex()
  var subscribers = Subscribers()
  let longWrites = AsyncMutex()
  var unsupported = UnsupportedProcedures()

  /// The number of requests that were rejected, and sent again after the obstacle was removed.
  ///
  /// Writes without response that were sent meanwhile may have been rejected silently.
  public private(set) var repetitions = 0

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - bearer: a connected ATT bearer from which nothing else receives.
  ///   - clock: measures the 30 s that a response may take.
  public init(
    bearer: any Bearer, clock: any Clock<Duration> = ContinuousClock(),
    options: GATTOptions = GATTOptions()
  ) {
    self.bearer = bearer
    self.options = options
    pastEnds = options.history.ends
    timeline = ElapsedClock(clock)
    executor = bearer.executor.asUnownedSerialExecutor()
    replyExecutor = bearer.executor
    (serviceChanges, serviceChangeSink) = AsyncStream.makeStream(
      bufferingPolicy: .bufferingNewest(16))
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor }

  /// ATT_MTU in bytes, 23 until it is exchanged.
  public var mtu: Int { requests.mtu }

  /// The number of requests sent so far.
  public var requestCount: Int { requests.statistics.requests }

  public var statistics: ATTStatistics { requests.statistics }

  /// The reason why the bearer is closed, or nil while it is open.
  public var closed: BearerClosed? { requests.closed }

  /// The requests that were not sent because earlier links ended at them.
  public private(set) var omissions: [ATTRequest] = []

  package func deadlineWatchEnds() async { await deadlineWatch?.value }

  /// Closes the bearer; all pending calls throw `.closed` with this reason.
  public func close(_ reason: BearerClosed.Reason = .user) { handle(requests.close(reason)) }

  /// Sends one request and returns its outcome, without any recovery.
  func response(
    to request: ATTRequest, _ recovery: RequestRecovery = .withinDiscovery
  ) async -> ATTRequests.Outcome {
    if Task.isCancelled { return .failure(.cancelled) }
    listen()
    if isGivenUp(request), !isConfiguration(request) { return .failure(omit(request)) }
    let (id, promise, events) = requests.send(request, recovery)
    handle(events)
    watchDeadline()
    let outcome = await withTaskCancellationHandler {
      // Using `self` isolates this closure to the actor, so nothing hops.
      _ = self
      return await promise.value ?? .failure(.cancelled)
    } onCancel: {
      Task { await cancel(id) }
    }
    switch outcome {
    case .success, .failure(.att): options.history.answered(request)
    case .failure: break
    }
    return outcome
  }

  func omit(_ request: ATTRequest) -> GATTError {
    if let closed { return .closed(closed) }
    if !omissions.contains(request) { omissions.append(request) }
    return .att(
      ATTErrorResponse(
        opcode: request.opcode, handle: request.handles.first ?? 0, code: .requestNotSupported))
  }

  func isGivenUp(_ request: ATTRequest) -> Bool {
    pastEnds[request, default: 0] >= RequestHistory.mostEnds
  }

  private func cancel(_ id: ATTRequestID) { handle(requests.cancel(id)) }

  func listen() {
    guard !isListening else { return }
    isListening = true
    bearer.deliver { received in self.assumeIsolated { $0.receive(received) } }
  }

  private func receive(_ received: Result<Bytes, BearerClosed>) {
    handle(requests.receive(received))
  }

  private func handle(_ events: [ATTRequests.Event]) {
    for event in events {
      switch event {
      case .value(let value, let isIndication): deliver(value, isIndication: isIndication)
      case .closed(let closed): end(closed)
      }
    }
  }

  private func end(_ closed: BearerClosed) {
    deadlineWatch?.cancel()
    let unanswered = requests.unanswered.flatMap { isDispensable($0) ? $0 : nil }
    options.history.linkEnded(closed.reason, at: unanswered)
    for receiver in subscribers.removeAll() { receiver.end(.closed(closed)) }
    serviceChangeSink.finish()
  }

  /// Whether each link sends this request and can do without it.
  ///
  /// A user's command, such as a restart, may be meant to end the link. Without the lists of
  /// services and characteristics, the headphone cannot be used.
  private func isDispensable(_ request: ATTRequest) -> Bool {
    switch request {
    case .write(let handle, _):
      isConfiguration(request) || known.database.type(of: handle) == .clientSupportedFeatures
    case .prepareWrite, .executeWrite, .readByGroupType, .readByType(_, .characteristic): false
    default: true
    }
  }

  private func isConfiguration(_ request: ATTRequest) -> Bool {
    guard case .write(let handle, _) = request else { return false }
    return known.database.type(of: handle) == .clientConfiguration
  }

  private func requestWasSent() {
    requests.requestWasSent()
    watchDeadline()
  }

  /// Starts one task for all requests, because a task for each would cost more than the request.
  private func watchDeadline() {
    guard deadlineWatch == nil, requests.nextDeadline != nil else { return }
    deadlineWatch = Task { await sleepUntilDeadline() }
  }

  private func sleepUntilDeadline() async {
    while let deadline = requests.nextDeadline, !Task.isCancelled {
      if deadline <= timeline.elapsed {
        handle(requests.checkDeadline())
      } else {
        try? await timeline.sleep(until: deadline)
      }
    }
    deadlineWatch = nil
  }

  func withdrawStaleRequests() {
    handle(requests.withdraw { $1 == .full && known.isStale($0.handles) })
  }

  /// An operation that runs at most once at a time, and whose callers share its outcome.
  enum Operation {
    case mtuExchange, securityRaise, resynchronisation, rediscovery
  }

  typealias Job = Task<Result<Void, GATTError>, Never>

  /// Starts an operation unless it is running; it continues even if every caller is cancelled.
  @discardableResult
  func start(
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

  func isRunning(_ operation: Operation) -> Bool { operations[operation] != nil }

  func wait(for job: Job) async throws(GATTError) {
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

  /// Sends a request, and repeats it after removing obstacles.
  ///
  /// - Throws: the server's last error, `security` if the link could not be protected,
  ///   `servicesChanged` if a handle has another meaning now, `closed`, `cancelled`.
  func request(
    _ request: ATTRequest, _ recovery: RequestRecovery = .full
  ) async throws(GATTError) -> ATTResponse {
    var highest = SecurityLevel.low
    var resynchronisations = 0
    while true {
      if recovery == .full { try await settle(request.handles) }
      let (changes, before, raises) = (known.changes, known.database, raises)
      let result = await response(to: request, recovery)
      if recovery == .full, known.changes != changes {
        try await confirm(request.handles, since: before)
      }
      switch result {
      case .success(let response): return response
      // The request was not sent, and its handles mean the same as before.
      case .failure(.servicesChanged) where recovery == .full: continue
      case .failure(.att(let error)) where error.code.isCuredBySecurity:
        try await raiseSecurity(over: error, since: raises, &highest)
      // Once for each change of the database, and it may change again meanwhile.
      case .failure(.att(let error))
      where error.code == .databaseOutOfSync && resynchronisations < 3:
        resynchronisations += 1
        if recovery == .full { try await resynchronise(for: request, error) }
      case .failure(let error): throw error
      }
      repetitions += 1
    }
  }

  func unexpected(_ response: ATTResponse, to request: ATTOpcode) -> GATTError {
    .unexpectedResponse("\(response.opcode) to \(request)")
  }

  /// Counts Service Changed, for procedures of several requests that a change must not cut in two.
  package var serviceChangeCount: UInt64 { known.changes }

  /// Exchanges ATT_MTU, once per bearer, and returns it (Core 5.4, Vol 3, Part G, 4.3.1).
  ///
  /// ATT_MTU is 23 bytes if the server rejects the request or its response is invalid.
  @discardableResult
  public func exchangeMTU() async throws(GATTError) -> Int {
    // The request is sent only once (Core 5.4, Vol 3, Part F, 3.4.2.1), even after an error.
    if requests.hasAskedForMTU, operations[.mtuExchange] == nil { return requests.mtu }
    if Task.isCancelled { throw .cancelled }
    try await wait(
      for: start(.mtuExchange) { client throws(GATTError) in
        switch await client.response(to: .exchangeMTU(clientMTU: client.options.mtu)) {
        case .success, .failure(.att), .failure(.unexpectedResponse): return
        case .failure(let error): throw error
        }
      })
    return requests.mtu
  }

  /// Raises security to the next level that may resolve `error`, as BlueZ does: medium, high, fips.
  ///
  /// - Parameters:
  ///   - raises: the count when the request was sent; if it has grown, the request is repeated.
  ///   - highest: the highest level requested for this request so far.
  private func raiseSecurity(
    over error: ATTErrorResponse, since raises: Int, _ highest: inout SecurityLevel
  ) async throws(GATTError) {
    guard self.raises == raises else { return }
    do throws(GATTError) {
      if let running = operations[.securityRaise] { return try await wait(for: running) }
      let present = max(await bearer.security, highest)
      guard let wanted = error.code.security(above: present), wanted <= options.highestSecurity,
        wanted <= .medium || attemptedLevels.insert(wanted).inserted
      else { throw .att(error) }
      highest = wanted
      try await wait(
        for: start(.securityRaise) { client throws(GATTError) in
          try await client.raiseSecurity(to: wanted)
        })
    } catch let failure {
      // On an encrypted link, pairing again would not help: only this value stays locked.
      guard failure == .security(.unsupported), await bearer.security >= .medium else {
        throw failure
      }
      throw .att(error)
    }
  }

  private func raiseSecurity(to level: SecurityLevel) async throws(GATTError) {
    do throws(SecurityFailure) {
      try await bearer.raiseSecurity(to: level)
    } catch .closed(let closed) {
      throw .closed(closed)
    } catch {
      throw .security(error)
    }
    raises += 1
  }
}
