/// The pace at which charges of a headphone are read: the first ones at once, then 250 a second.
///
/// No headphone reports that many; one that does so must not keep the processor busy.
struct ChargePace {
  private static let burst = 64
  private static let spacing = Duration.milliseconds(4)
  /// When the charges so far would be over, one after the other.
  private var over: ContinuousClock.Instant?

  /// How long the next charges must wait; nil: not at all.
  ///
  /// - Parameter now: a monotonic time; never before that of an earlier call.
  mutating func delay(at now: ContinuousClock.Instant) -> Duration? {
    let end = (over.map { max($0, now) } ?? now) + Self.spacing
    over = end
    let slot = end - Self.spacing * Self.burst
    return slot > now ? now.duration(to: slot) : nil
  }
}
