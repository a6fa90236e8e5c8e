import Companion
import Configuration
import Testing

/// The configuration in a report for maintainers.
@Suite struct NameTests {
  private static let names = [
    "Jane", "Bob", "Miller", "SECRET", "study", "Salon", "aurora.txt", "11:22:33:44:55:66",
  ]

  @Test func `a configuration without names has neither names nor commands`() {
    let text = #"""
      [hooks]
      connected = "curl -H 'Authorization: \"SECRET\"' example.org"
      worn = ["notify", "Jane"]
      [connection]
      auto = "Jane's WH-1000XM4"
      [headphones."Bob Miller's \"buds\""]
      volume-ceiling = 80
      [corrections]
      "Jane's" = "Sony WH-1000XM4"
      "11:22:33:44:55:66" = "/home/x/aurora.txt"
      [scenes.study]
      noise-mode = "nc"
      output = "Salon"
      [scenes.Bob]
      when = "program:SECRET"
      [scenes.Jane]
      when = "call"
      """#
    var (configuration, mistakes) = Configuration.read(Array(text.utf8))
    #expect(mistakes.isEmpty, "\(mistakes)")
    #expect(Self.names.allSatisfy { configuration.toml.contains($0) })
    configuration.replaceNames { String(repeating: "x", count: $0.utf8.count) }
    for name in Self.names { #expect(!configuration.toml.contains(name), "\(name)") }
    for kept in [
      "connected = \"…\"", "worn = \"…\"", "volume-ceiling = 80", "Sony WH-1000XM4",
      "noise-mode = \"nc\"", "when = \"program:xxxxxx\"", "when = \"call\"",
    ] {
      #expect(configuration.toml.contains(kept), "\(kept)")
    }
  }

  @Test(arguments: [
    "[hooks]\nconnnected = \"SECRET\"", "[hooks]\nconnected = 5\nSECRET = 1",
    "[screen]\ntheme = \"SECRET\"", "[screen]\ntheme = \"a\\\"SECRET\"",
    "[headphones.SECRET]\nvolume-ceilin = 5", "[headphones.\"x\\\"SECRET\"]\nvolume-limt = 5",
    "[headphones]\nSECRET = 1", "[scenes]\nSECRET = 1", "[scenes.x]\nSECRET = []",
    "[connection]\nadapter = \"SECRET\"", "[SECRET]\nx = 1", "[hooks]\nconnected = SECRET",
    "SECRET = 1\nSECRET = 2", "[corrections]\nSECRET = 7", "[keys]\nSECRET = \"a\"",
    "[keys]\nquit = \"SECRET\"", "[firmware]\nkeys = [5, \"SECRET\"]",
    "[profiles.SECRET]\nname = 5",
    "[themes.SECRET]\naccent = \"x\"",
  ])
  func `mistakes are told without what a person wrote`(_ text: String) {
    let mistakes = Configuration.read(Array(text.utf8)).mistakes
    #expect(!mistakes.isEmpty)
    for mistake in mistakes {
      #expect(!mistake.withoutNames.what.contains("SECRET"), "\(mistake)")
      #expect(mistake.withoutNames.line == mistake.line)
    }
  }

  @Test func `what a file can have stays in a mistake`() throws {
    let text = "[screen]\nbackground = \"x\"\n[battery]\nlow = 200"
    let mistakes = Configuration.read(Array(text.utf8)).mistakes.map(\.withoutNames.what)
    #expect(mistakes.count == 2)
    #expect(mistakes[0].contains("\"background\" takes one of \"auto\", \"dark\", \"light\""))
    #expect(mistakes[1] == "\"low\" takes a whole number from 0 to 100, not 200")
  }
}
