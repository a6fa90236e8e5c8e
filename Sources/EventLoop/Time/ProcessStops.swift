internal import CTerminalGuard

/// A detector of stops (SIGSTOP, SIGTSTP), for receivers that must ignore old messages.
///
/// Everything sent during a stop arrives at once after it. The receiver is then behind until the
/// sender has replied to a request, because whatever precedes the reply may be old.
package struct ProcessStops: Sendable {
  private var count: UInt32
  /// Whether messages that arrive may date from the last stop.
  package private(set) var isBehind = false

  /// Begins to count stops, once per process.
  package static func begin() { terminal_guard_count_continuations() }

  /// Creates a detector of stops from now on.
  package init() {
    Self.begin()
    count = terminal_guard_continuations()
  }

  /// Returns whether the process was stopped since the last call, and if so marks it as behind.
  package mutating func hasStopped() -> Bool {
    let now = terminal_guard_continuations()
    guard now != count else { return false }
    count = now
    isBehind = true
    return true
  }

  /// Marks the messages that arrive from now on as new, until the process is stopped again.
  package mutating func catchUp() { isBehind = false }
}
