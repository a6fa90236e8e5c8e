import Companion
import TerminalUI
import Testing

@Suite struct RunTests {
  @Test func `a screen put together from its runs is the same`() {
    for size in [Size(columns: 80, rows: 24), Size(columns: 40, rows: 12)] {
      let drawn = view(Example.state(), size: size)
      var copy = Screen(size: size)
      for row in drawn.changedRows(since: nil) {
        copy.replace(row: row, with: drawn.runs(row: row))
      }
      #expect(drawn.changedRows(since: copy) == [])
    }
  }

  @Test func `only rows that differ are reported`() {
    let size = Size(columns: 10, rows: 3)
    let before = Screen(size: size)
    var after = before
    after.replace(row: 1, with: [Run(.key, "耳"), Run(.value, "x")])
    #expect(after.changedRows(since: before) == [1])
    #expect(after.runs(row: 1) == [Run(.key, "耳"), Run(.value, "x"), Run(.plain, "       ")])
    #expect(after.changedRows(since: Screen(size: Size(columns: 9, rows: 3))) == [0, 1, 2])
  }

  @Test func `rows that are not there and text that does not fit do no harm`() {
    var screen = Screen(size: Size(columns: 3, rows: 1))
    screen.replace(row: 7, with: [Run(.key, "x")])
    screen.replace(row: -1, with: [Run(.key, "x")])
    screen.replace(row: 0, with: [Run(.key, "abcdef")])
    #expect(screen.text(row: 0) == "abc")
  }

  @Test func `each role has a name of its own`() {
    for role in Role.allCases { #expect(Role(name: role.name) == role) }
    #expect(Role(name: "none.such") == nil)
  }
}
