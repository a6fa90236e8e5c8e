internal import Bluetooth
internal import BluetoothCodec
internal import GATT
internal import HeadphoneProtocols

/// A language that is spoken on a channel of its own, where there is no GATT.
///
/// It runs on the bearer's executor, and does not close it.
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
  /// What this model does not tell by itself.
  private var unreported: Set<AnswerID> = []
  var queue = RequestQueue()
  var waiters: [RequestQueue.Ticket: CheckedContinuation<HeadphoneError?, Never>] = [:]
  var watch: Task<Void, Never>?
  private(set) var ended: HeadphoneError?
  /// Packets that went out.
  private(set) var sent = 0

  /// - Parameters:
  ///   - bearer: connected, and not used before.
  ///   - tellChange: called when what the headphone has, or is, has become another.
  ///   - tellEnd: called once, when the bearer closes or ``end(_:)`` is called.
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

  /// The language's questions, whose values are all news from now on.
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

  /// Orders it and waits for the headphone's word, at most twice.
  func perform(_ command: HeadphoneCommand) async throws(HeadphoneError) {
    for exchange in try language.exchanges(for: command) {
      try await execute(exchange, attempts: 2)
    }
    for event in try language.accepted(command) { report(event) }
  }

  func write(_ value: Bytes) async throws(HeadphoneError) { try post(language.framed(value)) }

  private func post(_ value: Bytes) throws(HeadphoneError) {
    do throws(BearerClosed) {
      try bearer.post(value)
      sent += 1
    } catch {
      throw .closed(error)
    }
  }

  private func take(_ received: Result<Bytes, BearerClosed>) {
    switch received {
    case .failure(let closed): end(.closed(closed))
    case .success(let value):
      for message in language.messages(in: value) { receive(message) }
    }
  }

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
