public import BluetoothCodec
internal import Locking

/// The mediator between radios, which ask during pairing, and user interfaces, which answer.
///
/// While nothing iterates over ``events()``, no pairing is begun, and one that the headphone begins
/// is refused.
///
/// ```swift
/// let agent = PairingAgent()
/// Task {
///   for await case .asked(let question) in agent.events() {
///     agent.reply(to: question.id, with: .yes)
///   }
/// }
/// let answer = await agent.ask(.consent, for: peer)
/// ```
public final class PairingAgent: Sendable {
  /// A question for the user.
  public struct Question: Hashable, Sendable {
    /// The number of the question, counted from 1.
    public var id: UInt64
    public var peer: PeerAddress
    public var request: PairingRequest
    /// A hint for the user about the answer, or nil if there is none.
    public var hint: String?
    /// The total time to answer.
    public var limit: Duration

    public init(
      id: UInt64, peer: PeerAddress, request: PairingRequest, hint: String? = nil, limit: Duration
    ) {
      self.id = id
      self.peer = peer
      self.request = request
      self.hint = hint
      self.limit = limit
    }
  }

  /// The reason why a question is no longer open.
  public enum Closing: Hashable, Sendable {
    case answered
    case timedOut
    case ended
  }

  /// A question, or its end.
  public enum Event: Hashable, Sendable {
    /// A question was asked, or an open one changed.
    case asked(Question)
    /// The question with this number needs no answer any more.
    case closed(UInt64, Closing)
  }

  private enum Reply {
    case none
    /// No task has taken the reply yet; nil means that the request was cancelled.
    case given(PairingAnswer?)
    case waiting(CheckedContinuation<PairingAnswer?, Never>)
  }

  private struct State {
    var lastID: UInt64 = 0
    var open: [UInt64: (question: Question, reply: Reply)] = [:]
    var people: [UInt64: AsyncStream<Event>.Continuation] = [:]
    var lastPerson: UInt64 = 0

    func report(_ event: Event) { for person in people.values { person.yield(event) } }
  }

  private let clock: any Clock<Duration>
  /// The time for each answer, less than the 30 s of a pairing step (Core 5.4, Vol 3, Part H, 3.4).
  private let timeout: Duration
  private let consentsUnattended: Bool
  private let state = Mutex(State())

  /// Creates an agent without user interfaces.
  ///
  /// - Parameter consentsUnattended: whether a pairing that the program started and that only needs
  ///   consent is accepted while no user can be prompted; for tests.
  public init(
    clock: any Clock<Duration> = ContinuousClock(), timeout: Duration = .seconds(25),
    consentsUnattended: Bool = false
  ) {
    self.clock = clock
    self.timeout = timeout
    self.consentsUnattended = consentsUnattended
  }

  public var isAttended: Bool { state.withLock { !$0.people.isEmpty } }

  /// Returns a stream of the questions from now on.
  ///
  /// Iterating over it declares that a user can be prompted. Of several consumers, the first answer
  /// counts.
  public func events() -> AsyncStream<Event> {
    let (events, person) = AsyncStream<Event>.makeStream()
    let number = state.withLock { state in
      state.lastPerson += 1
      state.people[state.lastPerson] = person
      return state.lastPerson
    }
    person.onTermination = { [weak self] _ in
      // Destroy the continuation outside the lock, which the end of a stream may take.
      _ = self?.state.withLock { $0.people.removeValue(forKey: number) }
    }
    return events
  }

  /// Answers the question with this number; has no effect if the question is closed.
  public func reply(to id: UInt64, with answer: PairingAnswer) { close(id, .answered, answer) }

  // MARK: For radios

  /// Whether this program may begin a pairing, which without a user nobody would want.
  public var mayBegin: Bool { consentsUnattended || isAttended }

  /// Asks a question and waits; `isBegun` if the program, not the headphone, started the pairing.
  public func ask(
    _ request: PairingRequest, for peer: PeerAddress, hint: String? = nil, isBegun: Bool = true
  ) async -> PairingAnswer? {
    guard let id = open(request, peer, hint) else {
      return consentsUnattended && isBegun && request == .consent ? .yes : .no
    }
    let timer = Task { [clock, timeout] in
      try? await clock.sleep(for: timeout)
      if !Task.isCancelled { close(id, .timedOut, nil) }
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { wait(for: id, $0) }
    } onCancel: {
      close(id, .ended, nil)
    }
  }

  /// Changes the open question about a device, if any, such as the number of digits entered.
  public func revise(_ request: PairingRequest, for peer: PeerAddress) {
    state.withLock { state in
      guard let id = state.open.first(where: { $1.question.peer == peer })?.key else { return }
      state.open[id]?.question.request = request
      if let question = state.open[id]?.question { state.report(.asked(question)) }
    }
  }

  private func open(_ request: PairingRequest, _ peer: PeerAddress, _ hint: String?) -> UInt64? {
    state.withLock { state in
      guard !state.people.isEmpty else { return nil }
      state.lastID += 1
      let question = Question(
        id: state.lastID, peer: peer, request: request, hint: hint, limit: timeout)
      state.open[question.id] = (question, .none)
      state.report(.asked(question))
      return question.id
    }
  }

  private func wait(for id: UInt64, _ continuation: CheckedContinuation<PairingAnswer?, Never>) {
    let given: PairingAnswer?? = state.withLock { state in
      if case .given(let answer) = state.open[id]?.reply {
        state.open[id] = nil
        return .some(answer)
      }
      state.open[id]?.reply = .waiting(continuation)
      return nil
    }
    if let given { continuation.resume(returning: given) }
  }

  private func close(_ id: UInt64, _ closing: Closing, _ answer: PairingAnswer?) {
    let waiting: CheckedContinuation<PairingAnswer?, Never>? = state.withLock { state in
      switch state.open[id]?.reply {
      case nil, .given: return nil
      case .some(.none):
        state.open[id]?.reply = .given(answer)
        state.report(.closed(id, closing))
        return nil
      case .waiting(let continuation):
        state.open[id] = nil
        state.report(.closed(id, closing))
        return continuation
      }
    }
    waiting?.resume(returning: answer)
  }
}
