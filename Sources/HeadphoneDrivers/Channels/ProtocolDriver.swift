internal import Bluetooth
internal import BluetoothCodec
internal import GATT
public import HeadphoneProtocols

/// The driver of a maker's protocol on one channel: RFCOMM, L2CAP, or two GATT characteristics.
///
/// The protocol is a value that turns bytes into events and commands into exchanges
/// (``/HeadphoneProtocols/HeadphoneProtocol``); this actor has the channel, the clock and the
/// callers that wait. It runs on the channel's executor, so that nothing hops, and does not close
/// the channel.
///
/// One lock orders commands and readings: what a command writes follows from what those before it
/// have changed. A reading builds its values beside the present ones and replaces them when it is
/// complete, so that a headphone that falls silent meanwhile keeps what it had.
///
/// ```swift
/// let driver = HeadphoneFamily.driver(on: bearer, clock: clock, emitter: emitter)
/// let description = try await driver?.start()
/// try await driver?.perform(.setANC(.transparency))
/// ```
public actor ProtocolDriver: HeadphoneDriver, TimeoutDriven {
  /// Where a protocol is spoken.
  enum Channel: Sendable {
    case bearer(any Bearer)
    case characteristics(FamilyChannel, of: GATTClient)
  }

  /// A reading of all values that is not complete yet.
  private struct Reading {
    var values: any HeadphoneProtocol
    /// The numbers of the responses that came, and of those that did not.
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

  /// The protocol with the values of the last complete reading, and what was reported since.
  private(set) var values: any HeadphoneProtocol
  private var reading: Reading?
  /// The responses of the last complete reading, by their numbers.
  private var expected: Set<UInt16> = []
  /// What this model does not report by itself.
  private var unreported: Set<ResponseID> = []
  /// The numbers of all responses on this link, and of those that a reading awaited in vain: a query
  /// without a response costs its time-out, and is asked once.
  private var (heard, silent): (Set<UInt16>, Set<UInt16>) = ([], [])
  /// Held by the command or the reading that is carried out.
  private let mutex = AsyncMutex()
  private var queue = RequestQueue()
  private var waiters: [RequestQueue.Ticket: ResponsePromise<HeadphoneError?>] = [:]
  var watch: Task<Void, Never>?
  private var ended: HeadphoneError?
  private var unknown = UnknownMessages()
  /// Values that were written, and messages that came.
  private var (sent, received) = (0, 0)

  /// Creates a driver; nothing is sent or received before ``start()``.
  ///
  /// - Parameters:
  ///   - values: the protocol before anything was reported.
  ///   - channel: connected, and not used before.
  ///   - clock: by which responses are awaited.
  ///   - emitter: where events go.
  ///   - reason: why the headphone is of this kind, in words.
  ///   - findModel: the model, which may have less than its family.
  ///   - hasChanged: called when what the headphone has, or is, has changed since the last reading;
  ///     nil: the new description is an event.
  ///   - hasEnded: called once, when the channel ends; nil: no event follows.
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

  /// Receives from now on, and reads all values.
  ///
  /// - Throws: ``/HeadphoneProtocols/HeadphoneError/notAHeadphone(missing:)`` where nothing answers
  ///   in this protocol.
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

  /// Reads all values again; the new description is an event, too.
  ///
  /// - Throws: `noResponse` where the headphone is silent; the values are then as before.
  public func refresh() async throws(HeadphoneError) {
    try await readAll()
    reportChange()
  }

  /// Receives from now on.
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

  /// Rounds of queries at most, each of which may depend on the responses before.
  private static let mostRounds = 8

  /// Asks the first queries and those that follow from their responses.
  ///
  /// At last it waits for what the headphone reports unprompted. Every value is an event again.
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
        : .notAHeadphone(missing: "answer in the protocol of \(type(of: values).name)")
    }
    for _ in 0..<Self.mostRounds {
      let queries = latest.furtherQuestions()
      guard !queries.isEmpty else { break }
      // An unanswered query takes its feature away: to repeat it would only cost time.
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

  /// Reads what the family has in characteristics of its own; what cannot be read is absent.
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

  /// Carries out queries; a feature that does not respond is absent, and not asked for again.
  ///
  /// - Throws: `noResponse` for a feature that was there at the last reading. It is gone if it does
  ///   not respond to the next one either.
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

  /// The protocol that speaks: that of the reading, while there is one.
  private var latest: any HeadphoneProtocol {
    get { reading?.values ?? values }
    set { if reading == nil { values = newValue } else { reading?.values = newValue } }
  }

  /// What the headphone is and has, by what it has reported.
  private var description: HeadphoneDescription {
    var description = HeadphoneDescription(
      driver: type(of: values).name,
      capabilities: values.capabilities.narrowed(to: findModel(values.information)),
      information: values.information, mtu: nil, requests: sent)
    description.reason = reason
    description.missing = values.missing
    return description
  }

  private func reportChange() {
    if let hasChanged { hasChanged() } else { emitter.report(.described(description)) }
  }

  /// Adopts the model, as soon as it is known.
  func recognise(_ model: HeadphoneModel) { values.recognise(model) }

  // MARK: Commands

  /// Sends a command and waits for the headphone's report, at most twice; after the commands and
  /// readings that began before.
  ///
  /// - Throws: what the protocol throws for a command that it cannot carry out, `noResponse` after
  ///   the second attempt, `closed` with the channel.
  public func perform(_ command: HeadphoneCommand) async throws(HeadphoneError) {
    try await mutex.acquire()
    var isLocked = true
    defer { if isLocked { mutex.unlock() } }
    let before = received
    do throws(HeadphoneError) {
      for exchange in try values.exchanges(for: command) {
        guard var attempts = exchange.attempts else {
          try await execute(exchange, attempts: 2, timeout: RequestQueue.commandTimeout)
          continue
        }
        // It is asked until something has happened: between two questions other commands have a turn.
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
      // What it has reported meanwhile says more than its silence.
      if received > before { _ = try accept(command) }
      throw values.reasonForSilence(after: command) ?? .noResponse
    }
    emitter.report(try accept(command))
  }

  /// Ends a command, which may show that the headphone has less than it reported.
  private func accept(_ command: HeadphoneCommand) throws(HeadphoneError) -> [HeadphoneEvent] {
    let before = values.capabilities
    defer { if values.capabilities != before { reportChange() } }
    return try values.accepted(command)
  }

  // MARK: Exchanges

  var nextDeadline: Duration? { queue.nextDeadline }

  func elapse(to now: Duration) { execute(queue.elapse(to: now)) }

  /// Carries out one exchange; returns when it is answered, or written where it has no answer.
  ///
  /// - Throws: `noResponse` after the last attempt, `cancelled` with the task, or the channel's end.
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
      // Named, so that this closure is isolated to the actor and nothing hops.
      _ = self
      return await response.value ?? .cancelled
    } onCancel: {
      Task { await finish(ticket, .cancelled) }
    }
    if let error { throw error }
  }

  /// Begins writes and resumes callers, then sets the timer for the next deadline.
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

  /// Ends an exchange that could not be written, or whose caller was cancelled.
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

  /// Writes bytes as they are, once more if the characteristic has moved.
  ///
  /// - Throws: `badArgument` for a command that harms the headphone.
  private func write(_ value: Bytes, isRepeated: Bool = false) async throws(HeadphoneError) {
    if let refusal = type(of: latest).refusal(of: value) { throw refusal }
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
        // The present values stay true, in case the reading does not end.
        for message in values.messages(in: bytes) { _ = values.receive(message) }
      }
      for message in latest.messages(in: bytes) { receive(message) }
    }
  }

  /// One message: a changed description first, then events, the protocol's own reply, and the
  /// exchange that it answers.
  private func receive(_ message: Bytes) {
    received += 1
    let before = (latest.capabilities, latest.information)
    let parsed = latest.receive(message)
    if reading == nil, before != (latest.capabilities, latest.information) { reportChange() }
    emitter.report(parsed.events.filter { unknown.admit($0) })
    if let reply = parsed.reply {
      // Before anything else is written. A channel that is closed reports its own end.
      Task.immediate { try? await write(reply[...]) }
    }
    heard.formUnion(parsed.responses.map(\.number))
    execute(queue.receive(parsed.responses, at: timeline.elapsed))
  }

  /// Looks up where the protocol is spoken, after the services have changed.
  func findCharacteristics() async throws(HeadphoneError) {
    guard case .characteristics(_, let client) = channel,
      let family = type(of: values) as? any FamilyProtocol.Type
    else { return }
    do throws(GATTError) { try await client.servicesSettled() } catch { throw .init(error) }
    guard let pair = family.channel(in: await client.database) else {
      throw .gatt(.servicesChanged)
    }
    channel = .characteristics(pair, of: client)
  }

  /// Ends what waits.
  func end(_ error: HeadphoneError) {
    guard ended == nil else { return }
    ended = error
    watch?.cancel()
    execute(queue.fail(error))
    hasEnded(error)
  }
}
