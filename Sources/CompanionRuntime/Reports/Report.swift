public import JSON

/// The result of a command, as text for people and as JSON for programs.
public protocol Report: Sendable {
  /// Lines without the final line end.
  var text: String { get }
  /// Keys are stable, because scripts use them (docs/json.md).
  var json: JSON { get }
}
