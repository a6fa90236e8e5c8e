public import Bluetooth
public import BluetoothCodec

/// A GATT client on one bearer.
///
/// It runs on the bearer's executor; an actor that runs there too (``unownedExecutor``) reads and
/// writes without a thread hop. It begins to listen with its first request, so that ``values(of:)``
/// called before that loses nothing. Whoever makes it closes it: a client lives as long as its
/// bearer.
///
/// All procedures throw ``GATTError``, in words: opcode, handle, code, its name and advice. A
/// caller that is cancelled while it waits for an answer gets `.cancelled` at once, and the bearer
/// stays usable; what several may wait for (a subscription, security, the database found again)
/// goes on to its end.
public actor GATTClient {
  /// The channel that it speaks on; closing the client closes it.
  public nonisolated let bearer: any Bearer
  public nonisolated let options: GATTOptions
  private nonisolated let executor: UnownedSerialExecutor
  private let replyExecutor: any SerialExecutor
  let clock: any Clock<Duration>
  let timeline: MonotonicTime

  var engine: ATTEngine
  private var waiters = PendingRequests()
  private var lastRequest: UInt64 = 0
  private var isListening = false
  /// Exists while a request is outstanding, and until its next wake-up.
  private var deadlineWatch: Task<Void, Never>?

  /// Requests that were refused, and sent again when what was in their way was cured.
  ///
  /// What was sent meanwhile may have been refused for the same reason, and without a word.
  public internal(set) var repetitions = 0
  var hasExchangedMTU = false
  var securityRaise: SecurityRaise?
  var security = SecurityHistory()
  var longWrites = AsyncMutex()
  var databaseState = DatabaseState()
  var subscribers = Subscribers()
  var refusals = UnsupportedProcedures()
  var discoveries = AsyncMutex()

  /// The ranges whose services have changed; finishes with the bearer.
  ///
  /// A single consumer. Each is told when it was discovered again and its subscriptions have moved,
  /// or when that failed (``ATTDiagnostic/rediscoveryFailed(_:)``); other handles want looking up.
  public nonisolated let serviceChanges: AsyncStream<ATTHandleRange>
  private let serviceChangeSink: AsyncStream<ATTHandleRange>.Continuation

  /// `clock` measures the 30 s that an answer may take.
  public init(
    bearer: any Bearer, clock: any Clock<Duration> = ContinuousClock(),
    options: GATTOptions = GATTOptions()
  ) {
    self.bearer = bearer
    self.options = options
    self.clock = clock
    timeline = MonotonicTime(clock)
    executor = bearer.executor.asUnownedSerialExecutor()
    replyExecutor = bearer.executor
    engine = ATTEngine(clientMTU: options.mtu)
    (serviceChanges, serviceChangeSink) = AsyncStream.makeStream(
      bufferingPolicy: .bufferingNewest(16))
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor }

  /// ATT_MTU in bytes; 23 until it is exchanged.
  public var mtu: Int { engine.mtu }

  /// Requests sent so far.
  public var requestCount: Int { engine.statistics.requests }

  /// What has happened on the bearer so far; never reset.
  public var statistics: ATTStatistics { engine.statistics }

  /// Why the bearer is closed; nil while it is open.
  public var closed: BearerClosed? { engine.closed }

  /// Returns when no task waits for a deadline; for tests of idleness.
  package func deadlineWatchEnds() async { await deadlineWatch?.value }

  /// Ends the link; whoever waits is told the reason.
  public func close(_ reason: BearerClosed.Reason = .user) { perform(engine.close(reason)) }
}

// MARK: - Driving the engine

extension GATTClient {
  /// Sends one request and waits for its answer, as it is.
  func answer(to request: ATTRequest) async -> Result<ATTResponse, GATTError> {
    if Task.isCancelled { return .failure(.cancelled) }
    listen()
    lastRequest += 1
    let id = ATTRequestID(rawValue: lastRequest)
    let reply = Reply(on: replyExecutor)
    waiters.add(id, reply)
    perform(engine.send(request, as: id, at: timeline.now()))
    watchDeadline()
    return await withTaskCancellationHandler {
      // Named, so that this closure is the actor's, too, and nothing hops.
      _ = self
      return await reply.answer
    } onCancel: {
      Task { await cancel(id) }
    }
  }

  private func cancel(_ id: ATTRequestID) { perform(engine.cancel(id)) }

  func perform(_ effects: [ATTEffect]) {
    for effect in effects {
      switch effect {
      case .transmit(let pdu): post(pdu)
      case .complete(let id, let result): waiters.take(id)?.arrive(result)
      case .deliver(let value, let isIndication): deliver(value, isIndication: isIndication)
      case .report(let incident): options.report?(incident)
      case .close(let reason): end(reason)
      }
    }
  }

  private func post(_ pdu: Bytes) {
    do throws(BearerClosed) {
      try bearer.post(pdu)
    } catch {
      perform(engine.close(error.reason))
    }
  }

  private func end(_ reason: BearerClosed.Reason) {
    bearer.close(reason)
    deadlineWatch?.cancel()
    endSubscriptions(.closed(BearerClosed(reason)))
    serviceChangeSink.finish()
  }

  func announceServiceChange(_ range: ATTHandleRange) { serviceChangeSink.yield(range) }

  func listen() {
    guard !isListening else { return }
    isListening = true
    bearer.deliver { received in self.assumeIsolated { $0.take(received) } }
  }

  private func take(_ received: Result<Bytes, BearerClosed>) {
    switch received {
    case .success(let pdu): perform(engine.receive(pdu, at: timeline.now()))
    case .failure(let closed): perform(engine.close(closed.reason))
    }
  }

  /// One task for all requests, re-armed when it wakes: a task for each would cost more than the
  /// request.
  private func watchDeadline() {
    guard deadlineWatch == nil, engine.nextDeadline != nil else { return }
    deadlineWatch = Task { await sleepUntilDeadline() }
  }

  private func sleepUntilDeadline() async {
    while let deadline = engine.nextDeadline, !Task.isCancelled {
      let now = timeline.now()
      if deadline <= now {
        perform(engine.timePassed(at: now))
      } else {
        try? await clock.sleep(for: deadline - now)
      }
    }
    deadlineWatch = nil
  }
}
