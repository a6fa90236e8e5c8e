internal import CPulse
internal import Glibc
internal import Locking

/// The thread of libpulse's main loop, as the executor of the actors that call libpulse.
///
/// It is never stopped: an executor must outlive its jobs, and a sleeping thread costs nothing.
/// Tasks of this module prefer it too: the first job on Swift's own executor starts a timer on
/// Linux that wakes the process every second.
final class PulseLoop: SerialExecutor, TaskExecutor {
  /// The loop of the process; `nil` if there was no descriptor or thread left for it.
  static let shared = PulseLoop()

  // Safe: the thread alone calls into it once it has started, by the jobs of this executor.
  nonisolated(unsafe) let api: UnsafeMutablePointer<pa_mainloop_api>
  // Safe: as above.
  private nonisolated(unsafe) let mainloop: OpaquePointer
  private let jobs = Mutex<[UnownedJob]>([])
  /// An eventfd that wakes the loop for new jobs.
  ///
  /// `pa_mainloop_wakeup` loses a call that comes just before the loop prepares its poll.
  private let doorbell: Int32

  private init?() {
    guard let mainloop = pa_mainloop_new() else { return nil }
    doorbell = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    guard doorbell >= 0, let api = pa_mainloop_get_api(mainloop) else {
      pa_mainloop_free(mainloop)
      return nil
    }
    self.mainloop = mainloop
    self.api = api
    guard start() else {
      pa_mainloop_free(mainloop)
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
    _ = api.pointee.io_new(
      api, doorbell, PA_IO_EVENT_INPUT,
      { _, _, _, _, me in
        guard let me else { return }
        Unmanaged<PulseLoop>.fromOpaque(me).takeUnretainedValue().runJobs()
      }, me.toOpaque())
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
    while pa_mainloop_iterate(mainloop, 1, nil) >= 0 {}
  }
}
