package import Companion

/// The owner of the app's state, which changes only by actions.
///
/// Each action is processed on the main actor in this order: `reduce` changes the state, its
/// effects begin, actions sent by these are reduced, and then observers get the new state, once. A
/// slow observer misses intermediate states, never the last.
@MainActor
package final class Store {
  package private(set) var state: State
  /// The state now and after each change; a slow reader gets only the newest.
  package let states: AsyncStream<State>

  private let handler: any EffectHandler
  private let now: @Sendable () -> Timestamp
  private let timeAsleep: @Sendable () -> Duration
  private var lastAsleep: Duration
  private let log: (LogLine) -> Void
  private let changes: AsyncStream<State>.Continuation
  private var followers: [Int: AsyncStream<State>.Continuation] = [:]
  private var followerCount = 0
  private var waiting: [Action] = []
  private var isSending = false
  private var holderCount: UInt64 = 0

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - timeAsleep: The total time the computer has been suspended since boot.
  ///   - log: Receives each line of the log once.
  package init(
    _ state: State = State(), handler: any EffectHandler, now: @escaping @Sendable () -> Timestamp,
    timeAsleep: @escaping @Sendable () -> Duration = { .zero },
    log: @escaping (LogLine) -> Void = { _ in }
  ) {
    self.timeAsleep = timeAsleep
    lastAsleep = timeAsleep()
    self.state = state
    self.handler = handler
    self.now = now
    self.log = log
    (states, changes) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    changes.yield(state)
  }

  package func send(_ action: Action) {
    waiting.append(action)
    process { [] }
  }

  /// Reduces an action of another screen, which has its page, selection and dialog.
  ///
  /// - Parameter keep: Returns true for an effect that the caller runs.
  ///
  /// - Returns: The state of that screen after the action.
  package func send(
    _ action: Action, from viewpoint: ScreenState, keep: (Effect) -> Bool = { _ in false }
  ) -> ScreenState {
    var view = viewpoint
    process { reduce(action, in: &view).filter { !keep($0) } }
    return view
  }

  /// Reduces an action in the viewpoint of another screen, or of a command.
  private func reduce(_ action: Action, in view: inout ScreenState) -> [Effect] {
    let own = state.viewpoint
    state.viewpoint = view
    let effects = state.reduce(action, at: now())
    view = state.viewpoint
    state.viewpoint = own
    return effects
  }

  /// Reduces a key on behalf of a command.
  ///
  /// The key never answers a dialog of a screen, and nothing of a screen changes.
  ///
  /// - Parameters:
  ///   - id: The headphone, or nil for the selected one.
  ///   - dialog: The dialog that the key answers, or nil if there is none.
  ///   - keep: Returns true for an effect that the caller runs.
  ///
  /// - Returns: The notice that a screen would show, or nil if there is none.
  @discardableResult
  package func press(
    _ command: UserCommand, for id: HeadphoneID? = nil, in dialog: Dialog? = nil,
    as holder: LinkHolder = .program, keep: (Effect) -> Bool = { _ in false }
  ) -> Notice? {
    var view = state.firstViewpoint
    view.selected = id ?? view.selected
    view.dialog = dialog
    view.holder = holder
    process {
      let questions = state.pairings
      state.pairings = []
      defer { state.pairings = questions + state.pairings }
      return reduce(.pressed(command), in: &view).filter { !keep($0) && !$0.isOfNotice }
    }
    return view.notice
  }

  package func holder() -> LinkHolder {
    holderCount += 1
    return .command(holderCount)
  }

  /// Returns the state now and after each change, for one more observer.
  package func follow(
    _ policy: AsyncStream<State>.Continuation.BufferingPolicy = .bufferingNewest(1)
  ) -> AsyncStream<State> {
    let (stream, follower) = AsyncStream.makeStream(of: State.self, bufferingPolicy: policy)
    followerCount += 1
    let number = followerCount
    followers[number] = follower
    follower.onTermination = { [weak self] _ in
      Task { @MainActor in self?.followers[number] = nil }
    }
    follower.yield(state)
    return stream
  }

  /// Finishes ``states`` and all streams of ``follow(_:)``; the store can still reduce.
  package func finish() {
    changes.finish()
    for follower in followers.values { follower.finish() }
  }

  /// Applies a change, begins its effects, reduces queued actions, and notifies observers once.
  ///
  /// Re-entrant calls only apply their change; the outermost call drains the queue.
  private func process(_ change: () -> [Effect]) {
    guard !isSending else { return begin(change()) }
    isSending = true
    let logged = state.log.total
    // Comparing the log would force a copy at each action.
    let before = state.withoutLog
    noteSleep()
    begin(change())
    while !waiting.isEmpty { begin(state.reduce(waiting.removeFirst(), at: now())) }
    isSending = false
    let added = state.log.total - logged
    for line in state.log.lines.suffix(added) { log(line) }
    guard added > 0 || state.withoutLog != before else { return }
    changes.yield(state)
    for follower in followers.values { follower.yield(state) }
  }

  /// Sends `Action.woke` before the first action after a suspend.
  private func noteSleep() {
    let asleep = timeAsleep()
    defer { lastAsleep = asleep }
    guard asleep - lastAsleep >= .seconds(1) else { return }
    begin(state.reduce(.woke(asleep: asleep - lastAsleep), at: now()))
  }

  private func begin(_ effects: [Effect]) {
    for effect in effects { handler.begin(effect) { [weak self] in self?.send($0) } }
  }
}

extension Effect {
  /// Whether the action concerns the display time of a notice, for which a command needs no timer.
  fileprivate var isOfNotice: Bool {
    switch self {
    case .startTimer(.notice, _), .cancelTimer(.notice): true
    default: false
    }
  }
}

extension State {
  fileprivate var withoutLog: State {
    var state = self
    state.log = Log()
    return state
  }
}
