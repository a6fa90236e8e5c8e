/// The back-off of a client whose connections end.
///
/// Normally another process becomes the owner soon, but an owner may accept clients and serve none.
/// The pauses double from 20 ms to 1 s.
package struct JoinBackOff: Hashable, Sendable {
  private static let first = Duration.milliseconds(20)
  private static let longest = Duration.seconds(1)

  private let limit: Duration
  private var pause = Duration.zero
  private var waited = Duration.zero

  /// Creates a back-off that gives up when the sum of its pauses reaches `limit`.
  package init(limit: Duration = .seconds(5)) { self.limit = limit }

  /// Returns the time until the next attempt, or nil to give up; a response resets the back-off.
  package mutating func pause(hasResponded: Bool) -> Duration? {
    if hasResponded { (pause, waited) = (.zero, .zero) }
    guard waited < limit else { return nil }
    pause = min(max(pause * 2, Self.first), Self.longest)
    waited += pause
    return pause
  }
}
