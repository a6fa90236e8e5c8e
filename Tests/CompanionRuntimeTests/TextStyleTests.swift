import Companion
import Testing

@testable import CompanionRuntime

@Suite struct TextStyleTests {
  private let names = ["Ear", "漢字ヘッドホン", "Kopfhörer", "e\u{301}", "🎧", ""]

  @Test(arguments: [TextStyle.plain, .monochrome])
  func `columns are aligned where names are wide`(style: TextStyle) {
    let lines = style.table(["name", "level"], names.map { [$0, "level"] }).split(separator: "\n")
    let starts = lines.map { String($0.dropLast("level".count)).writtenColumns }
    #expect(Set(starts) == ["漢字ヘッドホン".writtenColumns + 2])
    let labels = style.table(names.map { ($0, "value") }).split(separator: "\n")
    #expect(Set(labels.map { String($0.dropLast("value".count)).writtenColumns }).count == 1)
  }

  @Test func `a last column of wide words is wrapped where the terminal ends`() {
    let words = (1...20).map { _ in "漢字" }.joined(separator: " ")
    let table = TextStyle(.monochrome, columns: 40).table(["a", "b"], [["one", words]])
    #expect(table.split(separator: "\n").allSatisfy { String($0).writtenColumns <= 40 })
  }
}
