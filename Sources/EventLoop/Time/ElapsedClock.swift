/// The time since a value of this type was made, by a clock that tests replace.
public struct ElapsedClock: Sendable {
  private let read: @Sendable () -> Duration

  /// Starts measuring.
  ///
  /// - Parameter clock: measures the time.
  public init(_ clock: any Clock<Duration>) { self = Self.started(clock) }

  private init(read: @escaping @Sendable () -> Duration) { self.read = read }

  /// The time since the start; it stands still where the clock does.
  public var elapsed: Duration { read() }

  private static func started<C: Clock<Duration>>(_ clock: C) -> ElapsedClock {
    let start = clock.now
    return ElapsedClock { start.duration(to: clock.now) }
  }
}
