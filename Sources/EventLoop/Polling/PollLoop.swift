internal import Bluetooth
internal import CPoll
internal import Glibc
internal import Locking

/// An event loop: one thread that waits for descriptors and timers, and runs jobs as a serial
/// executor.
///
/// An actor whose `unownedExecutor` is a loop runs on the thread that polls, so that input from a
/// descriptor reaches it without a thread hop. An idle loop sleeps in one `epoll_wait` without a
/// time-out. Jobs of one thread run in the order in which they were enqueued; after 32 rounds of
/// jobs that enqueue further ones, descriptors are polled again. A loop lives as long as the
/// process; make few.
///
/// ```swift
/// actor Reader {
///   nonisolated var unownedExecutor: UnownedSerialExecutor {
///     PollLoop.shared.asUnownedSerialExecutor()
///   }
///
///   func next(from descriptor: Int32) async throws -> UInt8? {
///     try await PollLoop.shared.readable(descriptor)
///     var byte: UInt8 = 0
///     return read(descriptor, &byte, 1) == 1 ? byte : nil
///   }
/// }
/// ```
///
/// Jobs must not block: all links of the process wait for them. ``FileIO`` is the thread for that.
public final class PollLoop: SerialExecutor {
  /// The shared loop, which is enough for most programs.
  public static let shared = PollLoop(name: "earshot-io")

  /// The keys of the event counter and the timer that wake the thread; watches have other keys.
  private static let wakeKey: UInt64 = 0
  private static let timerKey: UInt64 = 1
  /// The number of rounds of jobs after which descriptors are polled again.
  private static let roundsBeforePolling = 32
  /// The time between attempts to set the timer.
  private static let retryMilliseconds: Int32 = 10

  let epoll: Epoll
  let watches = Mutex(WatchTable())
  /// The eventfd that wakes the thread for jobs of other threads.
  private let wakeCounter: Int32
  /// The timerfd of the next deadline.
  private let timer: Int32
  private let queue = Mutex(JobQueue<UnownedJob, LoopTimer>())
  /// The jobs from the loop's own thread, which alone accesses them: no lock is needed.
  private nonisolated(unsafe) var local: [UnownedJob] = []
  private let thread = Atomic<UInt>(0)

  /// Starts a thread for the loop.
  ///
  /// The process ends with a message if the system has no thread or descriptor left for it.
  ///
  /// - Parameter name: the name that tools such as `top -H` show, truncated to 15 bytes.
  public convenience init(name: String) {
    self.init()
    startThread(name: name)
  }

  /// A loop for the calling thread, which must then call ``serve(running:)``.
  static func onCurrentThread() -> PollLoop {
    let loop = PollLoop()
    loop.thread.store(UInt(pthread_self()), ordering: .relaxed)
    return loop
  }

  private init() {
    do {
      epoll = try Epoll()
      wakeCounter = try call("eventfd") {
        Int(eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)))
      }
      // Counts while the machine is suspended, as ContinuousClock does.
      timer = try call("timerfd_create") {
        Int(timerfd_create(CLOCK_BOOTTIME, Int32(TFD_NONBLOCK | TFD_CLOEXEC)))
      }
      // Edges: neither needs to be read back.
      try epoll.add(wakeCounter, [.readable, .edge], key: Self.wakeKey)
      try epoll.add(timer, [.readable, .edge], key: Self.timerKey)
    } catch {
      Self.giveUp("\(error)")
    }
  }

  /// Queues a job; callable from any thread.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if isOnThread {
      local.append(job)
      return
    }
    if queue.withLock({ $0.append(job) }) { wake() }
  }

  /// The loop as an executor, for an actor's `unownedExecutor`.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  /// Whether the caller runs on the loop's thread.
  public func isIsolatingCurrentContext() -> Bool? { isOnThread }

  /// Stops the program unless the caller runs on the loop's thread.
  public func checkIsolated() {
    precondition(isOnThread, "not on the thread of its poll loop")
  }

  /// Runs `body` soon on the loop's thread.
  func schedule(_ body: @escaping @Sendable () -> Void) {
    let resident = LoopActor(loop: self)
    Task { await resident.run(body) }
  }

  /// Whether the caller runs on the loop's thread.
  public var isOnThread: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  // MARK: Timers

  /// Runs a job after a time.
  func enqueue(_ job: consuming ExecutorJob, after delay: Duration) {
    let job = UnownedJob(job)
    _ = add(.job(job), after: delay)
  }

  /// Suspends the task for a time; a cancelled task leaves no timer behind.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  func sleep(for delay: Duration) async throws {
    let timer = Mutex<Int?>(nil)
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let id = add(.sleep(continuation), after: delay)
        timer.withLock { $0 = id }
        // The handler may have run before there was a timer.
        if Task.isCancelled { cancelSleep(id) }
      }
    } onCancel: {
      if let id = timer.withLock(\.self) { cancelSleep(id) }
    }
  }

  /// The number of timers that are not due yet.
  var timerCount: Int { queue.withLock(\.timerCount) }

  /// Adds a timer, and wakes the thread if it is the earliest one.
  private func add(_ timer: LoopTimer, after delay: Duration) -> Int {
    let deadline = Self.now + delay
    let (id, mustWake) = queue.withLock { $0.add(timer, at: deadline) }
    if mustWake { wake() }
    return id
  }

  /// Ends a sleep early.
  private func cancelSleep(_ id: Int) {
    guard case .sleep(let sleeper)? = queue.withLock({ $0.removeTimer(id) }) else { return }
    sleeper.resume(throwing: CancellationError())
  }

  /// The time since the machine started, including suspension.
  private static var now: Duration {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Sets the timerfd to a deadline, or disarms it.
  ///
  /// - Returns: false if the kernel is out of memory.
  private func setTimer(_ deadline: Duration?) -> Bool {
    var setting = itimerspec()
    if let deadline {
      let (seconds, attoseconds) = deadline.components
      setting.it_value.tv_sec = Int(seconds)
      // Zero would switch the timer off.
      setting.it_value.tv_nsec = max(1, Int(attoseconds / 1_000_000_000))
    }
    return timerfd_settime(timer, Int32(TFD_TIMER_ABSTIME), &setting, nil) == 0
  }

  /// Wakes the thread from `epoll_wait`.
  private func wake() {
    var one: UInt64 = 1
    _ = systemCall { write(wakeCounter, &one, MemoryLayout<UInt64>.size) }
  }

  /// Ends the process in order: an executor cannot refuse a job, so it needs its thread and
  /// descriptors.
  private static func giveUp(_ why: String) -> Never {
    _ = EventLoop.write(Array("earshot: cannot start: \(why)\n".utf8)[...], to: STDERR_FILENO)
    exit(EXIT_FAILURE)
  }
}

