/// The back-off of a client whose connections end: another process becomes the owner soon, unless the
/// owner accepts clients and serves none.
///
/// ```swift
/// var backOff = JoinBackOff()
/// backOff.pause(hasAnswered: false)  // 20 ms, then twice as long each time
/// backOff.pause(hasAnswered: true)   // 20 ms again
/// ```
public struct JoinBackOff: Hashable, Sendable {
  private static let first = Duration.milliseconds(20)
  private static let longest = Duration.seconds(1)

  private let limit: Duration
  private var pause = Duration.zero
  private var waited = Duration.zero

  /// - Parameter limit: the sum of the pauses, after which to give up.
  public init(limit: Duration = .seconds(5)) { self.limit = limit }

  /// The time until the next attempt; nil: to give up.
  ///
  /// - Parameter hasResponded: whether the owner served this client before it left, which resets the
  ///   back-off.
  public mutating func pause(hasResponded: Bool) -> Duration? {
    if hasResponded { (pause, waited) = (.zero, .zero) }
    guard waited < limit else { return nil }
    pause = min(max(pause * 2, Self.first), Self.longest)
    waited += pause
    return pause
  }
}
