internal import BluetoothRadio
internal import CPoll
internal import Glibc
internal import Locking

/// An event loop: one thread that waits for descriptors and timers, and runs jobs as an executor.
///
/// An actor whose `unownedExecutor` is a loop runs on the thread that polls, so input from a
/// descriptor reaches it without a thread hop. An idle loop sleeps in one `epoll_wait` without a
/// timeout. Jobs of one thread run in order; after 32 rounds of jobs that enqueue more jobs,
/// descriptors are polled again. A loop lives as long as the process.
///
/// Jobs must not block, because all links of the process wait for them; see `FileIO`.
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
public final class PollLoop: SerialExecutor {
  public static let shared = PollLoop(name: "earshot-io")

  private static let wakeKey: UInt64 = 0
  private static let timerKey: UInt64 = 1
  private static let roundsBeforePolling = 32
  private static let retryMilliseconds: Int32 = 10

  let epoll: Epoll
  let watches = Mutex(WatchTable())
  private let wakeCounter: Int32
  private let timer: Int32
  private let queue = Mutex(JobQueue<UnownedJob, LoopTimer>())
  /// The jobs from the loop's own thread, which alone accesses them without a lock.
  private nonisolated(unsafe) var local: [UnownedJob] = []
  private let thread = Atomic<UInt>(0)

  /// Starts a thread for the loop, with a name of 15 bytes for tools, or exits without resources.
  public convenience init(name: String) {
    self.init()
    startThread(name: name)
  }

  /// Creates a loop for the calling thread, which must then call ``serve(running:)``.
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
      // This clock counts while the machine is suspended, like ContinuousClock.
      timer = try call("timerfd_create") {
        Int(timerfd_create(CLOCK_BOOTTIME, Int32(TFD_NONBLOCK | TFD_CLOEXEC)))
      }
      // Edge-triggered, neither needs to be read.
      try epoll.add(wakeCounter, [.readable, .edge], key: Self.wakeKey)
      try epoll.add(timer, [.readable, .edge], key: Self.timerKey)
    } catch {
      Self.giveUp("\(error)")
    }
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if isOnThread {
      local.append(job)
      return
    }
    if queue.withLock({ $0.append(job) }) { wake() }
  }

  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  public func isIsolatingCurrentContext() -> Bool? { isOnThread }

  public func checkIsolated() {
    precondition(isOnThread, "not on the thread of its poll loop")
  }

  func schedule(_ body: @escaping @Sendable () -> Void) {
    let resident = LoopActor(loop: self)
    Task { await resident.run(body) }
  }

  public var isOnThread: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  // MARK: Timers

  func enqueue(_ job: consuming ExecutorJob, after delay: Duration) {
    let job = UnownedJob(job)
    _ = add(.job(job), after: delay)
  }

  /// Suspends the task for a time; a cancelled task throws and leaves no timer behind.
  func sleep(for delay: Duration) async throws {
    let timer = Mutex<Int?>(nil)
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let id = add(.sleep(continuation), after: delay)
        timer.withLock { $0 = id }
        // The handler may have run before the timer existed.
        if Task.isCancelled { cancelSleep(id) }
      }
    } onCancel: {
      if let id = timer.withLock(\.self) { cancelSleep(id) }
    }
  }

  var timerCount: Int { queue.withLock(\.timerCount) }

  private func add(_ timer: LoopTimer, after delay: Duration) -> Int {
    let deadline = Self.now + delay
    let (id, mustWake) = queue.withLock { $0.add(timer, at: deadline) }
    if mustWake { wake() }
    return id
  }

  private func cancelSleep(_ id: Int) {
    guard case .sleep(let sleeper)? = queue.withLock({ $0.removeTimer(id) }) else { return }
    sleeper.resume(throwing: CancellationError())
  }

  private static var now: Duration {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Sets the timerfd to a deadline, or disarms it; returns false if the kernel is out of memory.
  private func setTimer(_ deadline: Duration?) -> Bool {
    var setting = itimerspec()
    if let deadline {
      let (seconds, attoseconds) = deadline.components
      setting.it_value.tv_sec = Int(seconds)
      // Zero would disarm the timer.
      setting.it_value.tv_nsec = max(1, Int(attoseconds / 1_000_000_000))
    }
    return timerfd_settime(timer, Int32(TFD_TIMER_ABSTIME), &setting, nil) == 0
  }

  private func wake() {
    var one: UInt64 = 1
    _ = systemCall { write(wakeCounter, &one, MemoryLayout<UInt64>.size) }
  }

  /// Exits with a message: an executor cannot reject jobs, so it needs its thread and descriptors.
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

  /// Serves the loop on its thread until the process ends.
  ///
  /// Each iteration runs the jobs and the timers that are due, then polls, without blocking if
  /// there is more work.
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
      // Retry soon if the timer could not be set.
      let timeout: Int32 = deadline == timerDeadline ? -1 : Self.retryMilliseconds
      let count = epoll.wait(milliseconds: mayWait ? timeout : 0, into: events)
      for event in events.prefix(count) {
        // On a processor whose clock is behind, the timer may not be due yet. Set it again.
        if event.data.u64 == Self.timerKey { timerDeadline = nil }
        dispatch(event.data.u64, Readiness(rawValue: event.events))
      }
    }
  }

  private func run(_ batch: inout [UnownedJob], _ runJob: (UnownedJob) -> Void) {
    for job in batch { runJob(job) }
    batch.removeAll(keepingCapacity: true)
  }

  private func dispatch(_ key: UInt64, _ readiness: Readiness) {
    watches.withLock { $0[key] }?.ready(readiness)
  }

  /// Leaves signals to the main thread or to a signalfd, except those of a crash.
  ///
  /// Those, if blocked, would skip the handlers that restore the terminal and print a backtrace.
  private func blockSignals() {
    var signals = sigset_t()
    sigfillset(&signals)
    for crash in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGSEGV, SIGFPE, SIGSYS] {
      sigdelset(&signals, crash)
    }
    pthread_sigmask(SIG_SETMASK, &signals, nil)
  }
}

private enum LoopTimer: Sendable {
  case job(UnownedJob)
  case sleep(CheckedContinuation<Void, any Error>)
}

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
