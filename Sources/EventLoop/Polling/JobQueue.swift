/// The work that other threads have submitted to a loop: jobs to run now, and timers.
///
/// A value without a clock or a lock; ``PollLoop`` protects it with its lock.
struct JobQueue<Job: Sendable, Timer: Sendable>: Sendable {
  private var jobs: [Job] = []
  private var timers = TimerQueue<Timer>()
  /// Whether the loop's thread found nothing to do, so that it waits or is about to wait.
  private var isWaiting = false

  /// Appends a job.
  ///
  /// - Returns: whether the thread must be woken.
  mutating func append(_ job: Job) -> Bool {
    jobs.append(job)
    return mustWake()
  }

  /// Adds a timer.
  ///
  /// - Returns: the timer's number, and whether the thread must be woken.
  mutating func add(_ timer: Timer, at deadline: Duration) -> (id: Int, mustWake: Bool) {
    let earliest = timers.earliest
    let id = timers.add(timer, at: deadline)
    let isEarliest = earliest.map { deadline < $0 } ?? true
    return (id, isEarliest && mustWake())
  }

  /// Removes a timer; `nil` if it was due already or never existed.
  mutating func removeTimer(_ id: Int) -> Timer? { timers.remove(id) }

  /// The number of timers that are not due yet.
  var timerCount: Int { timers.count }

  /// Takes all jobs and the timers that are due.
  ///
  /// - Parameters:
  ///   - batch: filled with the jobs; must be empty, and lends its storage for the next ones.
  ///   - isBusy: whether the thread has other work, so that it does not wait in any case.
  ///   - now: the time; evaluated only if there are timers.
  /// - Returns: the timers that are due, the next deadline, and whether the thread may wait: from
  ///   then on other threads must wake it.
  mutating func drain(
    _ batch: inout [Job], isBusy: Bool, at now: @autoclosure () -> Duration
  ) -> (due: [Timer], deadline: Duration?, mayWait: Bool) {
    swap(&jobs, &batch)
    let due = timers.count == 0 ? [] : timers.removeDue(at: now())
    isWaiting = batch.isEmpty && due.isEmpty && !isBusy
    return (due, timers.earliest, isWaiting)
  }

  /// Whether the waiting thread must be woken; only the first caller has to.
  private mutating func mustWake() -> Bool {
    defer { isWaiting = false }
    return isWaiting
  }
}

/// Timers sorted by deadline.
///
/// Insertion is O(*n*), which is fine for the few timers of a loop.
private struct TimerQueue<Timer: Sendable>: Sendable {
  private struct Entry: Sendable {
    var id: Int
    var deadline: Duration
    var timer: Timer
  }

  /// The earliest deadline last; of equal ones the first added last.
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
