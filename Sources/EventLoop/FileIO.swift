internal import CPoll
internal import Glibc

/// The thread for calls that wait for a disk or for another process: files, file locks, /proc.
///
/// Neither the main actor nor the thread that polls the links may make such calls: a slow disk or a
/// stopped process would freeze the screen, or every link. Work runs in the order in which it was
/// submitted, one piece at a time.
///
/// ```swift
/// let bytes = try await FileIO.shared.run { () throws(FileError) in try file.read() }
/// ```
public actor FileIO {
  /// The lane of the program's own files.
  ///
  /// Task-local, so that a test may have one that hangs.
  @TaskLocal public static var shared = FileIO(threadName: "earshot-files")
  /// A lane of its own for the paths that a person has named.
  ///
  /// They may lead to a mount that hangs, which must not keep the program from its own files.
  @TaskLocal public static var named = FileIO(threadName: "earshot-paths")

  /// The thread's loop, for waiting on descriptors such as those of inotify.
  public nonisolated let loop: PollLoop

  /// Starts the thread, which lives as long as the process.
  ///
  /// - Parameter threadName: the name that tools such as `top -H` show, truncated to 15 bytes.
  public init(threadName: String) { loop = PollLoop(name: threadName) }

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }

  /// Runs blocking work on the thread.
  ///
  /// - Parameter work: not interrupted when the caller's task is cancelled.
  /// - Returns: what the work returns.
  /// - Throws: what the work throws.
  public func run<Value: Sendable, Failure>(
    _ work: @Sendable () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try work()
  }

  /// Runs blocking work on the thread, and waits only for a limited time.
  ///
  /// - Parameters:
  ///   - limit: the time, of the real clock.
  ///   - work: goes on after the time, and its result is lost then.
  /// - Returns: what the work returns; `nil` if the disk took longer, or the task was cancelled.
  public nonisolated func run<Value: Sendable>(
    within limit: Duration, _ work: @escaping @Sendable () -> Value
  ) async -> Value? {
    let (results, result) = AsyncStream<Value>.makeStream()
    Task { await run { _ = result.yield(work()) } }
    return await EventLoop.within(limit, by: LoopClock(.shared)) {
      await results.first { _ in true }
    } ?? nil
  }

  /// Runs blocking work at the end of the process, and waits only for a limited time.
  ///
  /// The main thread, which calls `exit`, runs no tasks any more, and the thread for files may wait for
  /// a disk that stalls. So the work has a thread of its own, which is left behind after the time.
  ///
  /// - Parameters:
  ///   - limit: the time, in whole seconds.
  ///   - work: what is to be done before the process ends.
  public static func runLast(within limit: Duration, _ work: @escaping @Sendable () -> Void) {
    var thread: pthread_t = 0
    let last = Unmanaged.passRetained(LastWork(work))
    guard pthread_create(&thread, nil, runLastWork, last.toOpaque()) == 0 else {
      return last.takeRetainedValue().work()
    }
    var deadline = timespec()
    clock_gettime(CLOCK_REALTIME, &deadline)
    deadline.tv_sec += Int(limit.components.seconds)
    if pthread_timedjoin_np(thread, nil, &deadline) != 0 { pthread_detach(thread) }
  }
}

/// The work of the process's end, on its way to a thread.
private final class LastWork: Sendable {
  let work: @Sendable () -> Void

  init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}

private func runLastWork(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  work.map { Unmanaged<LastWork>.fromOpaque($0).takeRetainedValue().work() }
  return nil
}
