import Foundation
import TestSupport
import Testing

@testable import TerminalUI

/// `docs/keys.md` is generated from the program.
@Suite struct `The table of keys` {
  private static var page: String {
    var text = """
      # Keys

      Every key on every page, as the program has them (`earshot keys --pages`). [Configuration](configuration.md)
      says how to change them. A key acts on the page that is shown, or not at all.

      On a French keyboard `&` `é` `"` `'` act as `1` to `4`. `^N` `^P` `^F` `^B` move as in Emacs, `^D` and `^U` as in vi. A key
      that you give to a command does what the command does.

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
    #expect(try GeneratedPage("keys.md").text(rewrittenTo: Self.page) == Self.page)
  }

  @Test func `has every key that the README names`() throws {
    let page = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "README.md"),
      encoding: .utf8)
    let section = try #require(
      page.components(separatedBy: "## Keys\n").last?.components(separatedBy: "\n## ").first)
    let named = section.components(separatedBy: "`").enumerated()
      .filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
    let keys = Set(KeyTable(.standard).sections.flatMap { $0.rows.flatMap(\.keys) })
    #expect(named.count > 20)
    #expect(Set(named).isSubset(of: keys), "\(Set(named).subtracting(keys))")
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
