/// How a command ended, for the shell (docs/cli.md).
public enum ExitStatus: Int32, Sendable {
  /// It did what it was asked to.
  case ok = 0
  /// It did not, for a reason that no other number has.
  case failed = 1
  /// The command line makes no sense.
  case usage = 2
  /// No adapter, an adapter that is off or blocked, or no permission.
  case noAdapter = 3
  /// The headphone was not heard, or several are meant.
  case notFound = 4
  /// The link ended, timed out, or is held by another program.
  case linkLost = 5
  /// The headphone refused.
  case refused = 6
}
