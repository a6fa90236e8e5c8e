/// A stopwatch on a clock that tests replace.
///
/// ```swift
/// let clock = ElapsedClock(ContinuousClock())
/// await work()
/// print(clock.elapsed)  // 0.25 seconds
/// ```
public struct ElapsedClock: Sendable {
  private let read: @Sendable () -> Duration
  private let pause: @Sendable (Duration) async throws -> Void

  /// Starts the stopwatch.
  public init(_ clock: any Clock<Duration>) {
    // The usual clock is named, so that reading it is not a call through tables.
    self = (clock as? ContinuousClock).map(Self.init(starting:)) ?? Self(starting: clock)
  }

  private init(starting clock: some Clock<Duration>) {
    let start = clock.now
    read = { start.duration(to: clock.now) }
    pause = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }

  /// The time since the start, of this clock.
  public var elapsed: Duration { read() }

  /// Sleeps until this much time has passed since the start; returns at once where it has.
  ///
  /// A deadline rather than a duration: time that passes before the sleep begins counts.
  ///
  /// - Throws: `CancellationError` if the task is cancelled meanwhile.
  public func sleep(until deadline: Duration) async throws { try await pause(deadline) }
}
