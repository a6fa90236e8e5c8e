import Testing

@testable import TerminalUI

@Suite struct `A screen` {
  private func screen(_ columns: Int, _ rows: Int) -> Screen {
    Screen(size: Size(columns: columns, rows: rows))
  }

  @Test func `cuts what does not fit`() {
    var screen = screen(4, 2)
    let end = screen.write("abcdef", column: 1, row: 0, role: .value)
    #expect(end == 4)
    #expect(screen.text(row: 0) == " abc")
    screen.write("abc", column: -1, row: 1, role: .value)
    #expect(screen.text(row: 1) == "bc  ")
    screen.write("x", column: 0, row: 2, role: .value)
    screen.write("x", column: 0, row: -1, role: .value)
  }

  @Test func `keeps a text within its limits`() {
    var screen = screen(8, 3)
    let limits = Area(column: 2, row: 1, columns: 3, rows: 1)
    for row in 0..<3 { screen.write("abcdefgh", column: 0, row: row, role: .value, limits: limits) }
    #expect((0..<3).map { screen.text(row: $0) } == ["        ", "  cde   ", "        "])
  }

  @Test func `never shows half of a wide character`() {
    var screen = screen(6, 1)
    screen.write("音楽", column: 0, row: 0, role: .value)
    screen.write("x", column: 1, row: 0, role: .value)
    #expect(screen.text(row: 0) == " x楽  ")
    screen.write("y", column: 2, row: 0, role: .value)
    #expect(screen.text(row: 0) == " xy   ")
    screen.write("ab楽", column: 3, row: 0, role: .value)
    #expect(screen.text(row: 0) == " xyab ")
    screen.write("音楽", column: 2, row: 0, role: .value)
    screen.write("楽", column: 3, row: 0, role: .value)
    #expect(screen.text(row: 0) == " x 楽 ")
  }

  @Test func `shows only ASCII where nothing else can be shown`() {
    var screen = Screen(size: Size(columns: 8, rows: 1), repertoire: .ascii)
    screen.write("é音a🎧", column: 0, row: 0, role: .value)
    #expect(screen.text(row: 0) == "???a??  ")
  }

  @Test(arguments: [(-1, 4), (4, -1), (0, 0)])
  func `may be empty`(columns: Int, rows: Int) {
    var screen = screen(columns, rows)
    screen.write("abc", column: 0, row: 0, role: .value)
    screen.fill(Area(column: -1, row: -1, columns: 9, rows: 9), role: .value)
    screen.recede()
    #expect(screen.cells.isEmpty)
  }

  @Test func `takes sixteen bytes a cell`() {
    #expect(MemoryLayout<Cell>.stride == 16)
  }

  @Test(arguments: [
    ("abcdef", 6, "abcdef"), ("abcdefg", 6, "abcde…"), ("音楽音楽", 6, "音楽…"),
    ("音楽音楽", 5, "音楽…"), ("abc", 1, "…"), ("abc", 0, ""), ("abc", -3, ""),
  ])
  func `shortens with an ellipsis`(text: String, limit: Int, shown: String) {
    #expect(text.truncated(to: limit, ellipsis: "…") == shown)
  }

  @Test(arguments: [
    ("one two three", 7, ["one two", "three"]), ("one", 7, ["one"]), ("", 7, []),
    ("abcdefgh i", 4, ["abcd", "i"]), ("a  b", 9, ["a b"]), ("a", 0, []),
  ])
  func `breaks lines between words`(text: String, columns: Int, lines: [String]) {
    #expect(wrapped(text, columns: columns) == lines)
  }

  @Test(arguments: [
    ("no adapter", "No adapter"), ("hci0 is off", "hci0 is off"), ("ready.", "Ready."),
    ("config.toml, line 2: it has no table", "config.toml, line 2: it has no table"),
  ])
  func `a sentence begins with a capital, and a name as it is`(text: String, sentence: String) {
    #expect(text.sentence == sentence)
  }
}
