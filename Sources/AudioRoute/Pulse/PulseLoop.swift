internal import CPulse
internal import Glibc
internal import Locking

/// The thread of libpulse's main loop, as the executor of the actors that call libpulse.
///
/// The thread loads libpulse first. If that fails, it runs its jobs without a main loop. It is
/// never stopped, because an executor must outlive its jobs.
///
/// Tasks of this module prefer this executor, too: on Linux the first job on Swift's own executor
/// starts a timer that wakes the process every second.
final class PulseLoop: SerialExecutor, TaskExecutor {
  /// The loop of the process, or nil if no descriptor or thread was left for it.
  static let shared = PulseLoop()

  /// The interface of the main loop, or nil without libpulse or memory.
  // Safe: only the thread uses it, and sets it before its first job.
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

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let mustRing = jobs.withLock { jobs in
      jobs.append(job)
      return jobs.count == 1
    }
    if mustRing { _ = eventfd_write(doorbell, 1) }
  }

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
final class WakeupEvent: Sendable {
  /// The signals, for one consumer; one signal is buffered while no task waits.
  let rings: AsyncStream<Void>
  private let ringer: AsyncStream<Void>.Continuation

  init() {
    (rings, ringer) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  func ring() { ringer.yield() }

  static func ring(at pointer: UnsafeMutableRawPointer?) {
    guard let pointer else { return }
    Unmanaged<WakeupEvent>.fromOpaque(pointer).takeUnretainedValue().ring()
  }

  /// The unretained user data for C callbacks; the event must outlive their registration.
  var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}

/// The real-time clock of `PulseLoop`, whose sleeps are timers of libpulse's own poll.
///
/// A sleep on Swift's own clocks would start the timer that `PulseLoop` avoids.
actor PulseClock: Clock {
  private let loop: PulseLoop

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
  nonisolated var now: ContinuousClock.Instant { ContinuousClock.now }
  nonisolated var minimumResolution: Duration { .microseconds(1) }

  init(on loop: PulseLoop) { self.loop = loop }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    let bell = WakeupEvent()
    // libpulse converts this time of day to the monotonic clock once.
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
