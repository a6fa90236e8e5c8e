public import Companion
public import JSON

/// The report of `earshot keys`.
public struct KeysReport: ObjectReport, Hashable {
  /// A command and its keys.
  public struct Entry: JSONObject, Hashable, Sendable {
    public var command: UserCommand
    /// The names of the keys, such as "a", "^L" or "PgUp".
    public var keys: [String]

    public init(command: UserCommand, keys: [String]) {
      self.command = command
      self.keys = keys
    }

    public static let properties: [Property<Self>] = [
      Property("command", \.command.name, "as the configuration names it"),
      Property("keys", \.keys),
      Property("summary", \.command.summary),
    ]
  }

  private let entries: [Entry]

  public init(_ entries: [Entry]) { self.entries = entries }

  public var text: String {
    table(
      entries.map { entry in
        (entry.keys.joined(separator: " "), "\(entry.command.name): \(entry.command.summary)")
      })
  }

  public static let schemaName = SchemaName("keys", "`earshot keys --json`")

  public static let properties: [Property<Self>] = [Property("keys", \.entries)]
}
