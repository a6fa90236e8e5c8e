internal import Companion

@MainActor
struct Timers {
  private let clock: any Clock<Duration>
  private var running: [TimerID: Task<Void, Never>] = [:]

  init(clock: any Clock<Duration>) { self.clock = clock }

  mutating func start(_ id: TimerID, _ length: Duration, fired: @escaping @MainActor () -> Void) {
    running[id]?.cancel()
    running[id] = Task { [clock] in
      try? await clock.sleep(for: length)
      // No cancellation can intervene, as this runs on the main actor.
      if !Task.isCancelled { fired() }
    }
  }

  mutating func cancel(_ id: TimerID) { running.removeValue(forKey: id)?.cancel() }

  mutating func cancelAll() {
    for task in running.values { task.cancel() }
    running = [:]
  }
}
