import Companion
import Foundation
import TerminalUI
import TestSupport
import Testing

@testable import Configuration

/// Every key of the file is read, written and read again unchanged.
@Suite struct `The keys of the configuration` {
  /// A file for each key, and one for each group of tables whose names the user chooses.
  static let examples: [String] = Configuration.tables.flatMap { table in
    table.keys.isEmpty
      ? [table.example] : table.keys.map { "[\(table.name)]\n\($0.name) = \($0.example)" }
  }

  private func read(_ text: String) -> Configuration {
    let (configuration, mistakes) = Configuration.read(text.utf8)
    #expect(mistakes == [], "\(text)")
    return configuration
  }

  @Test(arguments: examples)
  func `are written as they are read`(text: String) {
    let configuration = read(text)
    #expect(configuration != Configuration(), "the example is the default")
    #expect(read(configuration.toml).withoutLines == configuration.withoutLines)
    #expect(pairs(of: text).isSubset(of: pairs(of: configuration.toml)))
  }

  @Test(arguments: examples)
  func `reach the state with one action, and leave nothing behind`(text: String) {
    func configure(_ state: inout State, _ configuration: Configuration) {
      let action = Action.configured(configuration.preferences, isResident: true)
      _ = state.reduce(action, at: Timestamp(milliseconds: 0))
      #expect(state.preferences == configuration.preferences)
      #expect(state.soundRules == configuration.preferences.sound)
    }
    var state = State()
    configure(&state, Configuration())
    let standard = state
    let isFollowed = read(text).preferences != Configuration().preferences
    configure(&state, read(text))
    #expect((state != standard) == isFollowed)
    configure(&state, Configuration())
    #expect(state == standard)
  }

  @Test func `are written together as they are read`() {
    let text = Configuration.tables.map(\.example).joined(separator: "\n")
    let configuration = read(text)
    #expect(read(configuration.toml).withoutLines == configuration.withoutLines)
    #expect(pairs(of: text).isSubset(of: pairs(of: configuration.toml)))
  }

  @Test func `change every property that a configuration has`() {
    let standard = Configuration()
    let changed = Self.examples.map(read)
    for path in paths(of: standard) {
      let before = value(at: path, of: standard)
      #expect(
        changed.contains { value(at: path, of: $0) != before },
        "no key sets \(path.joined(separator: "."))")
    }
  }

  @Test func `are explained with their values`() {
    var configuration = Configuration()
    configuration.preferences.thresholds.low = 33
    let keys = configuration.explainedKeys
    #expect(Set(keys.map(\.name)).count == keys.count)
    #expect(
      keys.allSatisfy {
        !$0.values.isEmpty && !$0.values.contains("`") && !$0.values.contains("](")
      })
    #expect(keys.first { $0.name == "battery.low" }?.value == "33")
    #expect(keys.first { $0.name == "screen.motion" }?.value == nil)
    #expect(keys.first { $0.name == "screen.theme" }?.words.contains("nord") == true)
  }

  @Test func `have the tables of the documentation`() throws {
    let page = GeneratedPage("configuration.md")
    var wanted = try page.text()
    for (title, table) in Self.documentedTables {
      let isThere = wanted.replaceTable(after: "\n### `[\(title)]`\n", with: table)
      #expect(isThere, "\(title)")
    }
    #expect(
      try page.text(rewrittenTo: wanted) == wanted, "UPDATE_SCREENS=1 writes the tables again")
  }

  private static var documentedTables: [(title: String, text: String)] {
    Configuration.tables.filter { !$0.keys.isEmpty }.map { table in
      (
        table.name,
        text(heading: table.heading, table.keys.map { ($0.name, $0.values, $0.unlessGiven) })
      )
    } + [
      (
        "headphones.NAME",
        text(
          heading: "values",
          Configuration.headphoneKeys.map { ($0.name, $0.values, $0.unlessGiven) })
      ),
      (
        "profiles.NAME",
        text(heading: "values", NamedProfile.keys.map { ($0.name, $0.values, $0.unlessGiven) })
      ),
    ]
  }

  private static func text(heading: String, _ rows: [(String, String, String)]) -> String {
    let hasDefaults = rows.contains { !$0.2.isEmpty }
    let head = hasDefaults ? "| key | \(heading) | unless given |" : "| key | \(heading) |"
    return
      ([head, hasDefaults ? "| --- | --- | --- |" : "| --- | --- |"]
      + rows.map { name, values, otherwise in
        "| `\(name)` | \(values) |" + (hasDefaults ? " \(otherwise) |" : "")
      }).joined(separator: "\n")
  }

  /// Returns each line with its table: "[screen] theme".
  private func pairs(of text: String) -> Set<String> {
    var table = ""
    var pairs: Set<String> = []
    for line in text.split(separator: "\n") {
      if line.hasPrefix("[") { table = String(line) }
      pairs.insert("\(table) \(line.split(separator: " ").first ?? "")")
    }
    return pairs
  }

  /// Returns the stored properties, including those of nested structures.
  private func paths(of value: Any) -> [[String]] {
    Mirror(reflecting: value).children.flatMap { child -> [[String]] in
      let name = [child.label ?? ""]
      let isOwn =
        child.value is ScreenPreferences || child.value is ConnectionPreferences
        || child.value is FirmwarePreferences || child.value is Preferences
        || child.value is BatteryThresholds || child.value is NotificationRules
        || child.value is SoundRules || child.value is Themes
      return isOwn ? paths(of: child.value).map { name + $0 } : [name]
    }
  }

  private func value(at path: [String], of value: Any) -> String {
    guard let first = path.first else { return "\(value)" }
    let child = Mirror(reflecting: value).children.first { $0.label == first }
    return child.map { self.value(at: Array(path.dropFirst()), of: $0.value) } ?? ""
  }
}

extension Configuration {
  /// The configuration without line numbers.
  fileprivate var withoutLines: Configuration {
    var configuration = self
    for index in keyBindings.indices { configuration.keyBindings[index].line = nil }
    for index in firmware.keyFiles.indices { configuration.firmware.keyFiles[index].line = 0 }
    for profile in profiles.indices {
      for index in profiles[profile].keyFiles.indices {
        configuration.profiles[profile].keyFiles[index].line = 0
      }
    }
    return configuration
  }
}
