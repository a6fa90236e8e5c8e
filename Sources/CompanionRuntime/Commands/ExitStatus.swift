/// How a command ended, for the shell (docs/cli.md).
public enum ExitStatus: Int32, Sendable {
  /// The command succeeded.
  case ok = 0
  /// Any failure without a status of its own.
  case failed = 1
  /// Wrong usage: a command, an option or a value that there is not (`EX_USAGE` of sysexits.h).
  case usage = 64
  /// No adapter, an adapter that is off or blocked, or no permission.
  case noAdapter = 3
  /// The headphone is not in range or not known, or the selector is ambiguous.
  case notFound = 4
  /// The link ended, timed out, or is held by another program.
  case linkLost = 5
  /// The headphone refused.
  case refused = 6
}
