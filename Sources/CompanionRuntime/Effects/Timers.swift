internal import Companion

/// Timers by name; of each there is at most one.
@MainActor
struct Timers {
  private let clock: any Clock<Duration>
  private var running: [TimerID: Task<Void, Never>] = [:]

  init(clock: any Clock<Duration>) { self.clock = clock }

  /// Starts a timer, in the place of a running one of this name.
  mutating func start(_ id: TimerID, _ length: Duration, fired: @escaping @MainActor () -> Void) {
    running[id]?.cancel()
    running[id] = Task { [clock] in
      try? await clock.sleep(for: length)
      // On this actor nobody can cancel between this check and what follows.
      if !Task.isCancelled { fired() }
    }
  }

  mutating func cancel(_ id: TimerID) { running.removeValue(forKey: id)?.cancel() }

  mutating func cancelAll() {
    for task in running.values { task.cancel() }
    running = [:]
  }
}
