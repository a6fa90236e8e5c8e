public import JSON

/// The result of a command, as text for people and as JSON for programs.
///
/// ```swift
/// print(asJSON ? "\(report.json)" : report.text)
/// ```
public protocol Report: Sendable {
  /// Lines without the final line end.
  var text: String { get }
  /// The same for a terminal, with bars and colours where they help.
  func text(_ style: TextStyle) -> String
  /// Keys are stable, because scripts use them (docs/json.md).
  var json: JSON { get }
}

extension Report {
  /// The plain text, where a terminal gets nothing more.
  public func text(_ style: TextStyle) -> String { text }
}

/// A report whose members are declared once, for its JSON, the schema and the documentation.
///
/// Every object begins with `schema`, which is 1. Members are only ever added; what is unknown is
/// null, never left out. `JSONSchema.outputs` lists all.
public protocol ObjectReport: Report, NamedJSONObject {}

extension ObjectReport {
  private static var version: Property<Self> { Property("schema", always: 1) }

  public static var definition: JSONSchema.Definition {
    .init(schemaName, .object([version.member] + properties.map(\.member)))
  }

  public var json: JSON {
    .object([Self.version.value(of: self)] + Self.properties.map { $0.value(of: self) })
  }
}
