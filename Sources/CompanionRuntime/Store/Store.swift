public import Companion

/// Owns the state, and is the only place where it changes.
@MainActor
public final class Store {
  /// Changes by actions only; ``states`` tells each change.
  public private(set) var state: State
  /// The state now and after each change; who is slow gets the newest only.
  public let states: AsyncStream<State>

  private let handler: any EffectHandler
  private let now: @Sendable () -> Timestamp
  private let log: (LogLine) -> Void
  private let changes: AsyncStream<State>.Continuation
  private var followers: [Int: AsyncStream<State>.Continuation] = [:]
  private var followerCount = 0
  private var waiting: [Action] = []
  private var isSending = false

  /// `log` gets each line of the log once.
  public init(
    _ state: State = State(), handler: any EffectHandler, now: @escaping @Sendable () -> Timestamp,
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
    answer { [] }
  }

  /// Answers an action of another screen, which looks from a viewpoint of its own.
  ///
  /// - Parameter keep: takes the effects that are that screen's own; false: it is none.
  /// - Returns: the viewpoint after it.
  public func send(
    _ action: Action, from viewpoint: ScreenState, keep: (Effect) -> Bool = { _ in false }
  ) -> ScreenState {
    var moved = viewpoint
    answer {
      let own = state.viewpoint
      state = state.seen(from: viewpoint)
      let effects = state.reduce(action, at: now())
      moved = state.viewpoint
      state.viewpoint = own
      if [own.dialog, moved.dialog].contains(where: { $0?.isForAll == true }) {
        state.dialog = moved.dialog
        moved.dialog = viewpoint.dialog
      }
      return effects.filter { !keep($0) }
    }
    return moved
  }

  /// The state now and after each change, for one more; who is slow gets the newest only.
  public func follow() -> AsyncStream<State> {
    let (stream, follower) = AsyncStream.makeStream(
      of: State.self, bufferingPolicy: .bufferingNewest(1))
    followerCount += 1
    let number = followerCount
    followers[number] = follower
    follower.onTermination = { [weak self] _ in
      Task { @MainActor in self?.followers[number] = nil }
    }
    follower.yield(state)
    return stream
  }

  /// Ends ``states``, and what follows them.
  public func finish() {
    changes.finish()
    for follower in followers.values { follower.finish() }
  }

  /// Makes a change, begins its effects and answers what waits; then tells all of it at once.
  ///
  /// Within another answer the rest is left to that one, so that nothing is told twice.
  private func answer(_ change: () -> [Effect]) {
    let isOutermost = !isSending
    isSending = true
    let before = state
    begin(change())
    guard isOutermost else { return }
    while !waiting.isEmpty { begin(state.reduce(waiting.removeFirst(), at: now())) }
    isSending = false
    report(since: before)
  }

  private func begin(_ effects: [Effect]) {
    for effect in effects { handler.begin(effect) { [weak self] in self?.send($0) } }
  }

  private func report(since before: State) {
    for line in state.log.lines.suffix(state.log.total - before.log.total) { log(line) }
    guard state != before else { return }
    changes.yield(state)
    for follower in followers.values { follower.yield(state) }
  }
}
