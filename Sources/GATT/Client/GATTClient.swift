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
  /// The same, for what a ``ResponsePromise`` resumes.
  package nonisolated let replyExecutor: any SerialExecutor
  private let timeline: ElapsedClock

  private lazy var requests = ATTRequests(
    on: bearer.transport, timeline: timeline, options: options
  ) {
    [weak self] in
    Task { await self?.requestWasSent() }
  }
  private var isListening = false
  /// Exists while a request is outstanding, and until its next wake-up.
  private var deadlineWatch: Task<Void, Never>?
  private var operations: [Operation: Job] = [:]
  /// How often security was raised with success.
  private var raises = 0

  let serviceChangeSink: AsyncStream<ATTHandleRange>.Continuation
  var known = DatabaseState()
  var databaseObserver: (@Sendable () -> Void)?
  /// Held by whatever discovers services, so that no two discoveries mix.
  let discoveries = AsyncMutex()
  var subscribers = Subscribers()
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
  public func close(_ reason: BearerClosed.Reason = .user) { handle(requests.close(reason)) }

  // MARK: - Driving the engine

  /// Sends one request and waits for its answer, as it is.
  func response(
    to request: ATTRequest, _ recovery: RequestRecovery = .withinDiscovery
  ) async -> ATTRequests.Outcome {
    if Task.isCancelled { return .failure(.cancelled) }
    listen()
    let (id, promise, events) = requests.send(request, recovery)
    handle(events)
    watchDeadline()
    return await withTaskCancellationHandler {
      // Named, so that this closure is isolated to the actor and nothing hops.
      _ = self
      return await promise.value ?? .failure(.cancelled)
    } onCancel: {
      Task { await cancel(id) }
    }
  }

  private func cancel(_ id: ATTRequestID) { handle(requests.cancel(id)) }

  /// Starts to receive, once; what the bearer has kept until now is delivered first.
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
    for receiver in subscribers.removeAll() { receiver.end(.closed(closed)) }
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
      if deadline <= timeline.elapsed {
        handle(requests.checkDeadline())
      } else {
        try? await timeline.sleep(until: deadline)
      }
    }
    deadlineWatch = nil
  }

  /// Withdraws the queued requests for handles that are out of date; each is sent again once the
  /// handle is found to mean the same.
  func withdrawStaleRequests() {
    handle(requests.withdraw { $1 == .full && known.isStale($0.handles) })
  }

  // MARK: - Shared operations

  /// An operation that runs at most once at a time, and whose callers share its outcome.
  enum Operation {
    case mtuExchange, securityRaise, resynchronisation, rediscovery
  }

  typealias Job = Task<Result<Void, GATTError>, Never>

  /// Starts an operation, unless it runs; it ends by itself, also if every caller is cancelled.
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

  /// Waits for a job's end, or for the caller's cancellation.
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

  // MARK: - Requests

  /// Sends a request, removes what is in its way, and repeats it.
  ///
  /// - Throws: the server's last error, `security` where the link could not be protected,
  ///   `servicesChanged` where a handle means something else now, `closed`, `cancelled`.
  func request(
    _ request: ATTRequest, _ recovery: RequestRecovery = .full
  ) async throws(GATTError) -> ATTResponse {
    var highest = SecurityLevel.low
    var isResynchronised = false
    while true {
      if recovery == .full { try await settle(request.handles) }
      let (changes, before, raises) = (known.changes, known.database, raises)
      let result = await response(to: request, recovery)
      if recovery == .full, known.changes != changes {
        try await confirm(request.handles, since: before)
      }
      switch result {
      case .success(let response): return response
      // It was not sent, and its handles mean the same as before.
      case .failure(.servicesChanged) where recovery == .full: continue
      case .failure(.att(let error)) where error.code.isCuredBySecurity:
        try await raiseSecurity(over: error, since: raises, &highest)
      case .failure(.att(let error)) where error.code == .databaseOutOfSync && !isResynchronised:
        isResynchronised = true
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
        switch await client.response(to: .exchangeMTU(clientMTU: client.options.mtu)) {
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
}
