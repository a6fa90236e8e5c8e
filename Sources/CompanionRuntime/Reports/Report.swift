package import JSON

/// The result of a command, as text for people and as JSON for programs.
package protocol Report: Sendable {
  /// The report as lines, without the final line end.
  var text: String { get }
  /// Returns the text for a terminal, with bars and colours where they help.
  func text(_ style: TextStyle) -> String
  /// The report as JSON, whose keys are stable because scripts use them (docs/json.md).
  var json: JSON { get }
}

extension Report {
  package func text(_ style: TextStyle) -> String { text }
}

/// A report whose members are declared once, for its JSON, the schema and the documentation.
///
/// Every object begins with `schema`, which is 1. Members are only ever added. Unknown values are
/// null, never omitted. `JSONSchema.outputs` lists all reports.
package protocol ObjectReport: Report, NamedJSONObject {}

extension ObjectReport {
  private static var version: Property<Self> { Property("schema", always: 1) }

  package static var definition: JSONSchema.Definition {
    .init(schemaName, .object([version.member] + properties.map(\.member)))
  }

  package var json: JSON {
    .object([Self.version.value(of: self)] + Self.properties.map { $0.value(of: self) })
  }
}
