public import Companion
internal import HeadphoneProtocols
public import JSON

/// A parsed line of the log file: `earshot log`.
///
/// JSON of schema 1, one object a line: `time`, `level`, `origin`, `text`.
public struct LogRecord: Report, Hashable {
  /// "2026-11-21 14:03:22.123", local.
  public var time: String
  /// The severity.
  public var level: LogLine.Level
  /// The subsystem and metadata: "earshot headphone=…".
  public var origin: String
  /// The message; names in it are unsanitised.
  public var displayText: String

  /// - Returns: nil for text that is not a log line.
  /// - Parameter line: "date time level origin: message", as `Persistence` writes it.
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
