public import BluetoothCodec
internal import Synchronization

/// The pairing agent: radios ask it, and the user interface answers.
///
/// While nothing iterates over ``events()``, no user can be prompted: a pairing that the program
/// itself began and that only wants consent is accepted then, any other is refused.
public final class PairingAgent: Sendable {
  /// A question for the user.
  public struct Question: Hashable, Sendable {
    /// Counts up from 1.
    public var id: UInt64
    public var peer: PeerAddress
    public var request: PairingRequest
    /// What helps to answer, in words; nil if there is nothing.
    public var hint: String?
    /// The time for the answer, in all.
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

  /// Why a question is no longer open.
  public enum Closing: Hashable, Sendable {
    case answered
    /// The user did not answer in time.
    case timedOut
    /// The pairing has ended, or its link.
    case ended
  }

  /// A question, or its end.
  public enum Event: Hashable, Sendable {
    /// A new question, or one that has changed and keeps its identity.
    case asked(Question)
    /// A question, by its id, that needs no answer any more.
    case closed(UInt64, Closing)
  }

  private enum Reply {
    case none
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
  /// Less than the 30 s after which pairing itself gives up (Core 5.4, Vol 3, Part H, 3.4).
  private let timeout: Duration
  private let state = Mutex(State())

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
  /// Iterating over them declares that a user can be prompted. With several listeners the first
  /// answer counts.
  public func events() -> AsyncStream<Event> {
    let (events, person) = AsyncStream<Event>.makeStream()
    let number = state.withLock { state in
      state.lastPerson += 1
      state.people[state.lastPerson] = person
      return state.lastPerson
    }
    person.onTermination = { [weak self] _ in
      // Not yet destroyed within the lock: a stream's end may take it.
      _ = self?.state.withLock { $0.people.removeValue(forKey: number) }
    }
    return events
  }

  /// Answers a question, unless it is closed.
  public func answer(_ id: UInt64, _ answer: PairingAnswer) { close(id, .answered, answer) }

  // MARK: For radios

  /// Asks, and waits for the answer.
  ///
  /// - Parameters:
  ///   - hint: what helps to answer, in words.
  ///   - isBegun: whether the program began the pairing, and not the headphone by itself.
  /// - Returns: nil if there was no answer in time, or the task was cancelled.
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

  /// Changes the open question about a headphone, if there is one.
  public func revise(_ request: PairingRequest, for peer: PeerAddress) {
    state.withLock { state in
      guard let id = state.open.first(where: { $1.question.peer == peer })?.key else { return }
      state.open[id]?.question.request = request
      if let question = state.open[id]?.question { state.report(.asked(question)) }
    }
  }

  // MARK: -

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
