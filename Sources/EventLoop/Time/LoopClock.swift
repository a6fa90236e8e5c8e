/// The continuous clock, with sleeps that are timers of a loop.
///
/// A cancelled sleep removes its timer, whereas a cancelled `Task.sleep` leaves its wake-up with
/// the executor until the deadline. These accumulate in a program that waits for hours.
public struct LoopClock: Clock {
  /// The instants of the continuous clock, so that instants of both clocks can be compared.
  public typealias Instant = ContinuousClock.Instant

  private let loop: PollLoop

  public init(_ loop: PollLoop) { self.loop = loop }

  /// The time since boot, including suspension.
  public var now: Instant { .now }

  /// The resolution of the continuous clock.
  public var minimumResolution: Duration { ContinuousClock().minimumResolution }

  /// Suspends until `deadline`, ignoring the tolerance; throws if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await loop.sleep(for: now.duration(to: deadline))
  }
}
