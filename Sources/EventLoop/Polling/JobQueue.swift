/// Jobs to run now, and jobs to run at a time.
struct JobQueue {
  private var ready: [UnownedJob] = []
  /// The nearest deadline last; few at a time.
  private var sleepers: [(job: UnownedJob, deadline: Duration)] = []
  /// Whether the thread sleeps, or is about to, and must be woken for a job.
  private var isAsleep = false

  /// Returns whether the thread must be woken.
  mutating func add(_ job: UnownedJob) -> Bool {
    ready.append(job)
    return wake()
  }

  /// Returns whether the thread must be woken.
  mutating func add(_ job: UnownedJob, at deadline: Duration) -> Bool {
    let index = sleepers.firstIndex { $0.deadline <= deadline } ?? sleepers.endIndex
    sleepers.insert((job, deadline), at: index)
    return index == sleepers.indices.last ? wake() : false
  }

  /// The jobs to run now; if there are none, the thread is to sleep until the deadline.
  mutating func next(at now: Duration) -> ([UnownedJob], deadline: Duration?) {
    var jobs = ready
    ready = []
    while let last = sleepers.last, last.deadline <= now { jobs.append(sleepers.removeLast().job) }
    isAsleep = jobs.isEmpty
    return (jobs, sleepers.last?.deadline)
  }

  private mutating func wake() -> Bool {
    defer { isAsleep = false }
    return isAsleep
  }
}
