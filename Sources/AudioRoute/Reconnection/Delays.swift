/// The delays between attempts to connect to a server that is not running: 1, 2, 4 … 30 s.
///
/// After a hint that the server is about to run, they start at 30 ms. The sequence ends if the
/// socket's directory is watched.
struct RetryDelays {
  private var next = RetryDelays.afterHint.count

  /// The delays from the creation of a socket to its first connection, also on a busy machine.
  private static let afterHint: [Duration] = [30, 60, 120, 240, 480].map { .milliseconds($0) }
  private static let delays = afterHint + [1, 2, 4, 8, 16, 30].map { .seconds($0) }

  /// Returns the next delay, or nil to wait for a hint if every possible socket is watched.
  mutating func wait(isWatched: Bool) -> Duration? {
    guard next < RetryDelays.delays.count else { return isWatched ? nil : RetryDelays.delays.last }
    defer { next += 1 }
    return RetryDelays.delays[next]
  }

  mutating func serverRan() { next = RetryDelays.afterHint.count }

  mutating func hintCame() { next = 0 }
}

/// The delays before a server with sinks but no default is queried again: 100 ms … 12.8 s.
///
/// A server is in this state for a moment between two defaults, and its next event ends it. But
/// PipeWire's server has a default for each connection and may miss the next one on an old
/// connection. So the query uses a new connection.
struct SettlingDelays {
  private var next = 0
  private var last: AudioSnapshot?

  private static let delays: [Duration] = (0...7).map { .milliseconds(100 << $0) }

  mutating func wait(after sound: AudioSnapshot) -> Duration? {
    defer { last = sound }
    if sound != last { next = 0 }
    let isUnsettled = sound.route == nil && !sound.sinks.isEmpty
    guard isUnsettled, next < SettlingDelays.delays.count else { return nil }
    defer { next += 1 }
    return SettlingDelays.delays[next]
  }
}
