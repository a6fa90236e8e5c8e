internal import BluetoothCodec
public import GATT

/// The driver for AirPods and Beats whose audio side is connected: no GATT, packets of their own.
///
/// It runs on the bearer's executor and does not close it.
public actor AACPDriver: HeadphoneDriver, Exchanging {
  private nonisolated let outlet = EventOutlet()
  private nonisolated let bearer: any Bearer
  private nonisolated let executor: UnownedSerialExecutor
  let clock: any Clock<Duration>
  let timeline: Timeline

  private nonisolated let models: ModelBook
  private var language = AACPLanguage()
  var desk = ExchangeDesk()
  var waiters: [ExchangeDesk.Ticket: CheckedContinuation<HeadphoneError?, Never>] = [:]
  var watch: Task<Void, Never>?
  private(set) var ended: HeadphoneError?
  private var sent = 0

  /// - Parameter bearer: a connected channel of ``AACPPacket/psm``.
  public init(
    bearer: any Bearer, models: ModelBook = ModelBook(),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.bearer = bearer
    self.models = models
    executor = bearer.executor.asUnownedSerialExecutor()
    self.clock = clock
    timeline = Timeline(clock)
  }

  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor }

  /// Finishes when the bearer closes, or when ``start()`` fails.
  public nonisolated var events: AsyncStream<HeadphoneEvent> { outlet.events }

  public nonisolated func mark(_ number: UInt64) { outlet.tell(.mark(number)) }

  /// Shakes hands, asks for notifications, and waits for the first values.
  ///
  /// A question that stays unanswered takes its feature away.
  /// - Throws: ``HeadphoneError/notAHeadphone(missing:)`` where nobody answers the handshake.
  public func start() async throws(HeadphoneError) -> HeadphoneDescription {
    outlet.tell(.starting(.subscribing))
    bearer.deliver { received in self.assumeIsolated { $0.take(received) } }
    do throws(HeadphoneError) {
      try await askAll()
    } catch {
      end(error)
      throw error
    }
    return HeadphoneDescription(
      driver: AACPLanguage.name,
      capabilities: language.capabilities.narrowed(
        to: models.model(of: .airpods, number: language.information.model)),
      information: language.information, mtu: nil, requests: sent)
  }

  /// Asks all again, the handshake included.
  public func refresh() async throws(HeadphoneError) { try await askAll() }

  private func askAll() async throws(HeadphoneError) {
    let questions = language.questions()
    guard let handshake = questions.first else { return }
    do throws(HeadphoneError) {
      try await carryOut(handshake, attempts: 2)
    } catch .noResponse {
      throw .notAHeadphone(missing: "answer to the handshake of AirPods")
    }
    try await ask(Array(questions.dropFirst()))
    while let next = language.awaited.first(where: { !unanswered.contains($0.answer) }) {
      do throws(HeadphoneError) {
        try await carryOut(next, attempts: 1)
      } catch .noResponse {
        unanswered.insert(next.answer)
      }
    }
  }

  /// What this model does not tell.
  private var unanswered: Set<AnswerID> = []

  /// Orders it and waits for the headphone's echo, at most twice.
  public func perform(_ command: HeadphoneCommand) async throws(HeadphoneError) {
    for exchange in try language.exchanges(for: command) {
      try await carryOut(exchange, attempts: 2)
    }
  }

  func write(_ value: Bytes) async throws(HeadphoneError) {
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
    case .success(let packet):
      let heard = language.hear(packet)
      for event in heard.events { outlet.tell(event) }
      if let answer = heard.answer { carryOut(desk.hear(answer: answer, at: timeline.now())) }
    }
  }

  private func end(_ error: HeadphoneError) {
    guard ended == nil else { return }
    ended = error
    watch?.cancel()
    carryOut(desk.fail(error))
    outlet.finish()
  }
}
