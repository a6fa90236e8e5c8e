/// The continuous clock, with sleeps that are timers of a loop.
///
/// A cancelled `Task.sleep` leaves its wake-up with the executor until the deadline, and a program
/// that waits for hours and is often interrupted accumulates them. A cancelled sleep of this clock
/// removes its timer.
public struct LoopClock: Clock {
  /// The instants of the continuous clock, so that instants of both clocks can be compared.
  public typealias Instant = ContinuousClock.Instant

  private let loop: PollLoop

  public init(_ loop: PollLoop) { self.loop = loop }

  /// The time since boot, including suspension.
  public var now: Instant { .now }

  /// The resolution of the continuous clock.
  public var minimumResolution: Duration { ContinuousClock().minimumResolution }

  /// Suspends until `deadline`; the tolerance is ignored.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await loop.sleep(for: now.duration(to: deadline))
  }
}
