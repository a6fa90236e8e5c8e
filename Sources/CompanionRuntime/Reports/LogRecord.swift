package import Companion
internal import HeadphoneProtocols
package import JSON

package struct LogRecord: ObjectReport, Hashable {
  /// The local time: "2026-11-21 14:03:22.123".
  package var time: String
  package var level: LogLine.Level
  /// The subsystem and metadata: "earshot headphone=…".
  package var origin: String
  /// The message; names in it are unsanitised.
  package var displayText: String
  /// The unsanitised name of the headphone that the line is about, if known.
  package var headphoneName: String?

  /// Parses a line "date time level origin: message", or returns nil for any other text.
  package init?(line: String) {
    let parts = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: true)
    guard parts.count == 4, let colon = parts[3].firstRange(of: ": "),
      let level = LogLine.Level.allCases.first(where: { "\($0)" == parts[2] })
    else { return nil }
    time = "\(parts[0]) \(parts[1])"
    self.level = level
    origin = String(parts[3][..<colon.lowerBound])
    displayText = String(parts[3][colon.upperBound...])
  }

  package var text: String { displayable("\(time) \(level) \(origin): \(displayText)") }

  /// Returns the line as on the log page; the other fields are for files and programs.
  package func text(_ style: TextStyle) -> String {
    guard style != .plain else { return text }
    let mark = level > .warning ? "✗" : level == .warning ? "!" : "·"
    let part = field("part") ?? ""
    let gap = String(repeating: " ", count: max(0, 9 - part.count))
    let name = (headphoneName ?? headphone).map { "\($0): " } ?? ""
    let paint: Paint = level > .warning ? .bad : level == .warning ? .warning : .label
    return style.paint("\(time.prefix(19)) ", .label) + style.paint(mark, paint) + " "
      + style.paint(displayable(part), .label) + gap + " " + displayable(name + displayText)
  }

  package var headphone: String? { field("headphone") }
  package var sound: SoundChange? { field("sound").flatMap(SoundChange.init(rawValue:)) }

  private func field(_ key: String) -> String? {
    origin.split(separator: " ").first { $0.hasPrefix("\(key)=") }
      .map { String($0.dropFirst(key.count + 1)) }
  }

  package static let schemaName = SchemaName("log", "Each line of `earshot log --json`")

  package static let properties: [Property<Self>] = [
    Property("time", \.time, matching: #"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$"#, "local"),
    Property("level", \.level),
    Property("origin", \.origin, "the subsystem and what belongs to the line"),
    Property("text", \.displayText),
  ]
}
