import CNcurses
import Companion
import Glibc
import Testing

@testable import TerminalUI

@Suite struct `The columns of a text` {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("Hëad", 4), ("He\u{301}ad", 4), ("音楽", 4), ("🎧", 2), ("한글", 4),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("नि", 2), ("╭─╮", 3), ("a\u{200B}b", 2), ("\u{301}a", 1),
  ])
  func `are those of its characters`(text: String, columns: Int) {
    #expect(text.columns == columns)
  }

  @Test(arguments: [
    // Families, professions and skin tones: the first emoji of the sequence.
    ("👨‍👩‍👧", "👨", 2), ("👩🏽‍🚀", "👩", 2), ("👍🏿", "👍", 2), ("🏳️‍🌈", "🏳", 1),
    // Variation selectors are not obeyed by all terminals.
    ("❤️", "❤", 1), ("⌚︎", "⌚", 2), ("1️⃣", "1\u{20E3}", 1),
    ("🇩🇪", "DE", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴", 2),
    // What acts on the terminal or on the direction of text.
    ("a\u{1B}[2Jb", "a\u{FFFD}[2Jb", 6), ("\u{202E}abc", "abc", 3), ("a\u{9B}b", "a\u{FFFD}b", 3),
    ("a\u{2028}b", "a\u{FFFD}b", 3), ("x\u{AD}y", "xy", 2), ("x\u{3164}y\u{FFA0}", "xy", 2),
    // Only so many marks fit into a cell.
    ("e\u{301}\u{302}\u{303}\u{304}\u{305}", "e\u{301}\u{302}\u{303}", 1),
  ])
  func `are of the form on which terminals agree`(text: String, shown: String, columns: Int) {
    var screen = Screen(size: Size(columns: 12, rows: 1))
    let end = screen.write(text, column: 0, row: 0, role: .plain)
    #expect(end == columns)
    #expect(text.columns == columns)
    // By scalars: "==" of strings follows canonical equivalence.
    #expect(
      Array(screen.text(row: 0).unicodeScalars)
        == Array((shown + String(repeating: " ", count: 12 - columns)).unicodeScalars))
  }

  /// Every assigned scalar known to the library, compared with the C library that curses uses.
  @Test func `are those of the C library`() {
    let locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)
    let before = uselocale(locale)
    defer {
      uselocale(before)
      freelocale(locale)
    }
    var different: [UInt32] = []
    for value: UInt32 in 0x20...0x3FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let library = Int(wcwidth(wchar_t(value)))
      let category = scalar.properties.generalCategory
      guard library >= 0, category != .unassigned else { continue }
      switch scalar.terminalKind {
      case .mark: if library != 0 { different.append(value) }
      case .spacing: if library != scalar.columns { different.append(value) }
      case .regional, .invisible, .control: break
      }
    }
    // Newer Unicode has changed these; the renderer shows a stand-in where the library differs.
    let isExpected = { (value: UInt32) in
      (0x2630...0x2637).contains(value) || (0x268A...0x268F).contains(value)
        || (0x4DC0...0x4DFF).contains(value) || (0x1D300...0x1D376).contains(value)
        || value == 0x1171E
    }
    #expect(different.filter { !isExpected($0) }.map { String($0, radix: 16) } == [])
  }
}
