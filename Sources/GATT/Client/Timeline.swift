/// The time since a fixed moment, by any clock.
package struct Timeline: Sendable {
  package let now: @Sendable () -> Duration

  package init(_ clock: any Clock<Duration>) { now = Self.sinceNow(clock) }

  private static func sinceNow(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}
