internal import Locking

/// A clock that stands still until a test moves it.
///
/// ```swift
/// let clock = ManualClock()
/// async let answer = something(clock: clock)
/// await clock.pass(.seconds(30))
/// ```
package final class ManualClock: Clock, Sendable {
  package struct Instant: InstantProtocol {
    package var sinceStart: Duration

    package func advanced(by duration: Duration) -> Instant {
      Instant(sinceStart: sinceStart + duration)
    }

    package func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }

    package static func < (a: Instant, b: Instant) -> Bool { a.sinceStart < b.sinceStart }
  }

  private struct Sleeper {
    var id: Int
    var deadline: Instant
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct Watcher {
    var count: Int
    /// The limit within which a sleep must end to count, or nil for none.
    var limit: Duration?
    var continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var now = Instant(sinceStart: .zero)
    var nextID = 0
    var sleepers: [Sleeper] = []
    var watchers: [Watcher] = []
    /// Sleeps that were cancelled before they began.
    var cancelled: Set<Int> = []

    mutating func watchersToWake() -> [Watcher] {
      let awake = watchers.filter(isReached)
      watchers.removeAll(where: isReached)
      return awake
    }

    private func isReached(_ watcher: Watcher) -> Bool {
      guard let limit = watcher.limit else { return watcher.count <= sleepers.count }
      let last = now.advanced(by: limit)
      return watcher.count <= sleepers.count { $0.deadline <= last }
    }
  }

  private let state = Mutex(State())

  package init() {}

  package var now: Instant { state.withLock { $0.now } }

  package var minimumResolution: Duration { .zero }

  package func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        begin(Sleeper(id: id, deadline: deadline, continuation: continuation))
      }
    } onCancel: {
      cancel(id)
    }
  }

  /// Moves the time, and wakes the sleeps that have ended in the order of their deadlines.
  ///
  /// A sleep that begins a moment later starts from the new time. This is a race if the tested code
  /// is about to sleep, so ``pass(_:)`` waits for the sleep. Each call of this function explains
  /// why there is no race.
  package func jump(by duration: Duration) {
    let awake = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let now = state.now
      let awake = state.sleepers.filter { $0.deadline <= now }
      state.sleepers.removeAll { $0.deadline <= now }
      return awake.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in awake { sleeper.continuation.resume() }
  }

  /// Advances the time once a sleep has begun that ends within `duration`.
  ///
  /// A longer sleep does not count: it may have begun before the one that the test means.
  package func pass(_ duration: Duration) async {
    await sleepers(1, within: duration)
    jump(by: duration)
  }

  /// The number of sleeping tasks.
  package var sleeping: Int { state.withLock { $0.sleepers.count } }

  /// Returns once at least `count` tasks sleep.
  ///
  /// - Parameter limit: the limit within which a sleep must end to count, or nil for none.
  package func sleepers(_ count: Int, within limit: Duration? = nil) async {
    await withCheckedContinuation { continuation in
      let awake = state.withLock { state in
        state.watchers.append(Watcher(count: count, limit: limit, continuation: continuation))
        return state.watchersToWake()
      }
      for watcher in awake { watcher.continuation.resume() }
    }
  }

  private func begin(_ sleeper: Sleeper) {
    let (outcome, awake) = state.withLock { state -> (Result<Void, any Error>?, [Watcher]) in
      if state.cancelled.remove(sleeper.id) != nil {
        return (.failure(CancellationError()), [])
      }
      if sleeper.deadline <= state.now { return (.success(()), []) }
      state.sleepers.append(sleeper)
      return (nil, state.watchersToWake())
    }
    if let outcome { sleeper.continuation.resume(with: outcome) }
    for watcher in awake { watcher.continuation.resume() }
  }

  private func cancel(_ id: Int) {
    let sleeper = state.withLock { state -> Sleeper? in
      guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
        state.cancelled.insert(id)
        return nil
      }
      return state.sleepers.remove(at: index)
    }
    sleeper?.continuation.resume(throwing: CancellationError())
  }
}
