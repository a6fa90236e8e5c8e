public import BluetoothCodec
internal import Locking

/// The mediator between radios, which ask during a pairing, and user interfaces, which answer.
///
/// While nothing iterates over ``events()``, no user can be prompted: a pairing that the program
/// itself started and that only needs consent is then accepted, any other is refused.
///
/// ```swift
/// let agent = PairingAgent()
/// Task {
///   for await case .asked(let question) in agent.events() {
///     agent.answer(question.id, .yes)
///   }
/// }
/// let answer = await agent.ask(.consent, for: peer)
/// ```
public final class PairingAgent: Sendable {
  /// A question for the user.
  public struct Question: Hashable, Sendable {
    /// The number of the question, counted from 1.
    public var id: UInt64
    /// The device that is being paired.
    public var peer: PeerAddress
    /// What is asked.
    public var request: PairingRequest
    /// A hint for the answer, for people; `nil` if there is none.
    public var hint: String?
    /// The time for the answer in all.
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
    /// A user answered it.
    case answered
    /// The user did not answer in time.
    case timedOut
    /// The pairing has ended, or its link.
    case ended
  }

  /// A question, or its end.
  public enum Event: Hashable, Sendable {
    /// A new question, or one that has changed and keeps its number.
    case asked(Question)
    /// A question that needs no answer any more, by its number.
    case closed(UInt64, Closing)
  }

  /// The progress of an answer: it may be given before its asker waits.
  private enum Reply {
    /// Neither an answer nor a waiting task.
    case none
    /// An answer that no task has taken yet; `nil` if the request was cancelled.
    case given(PairingAnswer?)
    /// A task that waits for the answer.
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
  private let state = Mutex(State())

  /// An agent without user interfaces.
  ///
  /// - Parameters:
  ///   - clock: measures the time for answers.
  ///   - timeout: the time for each answer.
  public init(
    clock: any Clock<Duration> = ContinuousClock(), timeout: Duration = .seconds(25)
  ) {
    self.clock = clock
    self.timeout = timeout
  }

  // MARK: For user interfaces

  /// Whether a user can be prompted.
  public var isAttended: Bool { state.withLock { !$0.people.isEmpty } }

  /// The questions from now on.
  ///
  /// Iterating over them declares that a user can be prompted. With several consumers the first
  /// answer counts.
  public func events() -> AsyncStream<Event> {
    let (events, person) = AsyncStream<Event>.makeStream()
    let number = state.withLock { state in
      state.lastPerson += 1
      state.people[state.lastPerson] = person
      return state.lastPerson
    }
    person.onTermination = { [weak self] _ in
      // The removed continuation is destroyed outside the lock, which the end of a stream may take.
      _ = self?.state.withLock { $0.people.removeValue(forKey: number) }
    }
    return events
  }

  /// Answers a question; without effect if it is closed.
  ///
  /// - Parameters:
  ///   - id: the question's number.
  ///   - answer: the user's answer.
  public func reply(to id: UInt64, with answer: PairingAnswer) { close(id, .answered, answer) }

  // MARK: For radios

  /// Asks a question and waits for the answer.
  ///
  /// - Parameters:
  ///   - request: what is asked.
  ///   - peer: the device that is being paired.
  ///   - hint: a hint for the answer, for people.
  ///   - isBegun: whether the program started the pairing, and not the headphone.
  /// - Returns: `nil` if there was no answer in time, or the task was cancelled.
  public func ask(
    _ request: PairingRequest, for peer: PeerAddress, hint: String? = nil, isBegun: Bool = true
  ) async -> PairingAnswer? {
    guard let id = open(request, peer, hint) else {
      return isBegun && request == .consent ? .yes : .no
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

  /// Changes the open question about a device, for example the number of digits entered so far.
  ///
  /// - Parameters:
  ///   - request: replaces what is asked.
  ///   - peer: the device; without effect if there is no question about it.
  public func revise(_ request: PairingRequest, for peer: PeerAddress) {
    state.withLock { state in
      guard let id = state.open.first(where: { $1.question.peer == peer })?.key else { return }
      state.open[id]?.question.request = request
      if let question = state.open[id]?.question { state.report(.asked(question)) }
    }
  }

  // MARK: -

  /// Opens a question; `nil` without a user interface.
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

  /// Waits for the answer, or takes the one that came first.
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

  /// Closes a question once, and resumes its asker.
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
