internal import Companion

/// A table of every key on every page with its effect.
///
/// The help page, `earshot keys --pages` and docs/keys.md are made from this table, so they always
/// match the keys' behaviour.
package struct KeyTable: Hashable, Sendable {
  /// The keys of a page.
  package struct Section: Hashable, Sendable {
    /// The title of the page, such as "Main page".
    package let title: String
    /// The keys in the order of the help page.
    package let rows: [Row]
  }

  /// Keys with the same effect on a page.
  package struct Row: Hashable, Sendable {
    /// The names of the keys, such as "a", "^L" or "PgUp".
    package let keys: [String]
    /// The effect on the page, without a full stop.
    package let summary: String
  }

  /// One section for each page, the main page first.
  package let sections: [Section]

  /// Creates the table of a key map.
  ///
  /// Commands without a key on a page have no row there.
  package init(_ map: KeyMap) {
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
