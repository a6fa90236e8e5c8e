import Foundation
import Testing

@testable import HeadphoneProtocols

/// The settings of all makers by their identifiers (``KnownSetting``).
@Suite struct SettingCatalogTests {
  /// The settings of all rows, for both sides.
  private static let settings = KnownSetting.all.flatMap { row in
    row.isSided
      ? Side.allCases.compactMap { KnownSetting(SettingID(rawValue: "\(row.id.rawValue)-\($0)")) }
      : [row]
  }

  @Test func `no identifier and no title is declared twice`() {
    let ids = Dictionary(grouping: KnownSetting.all, by: \.id).filter { $1.count > 1 }
    #expect(ids.isEmpty, "\(ids.keys)")
    let titles = Dictionary(grouping: KnownSetting.all, by: \.title).filter { $1.count > 1 }
    #expect(titles.isEmpty, "\(titles.keys)")
  }

  @Test func `titles and explanations fit on the screen`() {
    for setting in Self.settings {
      #expect((1...7).contains(setting.label.count), "\(setting.id): \(setting.label)")
      #expect((1...34).contains(setting.explanation.count), "\(setting.id)")
    }
  }

  @Test func `each bud has the row of both`() throws {
    let left = try #require(KnownSetting("double-tap-left"))
    #expect((left.title, left.label) == ("Double tap left", "2 tap L"))
    #expect(KnownSetting("wind-reduction-left") == nil)
    #expect(SettingDeclaration("touch-left-double-tap").explanation == "What this touch does")
  }

  /// Hearing aids name their inputs themselves.
  @Test func `a maker's protocol takes titles from the catalogue`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/HeadphoneProtocols").standardized
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      let name = String(file.path.dropFirst(folder.path.count + 1))
      guard file.pathExtension == "swift", !name.hasPrefix("Settings/"),
        !name.hasPrefix("HearingAid/")
      else { continue }
      #expect(try !String(contentsOf: file, encoding: .utf8).contains("group: ."), "\(name)")
    }
  }
}
