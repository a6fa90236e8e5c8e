internal import CTerminalGuard

/// Whether the process was stopped (SIGSTOP, SIGTSTP) and continued since it was asked last.
///
/// What others have sent meanwhile arrives all at once then, and cannot be told by its time: it has
/// none. So whoever must not act on old messages marks itself as behind, and asks the sender for
/// something: what precedes the reply is old.
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
