public import Companion
public import JSON

/// `earshot keys`.
///
/// JSON of schema 1: `keys`, each with `command`, `keys` and `summary`. The names of commands are
/// those of the configuration.
public struct KeysReport: Report, Hashable {
  /// A command and its keys.
  public struct Entry: Hashable, Sendable {
    /// The command of the screen.
    public var command: UserCommand
    /// The names of the keys: "a", "^L", "PgUp".
    public var keys: [String]

    public init(command: UserCommand, keys: [String]) {
      self.command = command
      self.keys = keys
    }
  }

  private let entries: [Entry]

  public init(_ entries: [Entry]) { self.entries = entries }

  public var text: String {
    table(
      entries.map { entry in
        (entry.keys.joined(separator: " "), "\(entry.command.name): \(entry.command.summary)")
      })
  }

  public var json: JSON {
    [
      "schema": 1,
      "keys": .array(
        entries.map { entry in
          [
            "command": .string(entry.command.name),
            "keys": .array(entry.keys.map { .string($0) }),
            "summary": .string(entry.command.summary),
          ]
        }),
    ]
  }
}
