import Testing

@testable import TerminalUI

@Suite struct `A key` {
  @Test(arguments: [
    ("a", Key.character("a")), ("A", .character("A")), ("é", .character("é")),
    ("^", .character("^")),
    ("^L", .control("l")), ("F1", .function(1)), ("F12", .function(12)), ("Space", .character(" ")),
    ("PgUp", .pageUp), ("S-Tab", .backTab), ("Esc", .escape), ("Enter", .enter), ("Del", .delete),
  ])
  func `has a name that reads back`(name: String, key: Key) {
    #expect(key.name == name)
    #expect(Key(name: name) == key)
  }

  @Test(arguments: [
    ("ctrl-l", Key.control("l")), ("C-l", .control("l")), ("pageup", .pageUp), ("ESCAPE", .escape),
    ("f3", .function(3)), ("return", .enter),
  ])
  func `is also read by its other names`(name: String, key: Key) {
    #expect(Key(name: name) == key)
  }

  @Test(arguments: [
    "", "ab", "^", "F0", "F13", "^1", "^I", "ctrl-", "Hyper", " ", "\u{1B}", "\u{301}",
  ])
  func `is not read from a name that no key has`(name: String) {
    let key = Key(name: name)
    #expect(key == nil || name == "^")
  }
}
