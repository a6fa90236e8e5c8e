/// The continuous clock, with sleeps that are timers of a loop.
///
/// A cancelled `Task.sleep` leaves its wake-up with the executor until the deadline; a program that
/// waits for hours and is often interrupted accumulates them. A cancelled sleep of this clock
/// removes its timer.
///
/// ```swift
/// let clock: any Clock<Duration> = LoopClock(.shared)
/// try await clock.sleep(for: .seconds(30))
/// ```
public struct LoopClock: Clock {
  /// The instants of the continuous clock, so that both clocks can be compared.
  public typealias Instant = ContinuousClock.Instant

  private let loop: PollLoop

  /// A clock of a loop.
  ///
  /// - Parameter loop: the loop on whose thread the sleeps end.
  public init(_ loop: PollLoop) { self.loop = loop }

  /// The time since the machine started, including suspension.
  public var now: Instant { .now }

  /// The resolution of the continuous clock.
  public var minimumResolution: Duration { ContinuousClock().minimumResolution }

  /// Suspends until `deadline`.
  ///
  /// - Parameters:
  ///   - deadline: a past one ends the sleep at once.
  ///   - tolerance: ignored.
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await loop.sleep(for: now.duration(to: deadline))
  }
}
