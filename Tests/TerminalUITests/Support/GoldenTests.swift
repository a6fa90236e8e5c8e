import Foundation
import TerminalUI
import Testing

/// The golden files in `Screens`; `UPDATE_SCREENS=1` rewrites them and removes unused ones.
@Suite struct `The golden screens` {
  @Test(arguments: Golden.all) func `look as they should`(golden: Golden) throws {
    let file = Self.folder.appending(path: golden.name + ".txt")
    let actual = golden.content()
    if Self.isUpdate { return try Data(actual.utf8).write(to: file) }
    let expected = try? String(contentsOf: file, encoding: .utf8)
    if actual != expected {
      Issue.record(
        "\(golden.name) looks different; if it should, rewrite it with UPDATE_SCREENS=1\n\(actual)")
    }
  }

  @Test func `have a name each, and no file is left over`() throws {
    let names = Golden.all.map(\.name)
    #expect(Dictionary(grouping: names, by: \.self).filter { $1.count > 1 }.keys.sorted() == [])
    let orphans = try Self.files().filter { file in !names.contains { "\($0).txt" == file } }
    if Self.isUpdate {
      for file in orphans {
        try FileManager.default.removeItem(at: Self.folder.appending(path: file))
      }
    } else {
      #expect(orphans == [])
    }
  }

  @Test func `are all different, as are the scenes in each`() {
    var screens: [String: [String]] = [:]
    for golden in Golden.all {
      let content = golden.content()
      screens[content, default: []].append(golden.name)
      guard content.hasPrefix("# ") else { continue }
      let scenes = content.components(separatedBy: "\n\n")
        .map { $0.split(separator: "\n").dropFirst().joined(separator: "\n") }
      #expect(Set(scenes).count == scenes.count, "two scenes of \(golden.name) are alike")
    }
    #expect(screens.values.filter { $0.count > 1 } == [])
  }

  @Test func `show every role on a map, each with a letter of its own`() {
    #expect(Set(Role.allCases.map(\.letter)).count == Role.allCases.count)
    let maps = Golden.all.map { $0.content() }.joined().split(separator: "\n")
      .filter { $0.first?.isNumber == true && !$0.contains("|") }
    let missing = Role.allCases.filter { role in !maps.contains { $0.contains(role.letter) } }
    #expect(missing == [])
  }

  private static let isUpdate = ProcessInfo.processInfo.environment["UPDATE_SCREENS"] != nil
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Screens")

  private static func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".txt") }
  }
}
