import Testing

@testable import TerminalUI

@Suite struct `Text for the clipboard` {
  /// RFC 4648 section 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func `is Base64`(text: String, encoded: String) {
    #expect(base64(Array(text.utf8)) == encoded)
    #expect(base64([0xFB, 0xFF, 0xFE]) == "+//+")
  }

  @Test func `cannot end the sequence that carries it`() {
    #expect(clipboardSequence("\u{07}\u{1B}\\") == "\u{1B}]52;c;Bxtc\u{07}")
  }
}
