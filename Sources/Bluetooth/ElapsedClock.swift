/// A stopwatch on a clock that tests replace.
///
/// ```swift
/// let clock = ElapsedClock(ContinuousClock())
/// await work()
/// print(clock.elapsed)  // 0.25 seconds
/// ```
public struct ElapsedClock: Sendable {
  private let read: @Sendable () -> Duration

  /// Starts the stopwatch.
  public init(_ clock: any Clock<Duration>) {
    // The usual clock is named, so that reading it is not a call through tables.
    read = (clock as? ContinuousClock).map(Self.started) ?? Self.started(clock)
  }

  /// The time since the start, of this clock.
  public var elapsed: Duration { read() }

  private static func started(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}
