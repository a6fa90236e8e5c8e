/// The time since its making, by a clock that tests replace.
public struct ElapsedClock: Sendable {
  private let read: @Sendable () -> Duration

  /// Starts at once.
  public init(_ clock: any Clock<Duration>) { self = Self.started(clock) }

  private init(read: @escaping @Sendable () -> Duration) { self.read = read }

  /// By the given clock, so it stands still where that does.
  public var elapsed: Duration { read() }

  private static func started<C: Clock<Duration>>(_ clock: C) -> ElapsedClock {
    let start = clock.now
    return ElapsedClock { start.duration(to: clock.now) }
  }
}
