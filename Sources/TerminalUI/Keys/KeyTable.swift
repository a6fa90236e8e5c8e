internal import Companion

/// Every key on every page with its effect, for the help, `earshot keys --pages` and docs/keys.md.
package struct KeyTable: Hashable, Sendable {
  package struct Section: Hashable, Sendable {
    package let title: String
    package let rows: [Row]
  }

  package struct Row: Hashable, Sendable {
    package let keys: [String]
    package let summary: String
  }

  /// One section for each page, the main page first.
  package let sections: [Section]

  /// Creates the table; commands without a key on a page have no row there.
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
