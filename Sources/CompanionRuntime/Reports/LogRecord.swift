public import Companion
internal import Headphones
public import JSON

/// A line of the log file, for `earshot log`.
public struct LogRecord: Report, Hashable {
  /// "2026-11-21 14:03:22.123", local.
  public var time: String
  /// How grave it is.
  public var level: LogLine.Level
  /// "earshot", and what else the line says of its origin: "headphone=…".
  public var origin: String
  /// What happened; may quote names, unsanitised.
  public var displayText: String

  /// Nil: it is no line of the log.
  public init?(line: String) {
    let parts = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: true)
    guard parts.count == 4, let colon = parts[3].firstRange(of: ": "),
      let level = LogLine.Level.allCases.first(where: { "\($0)" == parts[2] })
    else { return nil }
    time = "\(parts[0]) \(parts[1])"
    self.level = level
    origin = String(parts[3][..<colon.lowerBound])
    displayText = String(parts[3][colon.upperBound...])
  }

  public var text: String { displayable("\(time) \(level) \(origin): \(displayText)") }

  public var json: JSON {
    [
      "schema": 1, "time": .string(time), "level": .string("\(level)"),
      "origin": .string(origin), "text": .string(displayText),
    ]
  }
}
