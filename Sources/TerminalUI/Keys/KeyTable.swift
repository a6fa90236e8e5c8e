internal import Companion

/// The table of every key on every page, with what it does there.
///
/// The help page, `earshot keys --pages` and docs/keys.md are made from it, so none can differ from
/// what the keys do.
///
/// ```swift
/// for section in KeyTable(.standard).sections {
///   print(section.title)
///   for row in section.rows { print(row.keys.joined(separator: " "), row.summary) }
/// }
/// ```
public struct KeyTable: Hashable, Sendable {
  /// The keys of a page.
  public struct Section: Hashable, Sendable {
    /// The page's title: "Main page".
    public let title: String
    /// The keys in the order of the help page.
    public let rows: [Row]
  }

  /// The effect of some keys on a page.
  public struct Row: Hashable, Sendable {
    /// The keys as they are written: "a", "^L", "PgUp".
    public let keys: [String]
    /// What they do there, without a full stop.
    public let summary: String
  }

  /// One section for each page, the main one first.
  public let sections: [Section]

  /// The table of a map of keys.
  ///
  /// A command without a key has no row, nor has one whose key another command has on that page.
  public init(_ map: KeyMap) {
    sections = PageKind.allCases.map { page in
      let rows = UserCommand.allCases.compactMap { command -> Row? in
        let keys = map.keys(for: command).filter { map.command(for: $0, on: page) == command }
        guard !keys.isEmpty else { return nil }
        return Row(keys: keys.map(\.name), summary: command.summary(on: page))
      }
      return Section(title: page.title, rows: rows)
    }
  }
}
