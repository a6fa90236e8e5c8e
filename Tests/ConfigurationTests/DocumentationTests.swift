import Configuration
import Foundation
import Testing

@Suite struct DocumentationTests {
  private let documentation: String

  init() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    documentation = try String(
      contentsOf: root.appending(path: "docs/configuration.md"), encoding: .utf8)
  }

  @Test func `the file in the documentation is right and has every setting`() throws {
    let parts = documentation.components(separatedBy: "```toml\n")
    let example = try #require(parts.last?.components(separatedBy: "```").first)
    let (configuration, mistakes) = Configuration.read(example.utf8)
    #expect(mistakes == [])
    #expect(keys(of: configuration.toml) == keys(of: example))
  }

  @Test func `what the documentation says of mistakes is what is said`() {
    let mistakes = Configuration.read("[screen]\n\ntheme = \"red\"\n\nsymbol = 1".utf8).mistakes
    for mistake in mistakes { #expect(documentation.contains("config.toml, \(mistake)\n")) }
    #expect(mistakes.count == 2)
  }

  /// Returns the tables, and the keys in each.
  private func keys(of toml: String) -> Set<String> {
    var table = ""
    var keys: Set<String> = []
    for line in toml.split(separator: "\n") {
      if line.hasPrefix("[") { table = String(line) }
      keys.insert(table + (line.split(separator: "=").first.map(String.init) ?? ""))
    }
    return keys
  }
}
