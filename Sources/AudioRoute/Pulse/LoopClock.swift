internal import CPulse
internal import Glibc

/// The real-time clock of `PulseLoop`: its sleeps are timers of libpulse's own poll.
///
/// A sleep on Swift's own clocks would start the timer that `PulseLoop` avoids.
actor LoopClock: Clock {
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
    pa_timeval_add(&time, pa_usec_t(delay / .microseconds(1)))
    let event = loop.api.pointee.time_new(
      loop.api, &time, { _, _, _, bell in WakeupEvent.ring(at: bell) }, bell.pointer)
    defer { event.map { loop.api.pointee.time_free($0) } }
    for await _ in bell.rings { return }
    throw CancellationError()
  }
}
