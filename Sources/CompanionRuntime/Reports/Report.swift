/// What a command found out: one value, told as text to people and as JSON to programs.
public protocol Report: Sendable {
  /// Lines for a person, without the last line end.
  var text: String { get }
  /// Its keys are fixed: people script them (docs/cli.md).
  var json: JSON { get }
}

/// Lines of a label and a value each, the values in one column.
func table(_ rows: [(String, String)]) -> String {
  let width = rows.map(\.0.count).max() ?? 0
  return rows.map { label, value in
    label + String(repeating: " ", count: width - label.count + 2) + value
  }.joined(separator: "\n")
}
