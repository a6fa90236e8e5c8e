/// A limit on drawing: at most 60 frames in any second, the first few without delay.
package struct FramePace {
  private static let burst = 4
  private static let frame = Duration.seconds(1) / (60 - burst)
  /// The time when all frames so far would have ended if each took its full time.
  private var over: ContinuousClock.Instant?

  package init() {}

  /// Returns how long the next frame must wait, or nil if it can be drawn now.
  ///
  /// Each call counts as one frame, so the caller must then draw it. `now` must not decrease.
  package mutating func delay(at now: ContinuousClock.Instant) -> Duration? {
    let begin = over.map { max($0, now) } ?? now
    over = begin + Self.frame
    let slot = begin - Self.frame * (Self.burst - 1)
    return slot > now ? now.duration(to: slot) : nil
  }
}
