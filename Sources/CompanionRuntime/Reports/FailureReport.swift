package import JSON

/// The failure of a command: `{"schema":1,"error":{"code":4,"what":"…","advice":"…"}}`.
package struct FailureReport: ObjectReport, Hashable {
  package var what: String
  /// What the user can do, or an empty string.
  package var advice: String
  package var code: Int32

  package init(what: String, advice: String, code: Int32) {
    self.what = what
    self.advice = advice
    self.code = code
  }

  package init(_ error: CommandError) {
    self.init(what: error.what, advice: error.advice, code: error.status.rawValue)
  }

  package var text: String { [what, advice].filter { !$0.isEmpty }.joined(separator: "\n") }

  package static let schemaName = SchemaName(
    "error", "Any command with `--json` that fails and has no result")

  package static let properties: [Property<Self>] = [
    Property(
      "error",
      group: [
        Property("code", { Int($0.code) }, "the exit code"),
        Property("what", \.what),
        Property("advice", { $0.advice.isEmpty ? nil : $0.advice }, "null: nothing helps"),
      ])
  ]
}
