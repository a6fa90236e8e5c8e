import Testing

@testable import Sharing

@Suite struct `Links in text for a terminal` {
  private let links = TerminalLinks(
    documents: "/usr/share/doc/earshot", host: "desk", home: "/home/me",
    exists: { $0 != "/missing" && $0 != "/usr/share/doc/earshot/none.md" })

  @Test(arguments: [
    ("see docs/audio.md.", "file://desk/usr/share/doc/earshot/audio.md", "docs/audio.md"),
    ("(docs/audio.md)", "file://desk/usr/share/doc/earshot/audio.md", "docs/audio.md"),
    (
      "line 3 of ~/.config/earshot/config.toml:", "file://desk/home/me/.config/earshot/config.toml",
      "~/.config/earshot/config.toml"
    ),
    ("written: \"/tmp/ä b\"", "file://desk/tmp/%C3%A4", "/tmp/ä"),
    (
      "https://example.org/a?b=1#c, too", "https://example.org/a?b=1#c",
      "https://example.org/a?b=1#c"
    ),
  ])
  func `lead to files, documents and the web`(text: String, target: String, shown: String) {
    #expect(links.linked(text).contains("\u{1B}]8;;\(target)\u{1B}\\\(shown)\u{1B}]8;;\u{1B}\\"))
  }

  @Test(arguments: [
    "", " ", "no file at all", "/missing", "docs/none.md", "docs/", "/", "http://plain.org",
    "https://nicht-ascii.org/ä", "sudo modprobe bluetooth", "~", "50 %/h",
    "\u{1B}[31m/tmp\u{1B}[0m",
  ])
  func `are for nothing else`(text: String) { #expect(links.linked(text) == text) }

  @Test func `change neither words nor lines`() {
    let text = "a  docs/audio.md\n\t/tmp,  (https://example.org)\n"
    var plain = links.linked(text)
    while let start = plain.firstRange(of: "\u{1B}]8;;"),
      let end = plain[start.upperBound...].firstRange(of: "\u{1B}\\")
    {
      plain.removeSubrange(start.lowerBound..<end.upperBound)
    }
    #expect(plain == text)
  }
}
