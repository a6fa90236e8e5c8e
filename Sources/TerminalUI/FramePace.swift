/// The pace of drawing: at most 60 frames in any second, the first few at once.
public struct FramePace {
  private static let burst = 4
  private static let frame = Duration.seconds(1) / (60 - burst)
  /// When the frames so far would be over, one after the other.
  private var over: ContinuousClock.Instant?

  public init() {}

  /// How long the frame that is asked for now must wait; nil: not at all.
  ///
  /// The frame counts from this call on, so it must then be drawn.
  ///
  /// - Parameter now: A monotonic time; never before that of an earlier call.
  public mutating func delay(at now: ContinuousClock.Instant) -> Duration? {
    let begin = over.map { max($0, now) } ?? now
    over = begin + Self.frame
    let slot = begin - Self.frame * (Self.burst - 1)
    return slot > now ? now.duration(to: slot) : nil
  }
}
