internal import Bluetooth
internal import CPoll
internal import Glibc
internal import Synchronization

/// One thread that waits for descriptors and runs jobs: the executor of everything near them.
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
  /// Jobs from the loop's own thread, which alone touches this: no lock is needed.
  private nonisolated(unsafe) var local: [UnownedJob] = []
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
    if isOnThread {
      local.append(job)
      return
    }
    let mayBeAsleep = queue.withLock { queue in
      queue.waiting.append(job)
      defer { queue.isSleeping = false }
      return queue.isSleeping
    }
    if mayBeAsleep { wake() }
  }

  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  public func isIsolatingCurrentContext() -> Bool? { isOnThread }

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

  private func wake() {
    var one: UInt64 = 1
    _ = systemCall { write(wakeCounter, &one, MemoryLayout<UInt64>.size) }
  }

  /// An executor cannot refuse a job: a process without a thread or a descriptor for it cannot
  /// live.
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
    let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: 64)
    var batch: [UnownedJob] = []
    while true {
      for _ in 0..<Self.roundsBeforePolling where !local.isEmpty {
        swap(&local, &batch)
        run(&batch)
      }
      let mayWait = dequeueForeignJobs(&batch)
      run(&batch)
      let count = epoll.wait(milliseconds: mayWait ? -1 : 0, into: events)
      for event in events.prefix(count) {
        dispatch(event.data.u64, Readiness(rawValue: event.events))
      }
    }
  }

  private func run(_ batch: inout [UnownedJob]) {
    for job in batch {
      job.runSynchronously(on: asUnownedSerialExecutor())
    }
    batch.removeAll(keepingCapacity: true)
  }

  /// True if there is no job at all: from then on whoever brings one writes to the wake counter.
  private func dequeueForeignJobs(_ batch: inout [UnownedJob]) -> Bool {
    queue.withLock { queue in
      swap(&queue.waiting, &batch)
      queue.isSleeping = batch.isEmpty && local.isEmpty
      return queue.isSleeping
    }
  }

  private func dispatch(_ key: UInt64, _ readiness: Readiness) {
    watches.withLock { $0[key] }?.ready(readiness)
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

/// Jobs from other threads.
private struct JobQueue {
  var waiting: [UnownedJob] = []
  /// Whether the thread found no job, so that it sleeps, or is about to, or has just woken.
  var isSleeping = false
}

/// An actor for what wants to run on the loop and has no actor of its own.
private actor LoopActor {
  private let loop: PollLoop

  init(loop: PollLoop) { self.loop = loop }

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  func run(_ body: @Sendable () -> Void) { body() }
}

private func threadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<PollLoop>.fromOpaque(context).takeRetainedValue().run()
  return nil
}
