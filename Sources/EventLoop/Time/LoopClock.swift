/// The continuous clock, with sleeps that are timers of a loop.
///
/// A cancelled `Task.sleep` leaves its wake-up with the executor until the deadline; a program that
/// waits for hours and is often interrupted collects them. A sleep of this clock that is cancelled
/// takes its timer with it.
///
/// ```swift
/// let clock: any Clock<Duration> = LoopClock(.shared)
/// try await clock.sleep(for: .seconds(30))
/// ```
public struct LoopClock: Clock {
  /// Instants of the continuous clock, so that both can be compared.
  public typealias Instant = ContinuousClock.Instant

  private let loop: PollLoop

  /// - Parameter loop: whose thread the sleeps end on.
  public init(_ loop: PollLoop) { self.loop = loop }

  /// The time since the machine started, its suspension included.
  public var now: Instant { .now }

  /// The resolution of the continuous clock.
  public var minimumResolution: Duration { ContinuousClock().minimumResolution }

  /// Suspends until `deadline`.
  ///
  /// - Parameters:
  ///   - deadline: a past one ends the sleep at once.
  ///   - tolerance: ignored.
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await loop.sleep(for: now.duration(to: deadline))
  }
}
