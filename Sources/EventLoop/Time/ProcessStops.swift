internal import CTerminalGuard

/// A counter of the process's stops (SIGSTOP, SIGTSTP), for receivers that must not act on old
/// messages.
///
/// After a stop, everything that was sent during it arrives at once, without the time at which it was
/// sent. A receiver is behind then, until the sender has replied to a request: what precedes the reply
/// may be old.
public struct ProcessStops: Sendable {
  private var count: UInt32
  /// Whether what arrives may be as old as the last stop.
  public private(set) var isBehind = false

  /// Begins to count, once for the process.
  public static func begin() { terminal_guard_count_continuations() }

  /// Counts from now on.
  public init() {
    Self.begin()
    count = terminal_guard_continuations()
  }

  /// Whether the process was stopped since the last call; it is behind then.
  public mutating func hasStopped() -> Bool {
    let now = terminal_guard_continuations()
    guard now != count else { return false }
    count = now
    isBehind = true
    return true
  }

  /// What arrives from now on is new, unless the process was stopped again.
  public mutating func catchUp() { isBehind = false }
}
