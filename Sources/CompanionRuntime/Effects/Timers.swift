internal import Companion

/// Named timers, at most one of each name.
///
/// Sleeps of the environment's clock: in the program a timer of the event loop, in tests one that
/// is advanced by hand.
@MainActor
struct Timers {
  private let clock: any Clock<Duration>
  private var running: [TimerID: Task<Void, Never>] = [:]

  init(clock: any Clock<Duration>) { self.clock = clock }

  /// Starts a timer, and cancels a running one of the same name.
  mutating func start(_ id: TimerID, _ length: Duration, fired: @escaping @MainActor () -> Void) {
    running[id]?.cancel()
    running[id] = Task { [clock] in
      try? await clock.sleep(for: length)
      // No cancellation can intervene: this runs on the main actor.
      if !Task.isCancelled { fired() }
    }
  }

  /// Cancels a timer, which then never fires.
  mutating func cancel(_ id: TimerID) { running.removeValue(forKey: id)?.cancel() }

  /// Cancels all timers, at the end of the program.
  mutating func cancelAll() {
    for task in running.values { task.cancel() }
    running = [:]
  }
}
