internal import Bluetooth
internal import BluetoothCodec
internal import GATT
internal import HeadphoneProtocols

/// A language that is spoken on a channel of its own, where there is no GATT.
///
/// It runs on the bearer's executor, and does not close it.
///
/// The protocol itself is a value that turns bytes into events and commands into exchanges
/// (``/HeadphoneProtocols/HeadphoneProtocol``); this actor has the channel, the clock and the
/// callers that wait. Received bytes are taken in on the bearer's executor, without a hop.
actor ProtocolChannel<Language: HeadphoneProtocol>: RequestResponding {
  nonisolated let bearer: any Bearer
  private nonisolated let executor: UnownedSerialExecutor
  /// Receives the headphone's events.
  private nonisolated let report: @Sendable (HeadphoneEvent) -> Void
  /// Called with the headphone's description whenever it has changed; nil: not needed.
  private nonisolated let reportChange: (@Sendable (Language) -> Void)?
  private nonisolated let reportEnd: @Sendable (HeadphoneError) -> Void
  let clock: any Clock<Duration>
  let timeline: ElapsedClock

  private(set) var language: Language
  /// What this model does not report by itself.
  private var unreported: Set<AnswerID> = []
  var queue = RequestQueue()
  var waiters: [RequestQueue.Ticket: CheckedContinuation<HeadphoneError?, Never>] = [:]
  var watch: Task<Void, Never>?
  private(set) var ended: HeadphoneError?
  /// Held by the command that is carried out: what one writes follows from what those before it
  /// have changed.
  private let turns = AsyncMutex()
  /// Packets that went out.
  private(set) var sent = 0

  /// Creates a channel that receives nothing before ``listen()``.
  ///
  /// - Parameters:
  ///   - language: the protocol's value, which this actor keeps.
  ///   - bearer: connected, and not used before.
  ///   - reportChange: called when what the headphone has, or is, has become another.
  ///   - reportEnd: called once, when the bearer closes or ``end(_:)`` is called.
  init(
    _ language: Language, on bearer: any Bearer, clock: any Clock<Duration>,
    report: @escaping @Sendable (HeadphoneEvent) -> Void,
    reportChange: (@Sendable (Language) -> Void)? = nil,
    reportEnd: @escaping @Sendable (HeadphoneError) -> Void
  ) {
    self.language = language
    self.bearer = bearer
    self.report = report
    self.reportChange = reportChange
    self.reportEnd = reportEnd
    executor = bearer.executor.asUnownedSerialExecutor()
    self.clock = clock
    timeline = ElapsedClock(clock)
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor }

  /// Takes what comes from now on.
  func listen() {
    bearer.deliver { received in self.assumeIsolated { $0.take(received) } }
  }

  /// The language's questions, whose values are all reported as new from now on.
  func questions() -> [Exchange] { language.questions() }

  /// The next round of questions, by the answers to those before.
  func furtherQuestions() -> [Exchange] where Language: SerialProtocol {
    language.furtherQuestions()
  }

  /// Waits for what the headphone sends unprompted; what misses the deadline is taken as absent.
  func receiveRemaining() async throws(HeadphoneError) {
    while let next = language.awaited.first(where: { !unreported.contains($0.answer) }) {
      do throws(HeadphoneError) {
        try await execute(next, attempts: 1)
      } catch .noResponse {
        unreported.insert(next.answer)
      }
    }
  }

  /// Sends a command and waits for the headphone's report, at most twice; after the commands that
  /// were given before.
  ///
  /// - Throws: what the protocol throws for a command that it cannot carry out, `noResponse` after
  ///   the second attempt, `closed` with the channel.
  func perform(_ command: HeadphoneCommand) async throws(HeadphoneError) {
    do throws(GATTError) { try await turns.lock() } catch { throw .cancelled }
    defer { turns.unlock() }
    do throws(HeadphoneError) {
      for exchange in try language.exchanges(for: command) {
        try await execute(exchange, attempts: 2)
      }
    } catch .noResponse {
      // What it has reported meanwhile may say more than its silence.
      _ = try language.accepted(command)
      throw .noResponse
    }
    for event in try language.accepted(command) { report(event) }
  }

  /// Frames a payload and posts it.
  ///
  /// - Throws: `closed` if the channel has ended.
  func write(_ value: Bytes) async throws(HeadphoneError) { try post(language.framed(value)) }

  /// Hands bytes to the bearer; acknowledgements go this way, too, without a frame of their own.
  private func post(_ value: Bytes) throws(HeadphoneError) {
    do throws(BearerClosed) {
      try bearer.post(value)
      sent += 1
    } catch {
      throw .closed(error)
    }
  }

  /// Bytes from the channel, or its end.
  private func take(_ received: Result<Bytes, BearerClosed>) {
    switch received {
    case .failure(let closed): end(.closed(closed))
    case .success(let value):
      for message in language.messages(in: value) { receive(message) }
    }
  }

  /// One message: changed descriptions first, then events, the protocol's own reply, and the
  /// exchange that it answers.
  private func receive(_ message: Bytes) {
    let before = (language.capabilities, language.information)
    let received = language.receive(message)
    if let reportChange, before != (language.capabilities, language.information) {
      reportChange(language)
    }
    for event in received.events { report(event) }
    // A closed bearer reports its own end.
    if let reply = received.reply { try? post(reply[...]) }
    if let answer = received.answer { execute(queue.receive(answer: answer, at: timeline.elapsed)) }
  }

  /// Ends what waits.
  func end(_ error: HeadphoneError) {
    guard ended == nil else { return }
    ended = error
    watch?.cancel()
    execute(queue.fail(error))
    reportEnd(error)
  }
}
