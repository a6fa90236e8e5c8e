/// A stopwatch on a clock that tests replace.
public struct ElapsedClock: Sendable {
  private let read: @Sendable () -> Duration
  private let pause: @Sendable (Duration) async throws -> Void

  /// Starts the stopwatch.
  public init(_ clock: any Clock<Duration>) {
    // With the concrete type of the usual clock, reading it does not go through witness tables.
    self = (clock as? ContinuousClock).map(Self.init(starting:)) ?? Self(starting: clock)
  }

  private init(starting clock: some Clock<Duration>) {
    let start = clock.now
    read = { start.duration(to: clock.now) }
    pause = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }

  /// The time since the start.
  public var elapsed: Duration { read() }

  /// Sleeps until `deadline` has passed since the start, or returns at once if it has.
  public func sleep(until deadline: Duration) async throws { try await pause(deadline) }
}
