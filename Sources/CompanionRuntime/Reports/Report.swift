public import JSON

/// What a command found out: one value, told as text to people and as JSON to programs.
public protocol Report: Sendable {
  /// Lines for a person, without the last line end.
  var text: String { get }
  /// Its keys are fixed: people script them (docs/cli.md).
  var json: JSON { get }
}
