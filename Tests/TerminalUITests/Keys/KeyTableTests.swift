import Foundation
import TestSupport
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
    #expect(try GeneratedPage("keys.md").text(rewrittenTo: Self.page) == Self.page)
  }

  @Test func `has every key that the README names`() throws {
    let page = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "README.md"),
      encoding: .utf8)
    let table = try #require(
      page.components(separatedBy: "| key | does |\n").last?
        .components(separatedBy: "\n\n").first)
    let named = table.split(separator: "\n").flatMap { row in
      row.split(separator: "|").first?.split(separator: "`", omittingEmptySubsequences: false)
        .enumerated().filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) } ?? []
    }
    let keys = Set(KeyTable(.standard).sections.flatMap { $0.rows.flatMap(\.keys) })
    #expect(named.count > 40)
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
