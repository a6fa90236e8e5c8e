package import Companion
package import HeadphoneProtocols
internal import TOML

extension SavedSettings {
  /// Reads any bytes; returns the settings, which may be incomplete, and the mistakes by line.
  package static func read(
    _ text: some Sequence<UInt8>
  ) -> (settings: SavedSettings, mistakes: [ConfigurationMistake]) {
    let document = TOMLDocument(parsing: text)
    var root = Section(document.root)
    var saved = SavedSettings()
    for (key, path) in texts { saved[keyPath: path] = root.text(key) }
    saved.time = root.value("saved", "a date and time") { value in
      guard case .dateTime(let text) = value else { return nil }
      return text
    }
    root.section("settings") { section in
      section.all { section, entry in
        guard let word = entry.node.value.savedWord else {
          return section.note(entry.line, Scene.Wish.forms(of: entry.key))
        }
        let id = SettingID(rawValue: entry.key)
        saved.wishes.append(Scene.Wish(id, word))
        saved.lines[id] = entry.line
      }
    }
    let broken = document.mistakes.map { ConfigurationMistake(line: $0.line, displayable($0.what)) }
    // After a line with a syntax error the table may exist nevertheless.
    if broken.isEmpty, root.line(of: "settings") == nil {
      root.note(1, "there is no table [settings] in it, as `earshot setting save` writes it")
    }
    return (saved, (broken + root.end()).sorted())
  }

  private static let texts: [(key: String, path: any WritableKeyPath<Self, String?> & Sendable)] = [
    ("headphone", \.headphone), ("model", \.model), ("driver", \.driver), ("firmware", \.firmware),
  ]

  /// Returns the text of a file, with the settings without a known value in a comment.
  package func toml(without unreported: [SettingID] = []) -> String {
    let about = Self.texts.compactMap { key, path in
      self[keyPath: path].map { "\(key) = \(TOMLValue.quoted($0))" }
    }
    let missing = unreported.map(\.rawValue).joined(separator: ", ")
    return
      (["# The settings of a headphone, by Earshot: earshot setting restore FILE sets them again."]
      + about + (time.map { ["saved = \($0)"] } ?? []) + ["", "[settings]"]
      + wishes.map { "\($0.row.0) = \($0.row.1)" }
      + (missing.isEmpty ? [] : ["# Not reported: \(missing)"])).joined(separator: "\n")
  }
}

extension Scene.Wish {
  /// The setting and its value in TOML notation.
  var row: (String, String) {
    let isNumber = Int(word).map { "\($0)" } == word
    return (TOMLValue.key(setting.rawValue), isNumber ? word : TOMLValue.quoted(word))
  }

  /// Returns the mistake of a value that no setting can have.
  static func forms(of key: String) -> String {
    "\"\(displayable(key))\" takes a word, a number, true, false or gains"
  }
}

extension TOMLValue {
  /// The value as written on the command line, or nil if a setting cannot have it.
  var settingWord: String? {
    switch self {
    case .string(let text): return text.isEmpty ? nil : text
    case .integer(let number): return "\(number)"
    case .float(let number): return "\(number)"
    case .bool(let isOn): return isOn ? "on" : "off"
    case .array(let items):
      let words = items.compactMap(\.value.settingWord)
      return words.count == items.count && !words.isEmpty ? words.joined(separator: ",") : nil
    case .dateTime, .table: return nil
    }
  }

  /// The value as ``settingWord``, which may be empty for a setting that is a text.
  fileprivate var savedWord: String? { self == .string("") ? "" : settingWord }
}
