internal import Glibc
@_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) internal import _Concurrency

/// The loop of the main thread, which runs all tasks but those of actors with another loop.
///
/// Swift's executors on Linux use libdispatch, whose first job starts a timer that wakes the
/// process every second from then on. With this loop, an idle program sleeps in one `epoll_wait`
/// without a timeout. Only this file uses Swift's experimental interface to executors.
package enum MainLoop {
  /// A clock whose sleeps end on the main thread, and leave no timer behind when cancelled.
  package static let clock = LoopClock(MainThreadExecutor.shared.loop)

  /// Runs the program on the main thread, before any task exists, and exits with its result.
  package static func run(_ body: @escaping @MainActor @Sendable () async -> Int32) -> Never {
    _createExecutors(factory: Executors.self)
    Task { @MainActor in exit(await body()) }
    MainThreadExecutor.shared.serve()
  }
}

/// The main loop as the executor of the main actor and of all tasks without an executor.
private final class MainThreadExecutor: MainExecutor, TaskExecutor, SchedulingExecutor {
  static let shared = MainThreadExecutor()

  let loop = PollLoop.onCurrentThread()

  func enqueue(_ job: consuming ExecutorJob) { loop.enqueue(job) }

  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
  ) {
    // Only Swift's clocks get here, and their durations are the standard library's.
    loop.enqueue(job, after: delay as? Duration ?? .zero)
  }

  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
  ) {
    enqueue(job, after: clock.now.duration(to: instant), tolerance: tolerance, clock: clock)
  }

  func run() { serve() }

  func serve() -> Never {
    loop.serve {
      $0.runSynchronously(
        isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }
  }

  func stop() {}

  func checkIsolated() { precondition(loop.isOnThread, "not on the main thread") }

  func isIsolatingCurrentContext() -> Bool? { loop.isOnThread }
}

private struct Executors: ExecutorFactory {
  static var mainExecutor: any MainExecutor { MainThreadExecutor.shared }
  static var defaultExecutor: any TaskExecutor { MainThreadExecutor.shared }
}
