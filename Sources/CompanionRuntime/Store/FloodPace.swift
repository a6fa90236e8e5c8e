/// A limit on what a headphone reports: after a burst of 64 values, one per frame (GCRA).
package struct FloodPace {
  private static let burst = 64
  private static let spacing = Duration.milliseconds(16)
  /// The theoretical arrival time of the next value.
  private var arrival = Duration.zero

  package init() {}

  /// Returns how long the next value must wait at a monotonic time, or nil if it need not.
  package mutating func delay(at now: Duration) -> Duration? {
    arrival = max(arrival, now) + Self.spacing
    let slot = arrival - Self.spacing * Self.burst
    return slot > now ? slot - now : nil
  }
}
