/// The time since it was made, by any clock.
package struct MonotonicTime: Sendable {
  package let now: @Sendable () -> Duration

  package init(_ clock: any Clock<Duration>) {
    // The usual clock is named, so that reading it is not a call through tables.
    if let clock = clock as? ContinuousClock {
      let start = clock.now
      now = { start.duration(to: clock.now) }
    } else {
      now = Self.sinceNow(clock)
    }
  }

  private static func sinceNow(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}
