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
