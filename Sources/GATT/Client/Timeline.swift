/// The time since a fixed moment, by any clock.
struct Timeline: Sendable {
  let now: @Sendable () -> Duration

  init(_ clock: any Clock<Duration>) { now = Self.sinceNow(clock) }

  private static func sinceNow(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}
