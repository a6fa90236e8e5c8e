public import Companion

/// Owns the state, and is the only place where it changes.
@MainActor
public final class Store {
  public private(set) var state: State
  /// The state now and after each change; who is slow gets the newest only.
  public let states: AsyncStream<State>

  private let handler: any EffectHandler
  private let now: @Sendable () -> Moment
  private let log: (LogLine) -> Void
  private let changes: AsyncStream<State>.Continuation
  private var waiting: [Action] = []
  private var isSending = false

  /// `log` gets each line of the log once.
  public init(
    _ state: State = State(), handler: any EffectHandler, now: @escaping @Sendable () -> Moment,
    log: @escaping (LogLine) -> Void = { _ in }
  ) {
    self.state = state
    self.handler = handler
    self.now = now
    self.log = log
    (states, changes) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    changes.yield(state)
  }

  /// Answers an action; one that is sent meanwhile is answered after it.
  public func send(_ action: Action) {
    waiting.append(action)
    guard !isSending else { return }
    isSending = true
    defer { isSending = false }
    let before = state
    while !waiting.isEmpty {
      let effects = state.reduce(waiting.removeFirst(), at: now())
      for effect in effects { handler.begin(effect) { [weak self] in self?.send($0) } }
    }
    for line in state.log.lines.suffix(state.log.total - before.log.total) { log(line) }
    if state != before { changes.yield(state) }
  }

  /// Ends ``states``.
  public func finish() { changes.finish() }
}
