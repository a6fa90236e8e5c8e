internal import CPoll
internal import Glibc

/// A thread for calls that wait for a disk or another process: files, file locks, /proc.
///
/// On the main actor or the thread that polls the links, a slow disk or a stopped process would
/// freeze the screen or every link. Work runs in order, one piece at a time.
package actor FileIO {
  /// The thread for the program's own files; tests may replace it with one that hangs.
  @TaskLocal package static var shared = FileIO(threadName: "earshot-files")
  /// The thread for paths that the user named, whose mount may hang.
  @TaskLocal package static var named = FileIO(threadName: "earshot-paths")

  /// The thread's loop, for waiting on descriptors such as those of inotify.
  package nonisolated let loop: PollLoop

  /// Starts the thread, which lives as long as the process and has this name in `top -H`.
  package init(threadName: String) { loop = PollLoop(name: threadName) }

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  /// Runs blocking work on the thread; cancelling the caller's task does not interrupt it.
  package func run<Value: Sendable, Failure>(
    _ work: @Sendable () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try work()
  }

  /// Runs blocking work on the thread and returns its result, or nil if `limit` passes first.
  ///
  /// If so, or if the task is cancelled, the work continues and its result is lost.
  package nonisolated func run<Value: Sendable>(
    within limit: Duration, by clock: any Clock<Duration> = LoopClock(.shared),
    _ work: @escaping @Sendable () -> Value
  ) async -> Value? {
    let (results, result) = AsyncStream<Value>.makeStream()
    Task { await run { _ = result.yield(work()) } }
    return await EventLoop.within(limit, by: clock) {
      await results.first { _ in true }
    } ?? nil
  }

  /// Runs blocking work at the end of the process, waiting at most `limit` in whole seconds.
  ///
  /// The main thread, which calls `exit`, runs no more tasks, and the thread for files may wait for
  /// a stalled disk. So the work gets a new thread, which is abandoned after the time.
  package static func runLast(within limit: Duration, _ work: @escaping @Sendable () -> Void) {
    var thread: pthread_t = 0
    let last = Unmanaged.passRetained(ThreadWork(work))
    guard pthread_create(&thread, nil, runWork, last.toOpaque()) == 0 else {
      return last.takeRetainedValue().work()
    }
    var deadline = timespec()
    clock_gettime(CLOCK_REALTIME, &deadline)
    deadline.tv_sec += Int(limit.components.seconds)
    if pthread_timedjoin_np(thread, nil, &deadline) != 0 { pthread_detach(thread) }
  }

  /// Runs long work on a new thread, which ends with it; drops it if there is no thread left.
  static func detach(_ work: @escaping @Sendable () -> Void) {
    var (thread, attributes) = (pthread_t(), pthread_attr_t())
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, 1 << 18)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let own = Unmanaged.passRetained(ThreadWork(work))
    if pthread_create(&thread, &attributes, runWork, own.toOpaque()) != 0 { own.release() }
  }
}

private final class ThreadWork: Sendable {
  let work: @Sendable () -> Void

  init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}

private func runWork(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  work.map { Unmanaged<ThreadWork>.fromOpaque($0).takeRetainedValue().work() }
  return nil
}
