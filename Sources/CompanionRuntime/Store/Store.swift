public import Companion

/// The owner of the app's state, which changes by actions only.
///
/// ```swift
/// let store = Store(handler: effects, now: { .now })
/// store.send(.pressed(.nextANC))
/// for await state in store.follow() { draw(state) }
/// ```
///
/// Everything happens on the main actor, in this order for each action: `reduce` changes the state,
/// its effects begin, actions that these sent at once are reduced, and then observers get the new
/// state, once. An observer that is slow misses states in between, never the last.
@MainActor
public final class Store {
  /// The current state.
  public private(set) var state: State
  /// The state now and after each change; a slow reader gets the newest only.
  public let states: AsyncStream<State>

  private let handler: any EffectHandler
  private let now: @Sendable () -> Timestamp
  private let timeAsleep: @Sendable () -> Duration
  /// The time asleep at the last action.
  private var lastAsleep: Duration
  private let log: (LogLine) -> Void
  private let changes: AsyncStream<State>.Continuation
  private var followers: [Int: AsyncStream<State>.Continuation] = [:]
  private var followerCount = 0
  private var waiting: [Action] = []
  private var isSending = false

  /// - Parameters:
  ///   - handler: runs the effects that `reduce` returns.
  ///   - now: timestamps actions.
  ///   - timeAsleep: how long the computer was suspended since it was started.
  ///   - log: receives each line of the log once.
  public init(
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

  /// Reduces an action.
  ///
  /// Actions that are sent while one is reduced are queued.
  public func send(_ action: Action) {
    waiting.append(action)
    process { [] }
  }

  /// Reduces an action of a further screen, which has its own page, selection and dialog.
  ///
  /// - Parameters:
  ///   - viewpoint: the screen's own state.
  ///   - keep: returns true for an effect that the caller runs itself.
  /// - Returns: the screen's own state after the action.
  public func send(
    _ action: Action, from viewpoint: ScreenState, keep: (Effect) -> Bool = { _ in false }
  ) -> ScreenState {
    var moved = viewpoint
    process {
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

  /// Reduces a key on behalf of a command.
  ///
  /// The key never answers a dialog of a screen.
  ///
  /// - Parameters:
  ///   - id: the headphone; nil: the selected one.
  ///   - dialog: the dialog that the key answers; nil: none.
  ///   - keep: returns true for an effect that the caller runs itself.
  public func press(
    _ command: UserCommand, for id: HeadphoneID? = nil, in dialog: Dialog? = nil,
    keep: (Effect) -> Bool = { _ in false }
  ) {
    process {
      let (own, questions) = (state.viewpoint, state.waitingPairings)
      var view = state.firstViewpoint
      view.selected = id ?? view.selected
      view.dialog = dialog
      state.viewpoint = view
      state.waitingPairings = []
      let effects = state.reduce(.pressed(command), at: now())
      state.viewpoint = own
      state.waitingPairings = questions + state.waitingPairings
      return effects.filter { !keep($0) }
    }
  }

  /// The state now and after each change, for one more observer.
  ///
  /// - Parameter policy: which states a slow observer gets; by default the newest only.
  public func follow(
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

  /// Finishes ``states`` and all streams of ``follow(_:)``.
  ///
  /// Loops over the streams then end; the store can still reduce.
  public func finish() {
    changes.finish()
    for follower in followers.values { follower.finish() }
  }

  /// Applies a change, begins its effects, reduces what is queued, and then notifies once.
  ///
  /// Re-entrant calls only apply their change; the outermost call drains the queue.
  private func process(_ change: () -> [Effect]) {
    guard !isSending else { return begin(change()) }
    isSending = true
    let logged = state.log.total
    // Without the log: comparing it would force a copy at each action.
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

  /// Sends `Action.woke` before the first action after a suspend; nothing is watched for that.
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

extension State {
  /// A copy without the log, so that the log is never shared.
  fileprivate var withoutLog: State {
    var state = self
    state.log = Log()
    return state
  }
}
