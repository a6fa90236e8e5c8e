import CPoll
import Glibc
import Synchronization
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

/// Runs all of Swift's tasks on the main thread, except those of actors with a thread of their own.
///
/// Swift's own executors on Linux are libdispatch's. Their first job starts a timer there that
/// wakes the process every second for as long as it lives. Here a program with nothing to do sleeps
/// in one `poll` without a time-out.
final class MainLoop: MainExecutor, TaskExecutor, SchedulingExecutor {
  static let shared = MainLoop()

  /// The main thread, which makes the loop.
  private let thread = pthread_self()
  private let queue = Mutex(JobQueue())
  /// Counts jobs brought while the thread sleeps.
  private let doorbell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
  /// Rings at the next deadline; goes on while the machine is suspended.
  private let alarm = timerfd_create(CLOCK_BOOTTIME, Int32(TFD_CLOEXEC | TFD_NONBLOCK))

  /// Runs `body` and what comes of it; its result is the exit code of the process.
  ///
  /// To be called on the main thread before any task is made.
  static func run(_ body: @escaping @MainActor @Sendable () async -> Int32) -> Never {
    _createExecutors(factory: Executors.self)
    Task { @MainActor in exit(await body()) }
    shared.serve()
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    ringIfAsleep(queue.withLock { $0.add(job) })
  }

  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
  ) {
    let job = UnownedJob(job)
    // Swift's clocks alone come here, and they count as the standard library does.
    let delay = delay as? Duration ?? .zero
    ringIfAsleep(queue.withLock { $0.add(job, at: Self.now + delay) })
  }

  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
  ) {
    enqueue(job, after: clock.now.duration(to: instant), tolerance: tolerance, clock: clock)
  }

  func run() { serve() }

  private func serve() -> Never {
    guard doorbell >= 0, alarm >= 0 else {
      perror("earshot: no descriptor is left")
      exit(1)
    }
    while true {
      let (jobs, deadline) = queue.withLock { $0.next(at: Self.now) }
      for job in jobs {
        job.runSynchronously(
          isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
      }
      if jobs.isEmpty { sleep(until: deadline) }
    }
  }

  /// The loop ends with the process only.
  func stop() {}

  func checkIsolated() {
    precondition(isIsolatingCurrentContext() == true, "not on the main thread")
  }

  func isIsolatingCurrentContext() -> Bool? { pthread_equal(pthread_self(), thread) != 0 }

  private func ringIfAsleep(_ isAsleep: Bool) {
    if isAsleep { eventfd_write(doorbell, 1) }
  }

  private func sleep(until deadline: Duration?) {
    setAlarm(deadline)
    var awaited = [doorbell, alarm].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    poll(&awaited, nfds_t(awaited.count), -1)
    var count: eventfd_t = 0
    eventfd_read(doorbell, &count)
  }

  private func setAlarm(_ deadline: Duration?) {
    var setting = itimerspec()
    if let deadline {
      let (seconds, attoseconds) = deadline.components
      setting.it_value.tv_sec = Int(seconds)
      setting.it_value.tv_nsec = Int(attoseconds / 1_000_000_000)
    }
    timerfd_settime(alarm, Int32(TFD_TIMER_ABSTIME), &setting, nil)
  }

  /// Since the machine's start, its sleep included, as ``ContinuousClock`` has it.
  private static var now: Duration {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}

/// What Swift's runtime asks for at the start.
private struct Executors: ExecutorFactory {
  static var mainExecutor: any MainExecutor { MainLoop.shared }
  static var defaultExecutor: any TaskExecutor { MainLoop.shared }
}
