/// The jobs and timers that other threads submitted, protected by the lock of ``PollLoop``.
struct JobQueue<Job: Sendable, Timer: Sendable>: Sendable {
  private var jobs: [Job] = []
  private var timers = TimerQueue<Timer>()
  /// Whether the loop's thread found nothing to do, so that it waits or is about to wait.
  private var isWaiting = false

  mutating func append(_ job: Job) -> Bool {
    jobs.append(job)
    return mustWake()
  }

  mutating func add(_ timer: Timer, at deadline: Duration) -> (id: Int, mustWake: Bool) {
    let earliest = timers.earliest
    let id = timers.add(timer, at: deadline)
    let isEarliest = earliest.map { deadline < $0 } ?? true
    return (id, isEarliest && mustWake())
  }

  /// Removes a timer, or returns nil if it was due before or never existed.
  mutating func removeTimer(_ id: Int) -> Timer? { timers.remove(id) }

  var timerCount: Int { timers.count }

  /// Takes all jobs and the timers that are due.
  ///
  /// Returns also the next deadline, and whether the thread may wait, in which case other threads
  /// must wake it from then on. `batch` must be empty; its storage is reused.
  mutating func drain(
    _ batch: inout [Job], isBusy: Bool, at now: @autoclosure () -> Duration
  ) -> (due: [Timer], deadline: Duration?, mayWait: Bool) {
    swap(&jobs, &batch)
    let due = timers.count == 0 ? [] : timers.removeDue(at: now())
    isWaiting = batch.isEmpty && due.isEmpty && !isBusy
    return (due, timers.earliest, isWaiting)
  }

  private mutating func mustWake() -> Bool {
    defer { isWaiting = false }
    return isWaiting
  }
}

/// Timers sorted by deadline; insertion is O(*n*), which suffices for the few of a loop.
private struct TimerQueue<Timer: Sendable>: Sendable {
  private struct Entry: Sendable {
    var id: Int
    var deadline: Duration
    var timer: Timer
  }

  /// The timers with the earliest deadline last, and of equal deadlines the first added last.
  private var entries: [Entry] = []
  private var lastID = 0

  var count: Int { entries.count }

  var earliest: Duration? { entries.last?.deadline }

  mutating func add(_ timer: Timer, at deadline: Duration) -> Int {
    lastID += 1
    let index = entries.firstIndex { $0.deadline <= deadline } ?? entries.endIndex
    entries.insert(Entry(id: lastID, deadline: deadline, timer: timer), at: index)
    return lastID
  }

  mutating func remove(_ id: Int) -> Timer? {
    guard let index = entries.lastIndex(where: { $0.id == id }) else { return nil }
    return entries.remove(at: index).timer
  }

  mutating func removeDue(at now: Duration) -> [Timer] {
    let due = entries.reversed().prefix { $0.deadline <= now }
    entries.removeLast(due.count)
    return due.map(\.timer)
  }
}
