/// The time since a value of this type was made, by a clock that tests replace.
public struct ElapsedClock: Sendable {
  private let read: @Sendable () -> Duration

  /// Starts measuring.
  ///
  /// - Parameter clock: measures the time.
  public init(_ clock: any Clock<Duration>) {
    // The usual clock is named, so that reading it is not a call through tables.
    read = (clock as? ContinuousClock).map(Self.started) ?? Self.started(clock)
  }

  /// The time since the start; it stands still where the clock does.
  public var elapsed: Duration { read() }

  private static func started(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}
