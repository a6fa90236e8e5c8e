import Configuration
import Foundation
import Testing

@testable import HeadphoneProtocols

/// The number of known models and their evidence, as in the table of `docs/headphones.md`.
@Suite struct ModelCountTests {
  private static let heading = "### Counted"

  private static var table: [String] {
    let named = ModelCatalog.bundled.models
    let families = HeadphoneFamily.allCases.filter {
      $0 == .airpods || $0.serialProtocol != nil || $0.gattProtocol != nil
    }
    let oppo = OppoProduct.all.values.count { $0.noise != nil }
    return [
      "| known by | models |", "| --- | --- |",
      "| name: AirPods and Beats, by Apple's number | \(named.filter { $0.family == .airpods }.count) |",
      "| name: other models that the program has a file of | \(named.filter { $0.family != .airpods }.count) |",
      "| number: Soundcore, whose states have a layout each | \(SoundcoreLayout.models.count) |",
      "| number: Oppo, Realme and OnePlus, whose noise control has a table each | \(oppo) |",
      "| answers: what the headphone itself reports | all of \(families.count) families |",
      "| standard services | any, over LE |",
    ]
  }

  @Test func `the page says how many models are known, and how`() throws {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../docs/headphones.md").standardized
    let lines = try String(contentsOf: page, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0 == Self.heading })
    let shown = lines[(start + 1)...].drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
    #expect(
      shown.map(String.init) == Self.table,
      "docs/headphones.md has to say:\n\(Self.table.joined(separator: "\n"))")
  }
}
