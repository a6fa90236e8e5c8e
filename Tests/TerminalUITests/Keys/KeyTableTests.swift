import Testing

@testable import TerminalUI

/// `docs/keys.md` is made from the program.
@Suite struct `The table of keys` {
  private static var page: String {
    var text = """
      # Keys

      Every key on every page, as the program has them (`earshot keys --pages`). [Configuration](configuration.md)
      says how to change them. A key acts on the page that is shown, or not at all.

      """
    for section in KeyTable(.standard).sections {
      text += "\n## \(section.title)\n\n| key | does |\n| --- | --- |\n"
      for row in section.rows {
        text += "| \(row.keys.map { "`\($0)`" }.joined(separator: " ")) | \(row.summary) |\n"
      }
    }
    return text
  }

  @Test func `is what the documentation shows`() throws {
    try expectPage("keys.md", Self.page)
  }

  @Test func `has each key of a page once, and every page a way out`() {
    for section in KeyTable(.standard).sections {
      let keys = section.rows.flatMap(\.keys)
      #expect(Set(keys).count == keys.count, "\(section.title)")
      #expect(Set(["Esc", "q", "^C", "?", "T"]).isSubset(of: keys), "\(section.title)")
      #expect(!section.rows.contains { $0.summary.contains("in the ") }, "\(section.title)")
    }
  }
}