// MARK: - The thread

extension PollLoop {
  private func startThread(name: String) {
    var created: pthread_t = 0
    let status = pthread_create(&created, nil, threadMain, Unmanaged.passRetained(self).toOpaque())
    guard status == 0 else { Self.giveUp(describeErrno(status)) }
    _ = pthread_setname_np(created, String(decoding: name.utf8.prefix(15), as: UTF8.self))
  }

  fileprivate func runThread() {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    blockSignals()
    serve { $0.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  /// Serves the loop on its thread for as long as the process lives.
  ///
  /// Each iteration runs the jobs, then the timers that are due, then polls: without blocking if
  /// there is more work, else until a descriptor, a deadline or another thread wakes it.
  ///
  /// - Parameter runJob: runs one job.
  func serve(running runJob: (UnownedJob) -> Void) -> Never {
    let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: 64)
    var batch: [UnownedJob] = []
    var timerDeadline: Duration?
    while true {
      for _ in 0..<Self.roundsBeforePolling where !local.isEmpty {
        swap(&local, &batch)
        run(&batch, runJob)
      }
      let (due, deadline, mayWait) = queue.withLock {
        $0.drain(&batch, isBusy: !local.isEmpty, at: Self.now)
      }
      run(&batch, runJob)
      for timer in due {
        switch timer {
        case .job(let job): runJob(job)
        case .sleep(let sleeper): sleeper.resume()
        }
      }
      if mayWait, deadline != timerDeadline {
        timerDeadline = setTimer(deadline) ? deadline : nil
      }
      // A timer that could not be set is retried soon.
      let timeout: Int32 = deadline == timerDeadline ? -1 : Self.retryMilliseconds
      let count = epoll.wait(milliseconds: mayWait ? timeout : 0, into: events)
      for event in events.prefix(count) {
        // A processor whose clock is behind may find the timer not due yet: it is set once more.
        if event.data.u64 == Self.timerKey { timerDeadline = nil }
        dispatch(event.data.u64, Readiness(rawValue: event.events))
      }
    }
  }

  private func run(_ batch: inout [UnownedJob], _ runJob: (UnownedJob) -> Void) {
    for job in batch { runJob(job) }
    batch.removeAll(keepingCapacity: true)
  }

  /// Reports readiness to the watcher of a key, unless its watch has ended.
  private func dispatch(_ key: UInt64, _ readiness: Readiness) {
    watches.withLock { $0[key] }?.ready(readiness)
  }

  /// Leaves signals to the main thread or to a signalfd.
  ///
  /// Those of a crash stay enabled: blocked, they would end the process without the handlers that
  /// restore the terminal and print a backtrace.
  private func blockSignals() {
    var signals = sigset_t()
    sigfillset(&signals)
    for crash in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGSEGV, SIGFPE, SIGSYS] {
      sigdelset(&signals, crash)
    }
    pthread_sigmask(SIG_SETMASK, &signals, nil)
  }
}

/// The action at a deadline.
private enum LoopTimer: Sendable {
  /// Enqueue a job of the concurrency runtime.
  case job(UnownedJob)
  /// Resume a task that sleeps.
  case sleep(CheckedContinuation<Void, any Error>)
}

/// An actor that runs closures on a loop.
private actor LoopActor {
  private let loop: PollLoop

  init(loop: PollLoop) { self.loop = loop }

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  func run(_ body: @Sendable () -> Void) { body() }
}

private func threadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<PollLoop>.fromOpaque(context).takeRetainedValue().runThread()
  return nil
}
