internal import BluetoothAttributes
internal import BluetoothCodec
internal import BluetoothRadio
internal import HeadphoneProtocols

/// The channel for commands and events of docs/protocol.md, over their two characteristics.
///
/// Responses arrive among the events. The channel passes packets to the ``CommandEngine`` and
/// events to its owner, in the order in which the headphone sent them. It runs on the client's
/// executor.
actor EarshotChannel: GATTBacked, TimeoutDriven {
  private struct Waiter {
    let receive: @Sendable (Bytes) -> Void
    let response: ResponsePromise<Result<Bytes, HeadphoneError>>
  }

  private struct Outgoing {
    var ticket: CommandEngine.Ticket
    var bytes: Bytes
    var attempt: Int
  }

  nonisolated let client: GATTClient
  private nonisolated let emitter: EventEmitter
  private nonisolated let received: @Sendable (WireEvent) -> Void
  private nonisolated let hasEnded: @Sendable (HeadphoneError) -> Void
  let timeline: ElapsedClock

  private var events = EventChannel()
  private var isListening = false
  private var isSubscribing = false
  private var command: Characteristic?
  private var engine = CommandEngine()
  private var waiters: [CommandEngine.Ticket: Waiter] = [:]
  private var outbox: [Outgoing] = []
  private var isSending = false
  var watch: Task<Void, Never>?
  private(set) var ended: HeadphoneError?

  /// Creates a channel.
  ///
  /// - Parameters:
  ///   - received: receives each event, on the client's executor.
  ///   - hasEnded: called when the link has ended, after all waiting callers have been resumed.
  init(
    over client: GATTClient, clock: any Clock<Duration>, emitter: EventEmitter,
    received: @escaping @Sendable (WireEvent) -> Void,
    hasEnded: @escaping @Sendable (HeadphoneError) -> Void
  ) {
    self.client = client
    timeline = ElapsedClock(clock)
    self.emitter = emitter
    self.received = received
    self.hasEnded = hasEnded
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { client.unownedExecutor }

  var window: Int { engine.window }

  func setWindow(_ commands: Int) { engine.setWindow(commands) }

  // MARK: Events

  /// Receives events from now on, even before they are subscribed to.
  ///
  /// A bonded headphone keeps its subscription (Core 5.4, Vol 3, Part G, 3.3.3.3), and may notify
  /// at once.
  func listen(to map: HeadphoneMap) async {
    guard !isListening else { return }
    isListening = true
    events = EventChannel(layout: map.profile.events)
    await client.deliverValues(of: map.event.handle) { received in
      self.assumeIsolated { $0.receive(received) }
    }
  }

  /// Subscribes to events; the first command need not wait for the response.
  ///
  /// The headphone handles both in order, so the response to the command is already notified. A
  /// bonded headphone is asked, too, unless it reported that it has kept the subscription, as some
  /// headphones keep only the key.
  func open(
    _ map: HeadphoneMap
  ) async throws(HeadphoneError) -> Task<Result<Void, HeadphoneError>, Never> {
    command = map.command
    let repetitions = await client.repetitions
    isSubscribing = true
    let response = try await gatt { client throws(GATTError) in try await client.ask(for: map.event)
    }
    let task = Task { await finishSubscribing(await response.value, after: repetitions) }
    // If the descriptor must be discovered first, a command sent now would precede the
    // subscription.
    if map.event.descriptors == nil { _ = await task.value }
    return task
  }

  func move(to map: HeadphoneMap) { command = map.command }

  /// Sends all commands without a response again.
  ///
  /// Until the change of the services was confirmed, the headphone ignored commands and notified no
  /// response (Core 5.4, Vol 3, Part G, 2.5.2.1).
  func repeatCommands() { execute(engine.startOver(at: timeline.elapsed)) }

  private func finishSubscribing(
    _ response: Result<Void, GATTError>, after repetitions: Int
  ) async -> Result<Void, HeadphoneError> {
    isSubscribing = false
    switch response {
    case .success:
      // Commands sent after the first attempt were ignored like that attempt.
      let isRepeated = await client.repetitions > repetitions
      execute(isRepeated ? engine.startOver(at: timeline.elapsed) : [])
      return .success(())
    case .failure(let error):
      execute(engine.fail(HeadphoneError(error)))
      return .failure(HeadphoneError(error))
    }
  }

  private func receive(_ received: Result<Bytes, GATTError>) {
    guard ended == nil else { return }
    switch received {
    case .failure(let error):
      end(HeadphoneError(error))
      hasEnded(HeadphoneError(error))
    case .success(let value):
      process(events.receive(value))
      // These events wait for a response, but no command awaits one.
      if events.isWaiting, !engine.isAwaitingResponse { process(events.finish()) }
    }
  }

  private func process(_ items: [EventChannel.Item]) {
    for item in items {
      switch item {
      case .event(let event): received(event)
      case .packet(let packet): execute(engine.receive(packet, at: timeline.elapsed))
      case .malformed(let error, let bytes): emitter.report(.malformed(error, bytes))
      }
    }
  }

  func end(_ error: HeadphoneError) {
    guard ended == nil else { return }
    ended = error
    watch?.cancel()
    execute(engine.fail(error))
    process(events.finish())
  }

  // MARK: Commands

  /// Carries out a command and returns the data of the response, without its status.
  ///
  /// - Parameter receive: receives the data on the client's executor as soon as it arrives among
  ///   the events. The caller resumes later, perhaps after newer events.
  func send(
    _ command: CommandID, _ payload: [UInt8],
    receive: @escaping @Sendable (Bytes) -> Void = { _ in }
  ) async throws(HeadphoneError) -> Bytes {
    if Task.isCancelled { throw .cancelled }
    if let ended { throw ended }
    guard self.command != nil else { throw .notStarted }
    let now = timeline.elapsed
    let (ticket, effects) = engine.submit(command, payload: payload[...], at: now)
    let response = ResponsePromise<Result<Bytes, HeadphoneError>>(on: client.replyExecutor)
    waiters[ticket] = Waiter(receive: receive, response: response)
    execute(effects)
    return try await withTaskCancellationHandler {
      // Mentioning `self` isolates this closure to the actor, so that nothing hops.
      _ = self
      return await response.value ?? .failure(.cancelled)
    } onCancel: {
      Task { await cancel(ticket) }
    }.get()
  }

  private func cancel(_ ticket: CommandEngine.Ticket) { execute(engine.cancel(ticket)) }

  private func execute(_ effects: [CommandEngine.Effect]) {
    for effect in effects {
      switch effect {
      case .send(let ticket, let packets, let attempt):
        let bytes = packets.flatMap { $0.encoded() }
        outbox.append(Outgoing(ticket: ticket, bytes: bytes[...], attempt: attempt))
        startSending()
      case .finished(let ticket, let result):
        guard let waiter = waiters.removeValue(forKey: ticket) else { continue }
        if case .success(let data) = result { waiter.receive(data) }
        waiter.response.fulfil(result)
      case .malformed(let error, let packet):
        emitter.report(.malformed(error, packet.encoded()[...]))
      // Late, duplicate or unrelated packet: the awaited response has arrived or was given up.
      case .ignored: break
      }
    }
    watchDeadline()
  }

  /// Writes the queued packets one at a time, so that the pieces of two packets do not mix.
  private func startSending() {
    guard !isSending else { return }
    isSending = true
    Task {
      while !outbox.isEmpty { await write(outbox.removeFirst()) }
      isSending = false
    }
  }

  private func write(_ outgoing: Outgoing) async {
    guard let command else { return }
    do throws(GATTError) {
      var rest = outgoing.bytes
      let longest = await client.longestShortWrite
      while !rest.isEmpty {
        try await write(rest.prefix(longest), to: command, outgoing.attempt)
        rest = rest.dropFirst(longest)
      }
    } catch {
      execute(engine.fail(outgoing.ticket, HeadphoneError(error), at: timeline.elapsed))
    }
  }

  /// Writes a piece of a packet without response if possible, which saves a round trip.
  ///
  /// A repetition is written with response, which reports an error.
  private func write(
    _ bytes: Bytes, to command: Characteristic, _ attempt: Int
  ) async throws(GATTError) {
    let prefersResponse = attempt > 1 && command.canWrite
    let goesWithout = command.properties.contains(.writeWithoutResponse) && !prefersResponse
    try await client.write(bytes, to: command, withResponse: !goesWithout)
  }

  // MARK: Deadlines

  /// The next deadline, or nil; no response is overdue before the subscription is confirmed.
  var nextDeadline: Duration? { isSubscribing ? nil : engine.nextDeadline }

  func elapse(to now: Duration) {
    // Events may wait behind a packet that was never completed.
    process(events.finish())
    execute(engine.elapse(to: now))
  }
}
