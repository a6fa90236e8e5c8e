/// When to ask a server anew that has sinks and yet names no default: 100 ms, 200 ms … 12.8 s.
///
/// A server is like that for a moment between two defaults, and its next event ends it. But
/// PipeWire's server keeps a default for each connection, and may miss the next one on ours
/// while it tells every new connection the truth: so it is asked by a new one.
struct SettlingDelays {
  private var next = 0
  private var last: AudioSnapshot?

  private static let delays: [Duration] = (0...7).map { .milliseconds(100 << $0) }

  /// The time until the next query; nil: until the next event.
  mutating func wait(after sound: AudioSnapshot) -> Duration? {
    defer { last = sound }
    if sound != last { next = 0 }
    let isUnsettled = sound.route == nil && !sound.sinks.isEmpty
    guard isUnsettled, next < SettlingDelays.delays.count else { return nil }
    defer { next += 1 }
    return SettlingDelays.delays[next]
  }
}
