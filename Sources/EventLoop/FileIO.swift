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
  /// The shared instance, which is enough for most programs.
  public static let shared = FileIO(threadName: "earshot-files")

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
}
