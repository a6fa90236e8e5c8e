/// A clock that runs faster or slower than another one by a factor, for example to drain a battery
/// in minutes.
///
/// ```swift
/// let clock = ScaledClock(factor: 60)      // a minute passes in each second
/// let radio = VirtualRadio.environment(clock: clock)
/// ```
public struct ScaledClock<Base: Clock>: Clock, Sendable where Base.Duration == Duration {
  /// A moment of this clock.
  public struct Instant: InstantProtocol {
    /// The scaled time since the clock was made.
    public var sinceStart: Duration

    /// The instant later by a duration of scaled time.
    public func advanced(by duration: Duration) -> Instant {
      Instant(sinceStart: sinceStart + duration)
    }

    /// The scaled time between two instants.
    public func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }

    public static func < (a: Instant, b: Instant) -> Bool { a.sinceStart < b.sinceStart }
  }

  private let base: Base
  private let start: Base.Instant
  private let factor: Double

  /// - Parameter factor: how many seconds pass in one of the base's; above 0.
  public init(_ base: Base = ContinuousClock(), factor: Double) {
    self.base = base
    start = base.now
    self.factor = max(factor, .leastNormalMagnitude)
  }

  /// The scaled time that has passed since the clock was made.
  public var now: Instant { Instant(sinceStart: start.duration(to: base.now) * factor) }

  /// That of the base, scaled.
  public var minimumResolution: Duration { base.minimumResolution * factor }

  /// Sleeps on the base for the part of the time that is left.
  ///
  /// - Throws: `CancellationError`, as the base does.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let wait = now.duration(to: deadline) / factor
    try await base.sleep(
      until: base.now.advanced(by: wait), tolerance: tolerance.map { $0 / factor })
  }
}
