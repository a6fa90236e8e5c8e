/// When to look for a server that is not there: 1, 2, 4 … 30 s.
///
/// Where its socket's directory can be watched, the delays come to an end: the directory tells.
struct RetryDelays {
  private var next = 1

  private static let delays: [Duration] = [
    // Between the creation of a socket and its first connection: only after a hint.
    .milliseconds(30),
    .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(16), .seconds(30),
  ]

  /// The time to wait before the next attempt; nil: until a hint comes.
  mutating func wait(isWatched: Bool) -> Duration? {
    guard next < RetryDelays.delays.count else { return isWatched ? nil : RetryDelays.delays.last }
    defer { next += 1 }
    return RetryDelays.delays[next]
  }

  /// A server ran: begin again.
  mutating func serverRan() { next = 1 }

  /// Something appeared where the server will.
  mutating func hintCame() { next = 0 }
}
