/// The generic cell rate algorithm (GCRA) for a headphone's charges: after a burst, one per frame.
///
/// No real headphone reports that many. One that does must not keep the processor busy.
struct ChargePace {
  private static let burst = 64
  private static let spacing = Duration.milliseconds(16)
  /// The theoretical arrival time of the next charges.
  private var arrival = Duration.zero

  /// Returns how long the next charges must wait at a monotonic time, or nil if they need not.
  mutating func delay(at now: Duration) -> Duration? {
    arrival = max(arrival, now) + Self.spacing
    let slot = arrival - Self.spacing * Self.burst
    return slot > now ? slot - now : nil
  }
}
