import HeadphoneProtocols
import Testing

@Suite struct DisplayableTests {
  @Test(
    arguments: [
      ("Buds Pro", "Buds Pro"), ("Kopfhörer ✨", "Kopfhörer ✨"), ("耳機", "耳機"),
      ("❤️ e\u{301}", "❤️ e\u{301}"), ("", ""),
      ("👩‍💻 buds", "👩‍💻 buds"), ("🏳️‍🌈", "🏳️‍🌈"), ("👩🏽‍🚀", "👩🏽‍🚀"),
    ])
  func `honest text stays`(raw: String, shown: String) { #expect(displayable(raw) == shown) }

  @Test(
    arguments: [
      ("\u{1B}[2J", "\u{FFFD}[2J"), ("\u{9B}31m", "\u{FFFD}31m"), ("a\u{0}b", "a\u{FFFD}b"),
      ("a\nb\r\tc", "a b  c"), ("\u{202E}sduB", "\u{FFFD}sduB"), ("\u{2066}x\u{2069}", "�x�"),
      ("Bu\u{200B}ds", "Bu\u{FFFD}ds"), ("\u{FEFF}a\u{7F}", "\u{FFFD}a\u{FFFD}"),
      ("a\u{2028}b", "a\u{FFFD}b"), ("\u{E000}\u{10FFFF}", "\u{FFFD}\u{FFFD}"),
      ("a\u{200D}b", "a�b"), ("👩\u{200D}", "👩�"), ("\u{200D}👩", "�👩"),
      ("1\u{200D}2", "1�2"), ("👩\u{200D}\u{200D}👩", "👩��👩"),
      ("a\u{E0041}", "a\u{FFFD}"), ("a\u{3164}", "a\u{FFFD}"), ("a\u{85}b", "a b"),
    ])
  func `what steers or hides is replaced`(raw: String, shown: String) {
    #expect(displayable(raw) == shown)
  }

  @Test func `every scalar becomes one that can be shown`() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let shown = displayable(String(Character(scalar))).unicodeScalars
      if shown.count != 1 || shown.allSatisfy({ $0.properties.generalCategory == .control }) {
        Issue.record("U+\(String(value, radix: 16)) is shown as \(shown)")
      }
    }
  }

  @Test func `broken UTF-8 is repaired and padding dropped`() {
    #expect(textFromAir([0x41, 0xFF, 0x42, 0, 0]) == "A\u{FFFD}B")
    #expect(textFromAir([0x4F, 0x54, 0x41, 0, 0x7F, 0x31]) == "OTA")
    #expect(textFromAir([0, 0x1B, 0x41, 0][1...]) == "\u{1B}A")
  }
}
