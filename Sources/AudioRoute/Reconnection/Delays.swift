/// The delays between attempts to connect to a server that is not running: 1, 2, 4 … 30 s.
///
/// After a hint that it is about to run they start at 30 ms. Where the directory of its socket is
/// watched the sequence ends, because the directory reports the next change.
struct RetryDelays {
  /// The index of the next delay.
  private var next = RetryDelays.afterHint.count

  /// The time from the creation of a socket to its first accepted connection, also on a busy
  /// machine.
  private static let afterHint: [Duration] = [30, 60, 120, 240, 480].map { .milliseconds($0) }
  private static let delays = afterHint + [1, 2, 4, 8, 16, 30].map { .seconds($0) }

  /// The delay before the next attempt; `nil` to wait for a hint only.
  ///
  /// - Parameter isWatched: whether the appearance of every possible socket will be noticed.
  mutating func wait(isWatched: Bool) -> Duration? {
    guard next < RetryDelays.delays.count else { return isWatched ? nil : RetryDelays.delays.last }
    defer { next += 1 }
    return RetryDelays.delays[next]
  }

  /// Restarts at 1 s, after a connection was ready.
  mutating func serverRan() { next = RetryDelays.afterHint.count }

  /// Restarts at 30 ms, after something appeared at the path of the socket.
  mutating func hintCame() { next = 0 }
}

/// The delays before a server that has sinks but no default is queried again: 100 ms, 200 ms … 12.8
/// s.
///
/// A server is in this state for a moment between two defaults, and its next event ends it. But
/// PipeWire's server has a default for each connection and may miss the next one on this one, while
/// every new connection gets the current one: so the query uses a new connection.
struct SettlingDelays {
  private var next = 0
  /// The previous snapshot: any other one restarts the sequence.
  private var last: AudioSnapshot?

  private static let delays: [Duration] = (0...7).map { .milliseconds(100 << $0) }

  /// The time until the next query; `nil` to wait for the next event only.
  mutating func wait(after sound: AudioSnapshot) -> Duration? {
    defer { last = sound }
    if sound != last { next = 0 }
    let isUnsettled = sound.route == nil && !sound.sinks.isEmpty
    guard isUnsettled, next < SettlingDelays.delays.count else { return nil }
    defer { next += 1 }
    return SettlingDelays.delays[next]
  }
}
