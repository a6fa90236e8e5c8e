public import Companion
public import Logging

extension Logger {
  /// Writes a line of the state's log.
  public func write(_ line: LogLine) {
    let metadata: Logger.Metadata = line.headphone.map { ["headphone": "\($0.rawValue)"] } ?? [:]
    log(level: Level(line.level), "\(line.text)", metadata: metadata)
  }
}

extension Logger.Level {
  init(_ level: LogLine.Level) {
    self =
      switch level {
      case .debug: .debug
      case .info: .info
      case .notice: .notice
      case .warning: .warning
      case .error: .error
      }
  }
}
