/// How a command ended, for the shell (docs/cli.md).
public enum ExitStatus: Int32, Sendable {
  case ok = 0
  case failed = 1
  case usage = 2
  case noAdapter = 3
  case notFound = 4
  case linkLost = 5
  case refused = 6
}
