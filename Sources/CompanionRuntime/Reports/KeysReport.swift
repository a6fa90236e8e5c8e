package import Companion
package import JSON

package struct KeysReport: ObjectReport, Hashable {
  package struct Entry: JSONObject, Hashable, Sendable {
    package var command: UserCommand
    /// The names of the keys, such as "a", "^L" or "PgUp".
    package var keys: [String]

    package init(command: UserCommand, keys: [String]) {
      self.command = command
      self.keys = keys
    }

    package static let properties: [Property<Self>] = [
      Property("command", \.command.name, "as the configuration names it"),
      Property("keys", \.keys),
      Property("summary", \.command.summary),
    ]
  }

  private let entries: [Entry]

  package init(_ entries: [Entry]) { self.entries = entries }

  package var text: String {
    table(
      entries.map { entry in
        (entry.keys.joined(separator: " "), "\(entry.command.name): \(entry.command.summary)")
      })
  }

  package static let schemaName = SchemaName("keys", "`earshot keys --json`")

  package static let properties: [Property<Self>] = [Property("keys", \.entries)]
}
