internal import BluetoothAttributes
internal import BluetoothCodec
internal import BluetoothRadio
public import HeadphoneProtocols

/// The driver of a maker's protocol on one channel: RFCOMM, L2CAP, or two GATT characteristics.
///
/// This actor owns the channel, the clock and the waiting callers of a
/// ``/HeadphoneProtocols/HeadphoneProtocol``. It runs on the channel's executor, which avoids hops,
/// and does not close the channel.
///
/// One lock orders commands and readings, because what a command writes depends on the changes made
/// by those before it. A reading collects its values separately and replaces the present ones when
/// it is complete. A headphone that falls silent meanwhile thus keeps its values.
///
/// ```swift
/// let driver = HeadphoneFamily.driver(on: bearer, clock: clock, emitter: emitter)
/// let description = try await driver?.start()
/// try await driver?.perform(.setANC(.transparency))
/// ```
public actor ProtocolDriver: HeadphoneDriver, TimeoutDriven {
  enum Channel: Sendable {
    case bearer(any Bearer)
    case characteristics(FamilyChannel, of: GATTClient)
  }

  private struct Reading {
    var values: any HeadphoneProtocol
    var received: Set<UInt16> = []
    var missing: Set<UInt16> = []
  }

  private var channel: Channel
  private nonisolated let executor: any SerialExecutor
  private nonisolated let emitter: EventEmitter
  private nonisolated let reason: String?
  private nonisolated let findModel: @Sendable (DeviceInformation) -> HeadphoneModel?
  private nonisolated let hasChanged: (@Sendable () -> Void)?
  private nonisolated let hasEnded: @Sendable (HeadphoneError) -> Void
  let timeline: ElapsedClock

  /// The protocol with the values of the last complete reading and of later reports.
  private(set) var values: any HeadphoneProtocol
  private var reading: Reading?
  private var expected: Set<UInt16> = []
  /// The unprompted reports that this model does not send.
  private var unreported: Set<ResponseID> = []
  /// The responses received on this link, and those awaited in vain, which are not requested again.
  private var (heard, silent): (Set<UInt16>, Set<UInt16>) = ([], [])
  private let mutex = AsyncMutex()
  private var queue = RequestQueue()
  private var waiters: [RequestQueue.Ticket: ResponsePromise<HeadphoneError?>] = [:]
  var watch: Task<Void, Never>?
  private var ended: HeadphoneError?
  private var unknown = UnknownMessages()
  private var (sent, received) = (0, 0)

  /// Creates a driver; nothing is sent or received before ``start()``.
  ///
  /// - Parameters:
  ///   - channel: a connected channel that has not been used yet.
  ///   - reason: the reason why the headphone is of this kind, in words.
  ///   - findModel: returns the model, which may have fewer features than its family.
  ///   - hasChanged: called when capabilities or information have changed since the last reading.
  ///     By default, the new description is emitted as an event.
  ///   - hasEnded: called once, when the channel ends. By default, the emitter finishes.
  init(
    _ values: any HeadphoneProtocol, on channel: Channel, clock: any Clock<Duration>,
    emitter: EventEmitter, reason: String? = nil,
    findModel: @escaping @Sendable (DeviceInformation) -> HeadphoneModel? = { _ in nil },
    hasChanged: (@Sendable () -> Void)? = nil,
    hasEnded: (@Sendable (HeadphoneError) -> Void)? = nil
  ) {
    self.values = values
    self.channel = channel
    executor =
      switch channel {
      case .bearer(let bearer): bearer.executor
      case .characteristics(_, let client): client.replyExecutor
      }
    timeline = ElapsedClock(clock)
    self.emitter = emitter
    self.reason = reason
    self.findModel = findModel
    self.hasChanged = hasChanged
    self.hasEnded = hasEnded ?? { _ in emitter.finish() }
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  // MARK: Reading

  /// Reads all values; throws `notAHeadphone` if nothing answers in this protocol.
  public func start() async throws(HeadphoneError) -> HeadphoneDescription {
    emitter.report(.starting(.subscribing))
    do throws(HeadphoneError) {
      try await listen()
      try await readAll()
      return description
    } catch {
      end(error)
      throw error
    }
  }

  /// Reads all values again; without a response, the old ones stay and `noResponse` is thrown.
  public func refresh() async throws(HeadphoneError) {
    try await readAll()
    reportChange()
  }

  public func readCharge() async throws(HeadphoneError) {
    try await mutex.acquire()
    defer { mutex.unlock() }
    guard let question = values.chargeQuestion() else { return }
    try await execute(question, attempts: 1)
  }

  func listen() async throws(HeadphoneError) {
    switch channel {
    case .bearer(let bearer):
      bearer.deliver { received in
        self.assumeIsolated { $0.receive(received.mapError { .closed($0) }) }
      }
    case .characteristics(let pair, let client):
      do throws(GATTError) {
        try await client.subscribe(to: pair.notify) { received in
          self.assumeIsolated { $0.receive(received.mapError { HeadphoneError($0) }) }
        }
      } catch {
        throw HeadphoneError(error)
      }
    }
  }

  /// The most rounds of requests; those of each round may depend on the responses before it.
  private static let mostRounds = 8

  /// Sends requests in rounds, awaits the reports that the protocol needs, and emits every value.
  func readAll() async throws(HeadphoneError) {
    try await mutex.acquire()
    defer { mutex.unlock() }
    var fresh = values
    let queries = fresh.questions()
    reading = Reading(values: fresh)
    defer { reading = nil }
    await readCharacteristics()
    try await ask(queries, attempts: fresh.isRecognised ? 2 : 3)
    guard latest.isRecognised else {
      throw values.isRecognised
        ? .noResponse
        : .notAHeadphone(missing: "answer in the protocol of \(values.name)")
    }
    for _ in 0..<Self.mostRounds {
      let queries = latest.furtherQuestions()
      guard !queries.isEmpty else { break }
      // An unanswered request only means a missing feature; repeating it would cost time.
      try await ask(queries, attempts: 1)
    }
    while let next = latest.awaited.first(where: { !unreported.contains($0.response) }) {
      do throws(HeadphoneError) {
        try await execute(next, attempts: 1)
      } catch .noResponse {
        unreported.insert(next.response)
      }
    }
    guard let reading else { return }
    silent.formUnion(reading.missing)
    values = reading.values
    expected = reading.received.subtracting(reading.missing)
  }

  /// Reads the further characteristics of the family, ignoring those that cannot be read.
  private func readCharacteristics() async {
    guard case .characteristics(let pair, let client) = channel else { return }
    let readable = pair.readable.filter(\.canRead)
    guard !readable.isEmpty, let read = try? await client.readValues(readable.map(\.handle)),
      var family = latest as? any FamilyProtocol
    else { return }
    for characteristic in readable {
      guard case .success(let value)? = read[characteristic.handle] else { continue }
      emitter.report(family.receive(value, of: characteristic.uuid))
    }
    latest = family
  }

  /// Sends requests; a feature without a response is absent, and not requested again.
  ///
  /// - Throws: `noResponse` for a feature that was present at the last reading. It becomes absent
  ///   if there is no response at the next reading either.
  private func ask(_ queries: [Exchange], attempts: Int) async throws(HeadphoneError) {
    for query in queries {
      let number = query.response.number
      if silent.contains(number), !heard.contains(number) { continue }
      do throws(HeadphoneError) {
        try await execute(query, attempts: attempts)
        if query.hasResponse { reading?.received.insert(number) }
      } catch .noResponse {
        reading?.missing.insert(number)
        if expected.remove(number) != nil { throw .noResponse }
      }
    }
  }

  private var latest: any HeadphoneProtocol {
    get { reading?.values ?? values }
    set { if reading == nil { values = newValue } else { reading?.values = newValue } }
  }

  private var description: HeadphoneDescription {
    var description = HeadphoneDescription(
      driver: values.name,
      capabilities: values.capabilities.narrowed(to: findModel(values.information)),
      information: values.information, mtu: nil, requests: sent)
    description.reason = reason
    description.missing = values.missing
    description.isFromFile = values.isFromFile
    description.isChargeAsked = isChargeAsked
    return description
  }

  var isChargeAsked: Bool {
    var values = values
    return values.chargeQuestion() != nil
  }

  private func reportChange() {
    if let hasChanged { hasChanged() } else { emitter.report(.described(description)) }
  }

  func recognise(_ model: HeadphoneModel) { values.recognise(model) }

  // MARK: Commands

  /// Sends a command, at most twice, and waits for the headphone's report.
  ///
  /// Earlier commands and readings are finished first. `noResponse` follows the second attempt.
  public func perform(_ command: HeadphoneCommand) async throws(HeadphoneError) {
    try await mutex.acquire()
    var isLocked = true
    defer { if isLocked { mutex.unlock() } }
    let before = received
    do throws(HeadphoneError) {
      for exchange in try values.checkedExchanges(for: command) {
        guard var attempts = exchange.attempts else {
          try await execute(exchange, attempts: 2, timeout: RequestQueue.commandTimeout)
          continue
        }
        // This request is repeated until the change is reported; between attempts, other commands
        // have a turn.
        var question = exchange
        question.attempts = 1
        while true {
          do throws(HeadphoneError) {
            try await execute(question, attempts: 1)
            break
          } catch .noResponse where attempts > 1 {
            attempts -= 1
            mutex.unlock()
            isLocked = false
            try await mutex.acquire()
            isLocked = true
          }
        }
      }
    } catch .noResponse {
      // Reports received meanwhile say more than the missing response.
      if received > before { _ = try accept(command) }
      throw values.reasonForSilence(after: command) ?? .noResponse
    }
    emitter.report(try accept(command))
  }

  /// Ends a command, whose outcome may show that the headphone lacks a reported feature.
  private func accept(_ command: HeadphoneCommand) throws(HeadphoneError) -> [HeadphoneEvent] {
    let before = values.capabilities
    defer { if values.capabilities != before { reportChange() } }
    return try values.accepted(command)
  }

  // MARK: Exchanges

  var nextDeadline: Duration? { queue.nextDeadline }

  func elapse(to now: Duration) { execute(queue.elapse(to: now)) }

  /// Carries out one exchange, and returns when it is answered, or written if it has no answer.
  private func execute(
    _ exchange: Exchange, attempts: Int, timeout: Duration = RequestQueue.timeout
  ) async throws(HeadphoneError) {
    if Task.isCancelled { throw .cancelled }
    if let ended { throw ended }
    if let delay = exchange.delay {
      try? await timeline.sleep(until: timeline.elapsed + delay)
      if Task.isCancelled { throw .cancelled }
      if let ended { throw ended }
    }
    guard exchange.hasResponse else { return try await write(exchange.values) }
    let (ticket, effects) = queue.submit(
      exchange, attempts: attempts, timeout: timeout, at: timeline.elapsed)
    let response = ResponsePromise<HeadphoneError?>(on: executor)
    waiters[ticket] = response
    execute(effects)
    let error = await withTaskCancellationHandler {
      // Mentioning `self` isolates this closure to the actor, so that nothing hops.
      _ = self
      return await response.value ?? .cancelled
    } onCancel: {
      Task { await finish(ticket, .cancelled) }
    }
    if let error { throw error }
  }

  private func execute(_ effects: [RequestQueue.Effect]) {
    for effect in effects {
      switch effect {
      case .write(let ticket, let values):
        guard !values.isEmpty else { continue }
        Task { await write(values, of: ticket) }
      case .finished(let ticket, let error):
        waiters.removeValue(forKey: ticket)?.fulfil(error)
      }
    }
    watchDeadline()
  }

  private func finish(_ ticket: RequestQueue.Ticket, _ error: HeadphoneError) {
    execute(queue.finish(ticket, error, at: timeline.elapsed))
  }

  private func write(_ values: [Bytes], of ticket: RequestQueue.Ticket) async {
    do throws(HeadphoneError) {
      try await write(values)
      queue.written(ticket, at: timeline.elapsed)
      watchDeadline()
    } catch {
      finish(ticket, error)
    }
  }

  private func write(_ values: [Bytes]) async throws(HeadphoneError) {
    for value in values { try await write(latest.framed(value)) }
  }

  /// Writes bytes unchanged, and once more if the characteristic has moved.
  private func write(_ value: Bytes, isRepeated: Bool = false) async throws(HeadphoneError) {
    if let refusal = latest.refusal(of: value) { throw refusal }
    if !isRepeated { sent += 1 }
    switch channel {
    case .bearer(let bearer):
      do throws(BearerClosed) { try bearer.post(value) } catch { throw .closed(error) }
    case .characteristics(let pair, let client):
      do throws(GATTError) {
        try await client.write(value, to: pair.write, withResponse: pair.write.canWrite)
      } catch .servicesChanged where !isRepeated {
        try await findCharacteristics()
        try await write(value, isRepeated: true)
      } catch {
        throw HeadphoneError(error)
      }
    }
  }

  // MARK: Receiving

  private func receive(_ received: Result<Bytes, HeadphoneError>) {
    switch received {
    case .failure(let error): end(error)
    case .success(let bytes):
      guard ended == nil else { return }
      if reading != nil {
        // The present values stay valid in case the reading does not complete.
        for message in values.messages(in: bytes) { _ = values.receive(message) }
      }
      for message in latest.messages(in: bytes) { receive(message) }
    }
  }

  /// Emits a changed description, then the events of a message, and sends the protocol's reply.
  private func receive(_ message: Bytes) {
    received += 1
    let before = (latest.capabilities, latest.information)
    let parsed = latest.receive(message)
    if reading == nil, before != (latest.capabilities, latest.information) { reportChange() }
    emitter.report(parsed.events.filter { unknown.admit($0) })
    if let reply = parsed.reply {
      // The reply is sent before any other write. A closed channel reports its own end.
      Task.immediate { try? await write(reply[...]) }
    }
    heard.formUnion(parsed.responses.map(\.number))
    execute(queue.receive(parsed.responses, at: timeline.elapsed))
  }

  func findCharacteristics() async throws(HeadphoneError) {
    guard case .characteristics(_, let client) = channel else { return }
    do throws(GATTError) { try await client.servicesSettled() } catch { throw .init(error) }
    guard let pair = values.channel(in: await client.database) else {
      throw .gatt(.servicesChanged)
    }
    channel = .characteristics(pair, of: client)
  }

  func end(_ error: HeadphoneError) {
    guard ended == nil else { return }
    ended = error
    watch?.cancel()
    execute(queue.fail(error))
    hasEnded(error)
  }
}
