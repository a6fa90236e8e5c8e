internal import CPoll
internal import GATT
internal import Glibc
internal import Synchronization

/// One thread that waits for descriptors and runs jobs: the serial executor of everything near them.
///
/// An actor whose `unownedExecutor` is a loop runs on the thread that polls, so that what a
/// descriptor brings reaches it without a thread hop. With nothing to do the thread sleeps in one
/// `epoll_wait` without a time-out. A loop lives as long as the process; make few.
public final class PollLoop: SerialExecutor {
  /// The loop that a program needs, if it needs only one.
  public static let shared = PollLoop(name: "earshot-io")

  /// The key of the event counter that wakes the thread; watches have others.
  private static let wakeKey: UInt64 = 0
  /// Jobs may not keep descriptors waiting for longer than this many rounds.
  private static let roundsBeforePolling = 32

  let epoll: Epoll
  let watches = Mutex(WatchTable())
  private let wakeCounter: Int32
  private let queue = Mutex(JobQueue())
  private let thread = Atomic<UInt>(0)

  /// Starts the thread; `name` is what tools show, at most 15 bytes of it.
  public init(name: String) {
    do {
      epoll = try Epoll()
      wakeCounter = try call("eventfd") {
        Int(eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)))
      }
      try epoll.add(wakeCounter, [.readable, .edge], key: Self.wakeKey)
    } catch {
      Self.giveUp("\(error)")
    }
    startThread(name: name)
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let mustWake = queue.withLock { queue in
      queue.waiting.append(job)
      defer { queue.isSleeping = false }
      return queue.isSleeping
    }
    if mustWake { wake() }
  }

  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  public func isIsolatingCurrentContext() -> Bool? { isOnThread }

  public func checkIsolated() {
    precondition(isOnThread, "not on the thread of its poll loop")
  }

  /// Whether the caller runs on the loop's thread.
  public var isOnThread: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  private func wake() {
    var one: UInt64 = 1
    _ = systemCall { write(wakeCounter, &one, MemoryLayout<UInt64>.size) }
  }

  /// An executor cannot refuse a job: a process without a thread or a descriptor for it cannot live.
  private static func giveUp(_ why: String) -> Never {
    perror("earshot: cannot start a poll loop: \(why)")
    abort()
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

  fileprivate func run() {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    blockSignals()
    let executor = asUnownedSerialExecutor()
    let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: 64)
    var batch: [UnownedJob] = []
    while true {
      var rounds = 0
      while rounds < Self.roundsBeforePolling, takeJobs(&batch) {
        for job in batch { job.runSynchronously(on: executor) }
        rounds += 1
      }
      epoll.wait(milliseconds: mayFallAsleep() ? -1 : 0, into: events) { key, readiness in
        dispatch(key, readiness)
      }
      queue.withLock { $0.isSleeping = false }
    }
  }

  private func takeJobs(_ batch: inout [UnownedJob]) -> Bool {
    batch.removeAll(keepingCapacity: true)
    queue.withLock { swap(&$0.waiting, &batch) }
    return !batch.isEmpty
  }

  /// From here on whoever brings a job writes to the wake counter.
  private func mayFallAsleep() -> Bool {
    queue.withLock { queue in
      queue.isSleeping = queue.waiting.isEmpty
      return queue.isSleeping
    }
  }

  private func dispatch(_ key: UInt64, _ readiness: Readiness) {
    watches.withLock { $0.watchers[key] }?.watcher.ready(readiness)
  }

  /// Signals belong to the main thread, or to whoever reads a signalfd.
  ///
  /// Not those of a crash: blocked, they would end the process past the handlers that give the
  /// terminal back and print where it was.
  private func blockSignals() {
    var signals = sigset_t()
    sigfillset(&signals)
    for crash in [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGSEGV, SIGFPE, SIGSYS] {
      sigdelset(&signals, crash)
    }
    pthread_sigmask(SIG_SETMASK, &signals, nil)
  }
}

private struct JobQueue {
  var waiting: [UnownedJob] = []
  /// Whether the thread sleeps, or is about to, and has to be woken for a job.
  var isSleeping = false
}

private func threadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<PollLoop>.fromOpaque(context).takeRetainedValue().run()
  return nil
}
