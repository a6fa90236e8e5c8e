internal import CPulse
internal import Glibc
internal import Locking

/// The thread of libpulse's main loop, as the executor of the actors that call libpulse.
///
/// The thread loads libpulse before anything else. Where that fails it runs its jobs without a main loop.
///
/// It is never stopped: an executor must outlive its jobs, and a sleeping thread costs nothing.
/// Tasks of this module prefer it too: the first job on Swift's own executor starts a timer on
/// Linux that wakes the process every second.
final class PulseLoop: SerialExecutor, TaskExecutor {
  /// The loop of the process; `nil` if there was no descriptor or thread left for it.
  static let shared = PulseLoop()

  /// What libpulse calls the loop by; nil: there is no libpulse, or no memory.
  // Safe: the thread alone uses it, which sets it before its first job.
  private(set) nonisolated(unsafe) var api: UnsafeMutablePointer<pa_mainloop_api>?
  private let jobs = Mutex<[UnownedJob]>([])
  /// An eventfd that wakes the loop for new jobs.
  ///
  /// `pa_mainloop_wakeup` loses a call that comes just before the loop prepares its poll.
  private let doorbell: Int32

  private init?() {
    doorbell = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    guard doorbell >= 0 else { return nil }
    guard start() else {
      close(doorbell)
      return nil
    }
  }

  /// Queues a job for the loop's thread; callable from any thread.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let mustRing = jobs.withLock { jobs in
      jobs.append(job)
      return jobs.count == 1
    }
    if mustRing { _ = eventfd_write(doorbell, 1) }
  }

  /// Runs the jobs that were enqueued so far; those that they enqueue wait for the next iteration.
  private func runJobs() {
    var rings: eventfd_t = 0
    _ = eventfd_read(doorbell, &rings)
    let batch = jobs.withLock { jobs in
      defer { jobs = [] }
      return jobs
    }
    for job in batch {
      job.runSynchronously(
        isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }
  }

  /// Starts the thread; false if the system has none left.
  private func start() -> Bool {
    let me = Unmanaged.passRetained(self)
    var thread = pthread_t()
    let failure = pthread_create(
      &thread, nil,
      { me in
        guard let me else { return nil }
        Unmanaged<PulseLoop>.fromOpaque(me).takeUnretainedValue().run()
        return nil
      }, me.toOpaque())
    guard failure == 0 else {
      me.release()
      return false
    }
    pthread_detach(thread)
    return true
  }

  private func run() {
    // Signals are for the threads that know what to do with them.
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
    if pulseFailure == nil, let mainloop = pulse.pa_mainloop_new() {
      api = pulse.pa_mainloop_get_api(mainloop)
      _ = api?.pointee.io_new(
        api, doorbell, PA_IO_EVENT_INPUT,
        { _, _, _, _, me in
          guard let me else { return }
          Unmanaged<PulseLoop>.fromOpaque(me).takeUnretainedValue().runJobs()
        }, Unmanaged.passUnretained(self).toOpaque())
      while pulse.pa_mainloop_iterate(mainloop, 1, nil) >= 0 {}
    }
    var waiting = pollfd(fd: doorbell, events: Int16(POLLIN), revents: 0)
    while poll(&waiting, 1, -1) >= 0 || errno == EINTR { runJobs() }
  }
}

/// An event that wakes one waiting task; several signals before the task runs count as one.
///
/// It carries no data: the task examines the state itself, so that bursts coalesce.
final class WakeupEvent: Sendable {
  /// The signals, for one consumer; one signal is buffered while no task waits.
  let rings: AsyncStream<Void>
  private let ringer: AsyncStream<Void>.Continuation

  init() {
    (rings, ringer) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Signals the event; callable from any thread.
  func ring() { ringer.yield() }

  /// Signals the event whose pointer a C callback received as its user data, unretained.
  static func ring(at pointer: UnsafeMutableRawPointer?) {
    guard let pointer else { return }
    Unmanaged<WakeupEvent>.fromOpaque(pointer).takeUnretainedValue().ring()
  }

  /// The event as the user data of C callbacks, unretained: the event must outlive their
  /// registration.
  var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}

/// The real-time clock of `PulseLoop`: its sleeps are timers of libpulse's own poll.
///
/// A sleep on Swift's own clocks would start the timer that `PulseLoop` avoids.
actor PulseClock: Clock {
  private let loop: PulseLoop

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  nonisolated var now: ContinuousClock.Instant { ContinuousClock.now }
  nonisolated var minimumResolution: Duration { .microseconds(1) }

  init(on loop: PulseLoop) { self.loop = loop }

  /// Sleeps until a deadline of the monotonic clock; `tolerance` is ignored.
  ///
  /// - Throws: `CancellationError` if the task is cancelled first.
  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    let bell = WakeupEvent()
    // libpulse takes a time of day, and from then on goes by the monotonic clock.
    var time = timeval()
    gettimeofday(&time, nil)
    let delay = max(now.duration(to: deadline), .zero)
    _ = pulse.pa_timeval_add(&time, pa_usec_t(delay / .microseconds(1)))
    let event = loop.api?.pointee.time_new(
      loop.api, &time, { _, _, _, bell in WakeupEvent.ring(at: bell) }, bell.pointer)
    defer { event.map { loop.api?.pointee.time_free($0) } }
    for await _ in bell.rings { return }
    throw CancellationError()
  }
}
