/// When to look for a server that is not there: 1, 2, 4 … 30 s, and at first more often after a
/// hint.
///
/// Where its socket's directory can be watched, the delays end: the directory reports it.
struct RetryDelays {
  private var next = RetryDelays.afterHint.count

  /// Between the creation of a socket and its first connection, on a busy machine too.
  private static let afterHint: [Duration] = [30, 60, 120, 240, 480].map { .milliseconds($0) }
  private static let delays = afterHint + [1, 2, 4, 8, 16, 30].map { .seconds($0) }

  /// The time to wait before the next attempt; nil: until a hint comes.
  mutating func wait(isWatched: Bool) -> Duration? {
    guard next < RetryDelays.delays.count else { return isWatched ? nil : RetryDelays.delays.last }
    defer { next += 1 }
    return RetryDelays.delays[next]
  }

  /// A server ran: begin again.
  mutating func serverRan() { next = RetryDelays.afterHint.count }

  /// Something appeared where the server will.
  mutating func hintCame() { next = 0 }
}
