/// The generic cell rate algorithm (GCRA) for a headphone's charges: the first ones at once, then as many a second as frames are
/// drawn.
///
/// No headphone reports that many; one that does so must not keep the processor busy.
struct ChargePace {
  private static let burst = 64
  private static let spacing = Duration.milliseconds(16)
  /// The theoretical arrival time of the next charges.
  private var arrival = Duration.zero

  /// How long the next charges must wait; nil: not at all.
  ///
  /// - Parameter now: a monotonic time; never before that of an earlier call.
  mutating func delay(at now: Duration) -> Duration? {
    arrival = max(arrival, now) + Self.spacing
    let slot = arrival - Self.spacing * Self.burst
    return slot > now ? slot - now : nil
  }
}
