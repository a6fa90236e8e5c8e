internal import BluetoothCodec
package import Companion
internal import HeadphoneProtocols
internal import TOML
internal import TerminalUI

extension Configuration {
  static let themes = ConfigurationTable("themes", example: exampleTheme) {
    section, configuration in
    section.all { section, entry in
      Theme(entry, &section).map { configuration.themes.append($0) }
    }
  } write: { configuration in
    configuration.themes.map { theme in ("themes.\(TOMLValue.key(theme.rawValue))", theme.rows) }
  }

  private static let exampleTheme =
    (["[themes.mine]"]
    + ThemeColors.Key.allCases.enumerated().map { "\($1.rawValue) = \"#0000\(10 + $0)\"" })
    .joined(separator: "\n")

  static let scenes = ConfigurationTable(
    "scenes",
    example: """
      [scenes.desk]
      noise-mode = "nc"
      ambient-level = 7
      equaliser-bands = [3, 2, -0.5]
      output = "Speakers"
      profile = "music"
      correction = "on"
      [scenes."on the road"]
      wear-detection = true
      when = "headphone"
      [scenes.meeting]
      noise-mode = "transparency"
      when = "call"
      """
  ) { section, configuration in
    section.all { section, entry in
      Scene(entry, &section).map { configuration.preferences.scenes.append($0) }
    }
  } write: { configuration in
    configuration.preferences.scenes.map { ("scenes.\(TOMLValue.key($0.name))", $0.rows) }
  }

  static let corrections = ConfigurationTable(
    "corrections", example: "[corrections]\naurora = \"Sony WH-1000XM4\""
  ) { section, configuration in
    section.all { section, entry in
      guard case .string(let correction) = entry.node.value, !correction.isEmpty else {
        return section.note(
          entry.line,
          "\"\(displayable(entry.key))\" takes \"auto\", \"off\", a line of the table, or a file's path"
        )
      }
      configuration.preferences.corrections.append(
        CorrectionPreference(headphone: entry.key, correction: correction))
    }
  } write: { configuration in
    [
      (
        "corrections",
        configuration.preferences.corrections.map {
          (TOMLValue.key($0.headphone), TOMLValue.quoted($0.correction))
        }
      )
    ]
  }

  static let keyTable = ConfigurationTable("keys", example: "[keys]\nquit = [\"Q\", \"^C\"]") {
    $1.readKeys(&$0)
  } write: { configuration in
    [("keys", configuration.keyBindings.map { (TOMLValue.key($0.command), list($0.keys)) })]
  }

  static let headphoneKeys = SoundSetting.allCases.filter { $0.scope != .computer }
    .map(ConfigurationKey<SoundPreferences>.init)

  static let headphones = ConfigurationTable(
    "headphones",
    example: (["[headphones.\"F0:F1:F2:F3:F4:F5\"]"]
      + headphoneKeys.map { "\($0.name) = \($0.example)" }).joined(separator: "\n")
  ) { section, configuration in
    section.all { section, entry in
      var own = HeadphoneSoundPreferences(selector: entry.key)
      section.section(entry.key) { section in
        for key in headphoneKeys { key.read(&section, &own.preferences) }
      }
      if !own.preferences.isEmpty { configuration.preferences.sound.ofHeadphones.append(own) }
    }
  } write: { configuration in
    configuration.preferences.sound.ofHeadphones.map { own in
      (
        "headphones.\(TOMLValue.key(own.selector))",
        headphoneKeys.compactMap { key in key.write(own.preferences).map { (key.name, $0) } }
      )
    }
  }

  private static let exampleProfile =
    (["[profiles.acme]"] + NamedProfile.keys.map { "\($0.name) = \($0.example)" }
    + NamedProfile.subtables.flatMap { table, keys in
      ["[profiles.acme.\(table)]"] + keys.map { "\($0.name) = \($0.example)" }
    }
    + ["[profiles.acme.events]", "anc = 1", "battery = { code = 18, at = [3, 1, 2] }"])
    .joined(separator: "\n")

  static let profileTables = ConfigurationTable("profiles", example: exampleProfile) {
    section, configuration in
    section.all { section, entry in
      guard let named = NamedProfile(entry, &section) else { return }
      // The name selects the keys that are trusted for a headphone, so it must be unique.
      if configuration.allProfiles.contains(where: { $0.name == named.profile.name }) {
        section.note(
          entry.line, "\"\(displayable(named.profile.name))\" is another profile's name already")
      } else if let other = configuration.allProfiles.first(where: { $0.isFound(before: named) }) {
        section.note(
          entry.line,
          "[profiles.\(displayable(named.name))] is never chosen: its service is that of "
            + "\"\(displayable(other.name))\"")
      } else {
        configuration.profiles.append(named)
      }
    }
  } write: { configuration in
    configuration.profiles.flatMap(\.tables)
  }

  fileprivate mutating func readKeys(_ section: inout Section) {
    var preferences: [KeyBinding] = []
    section.all { section, entry in
      guard let keys = entry.node.value.texts else {
        return section.note(
          entry.line,
          "\"\(displayable(entry.key))\" takes keys such as \"a\" or [\"a\", \"^L\"]")
      }
      preferences.append(KeyBinding(command: entry.key, keys: keys, line: entry.line))
    }
    let (map, errors) = KeyMap.standard.applyingWhatFits(preferences)
    keys = map
    keyBindings = preferences.filter { request in !errors.contains { $0.request == request } }
    for error in errors { section.note(error.line ?? 1, error.what) }
  }
}

extension Theme {
  fileprivate init?(_ entry: TOMLTable.Entry, _ section: inout Section) {
    let name = displayable(entry.key)
    guard case .table(let table) = entry.node.value else {
      section.note(entry.line, "\"\(name)\" is a table: write [themes.\(name)] above its colours")
      return nil
    }
    var colors: [ThemeColors.Key: RGB] = [:]
    for line in table.entries {
      guard let key = ThemeColors.Key(rawValue: line.key) else {
        let keys = ThemeColors.Key.allCases.map(\.rawValue).joined(separator: ", ")
        section.note(line.line, "a theme has no \"\(displayable(line.key))\"; it has \(keys)")
        continue
      }
      guard case .string(let text) = line.node.value, let color = RGB(text: text) else {
        section.note(line.line, "\"\(line.key)\" takes a colour such as \"#1e1e2e\"")
        continue
      }
      colors[key] = color
    }
    let missing = ThemeColors.Key.allCases.filter { colors[$0] == nil }.map(\.rawValue)
    guard let complete = ThemeColors(colors) else {
      let words = missing.joined(separator: ", ")
      section.note(entry.line, "[themes.\(name)] lacks \(words)")
      return nil
    }
    self.init(name: entry.key, complete)
  }
}

extension Theme {
  fileprivate var rows: [(String, String)] {
    guard let colors else { return [] }
    return ThemeColors.Key.allCases.map { ($0.rawValue, TOMLValue.quoted(colors[$0].text)) }
  }
}

extension Scene {
  fileprivate init?(_ entry: TOMLTable.Entry, _ section: inout Section) {
    let name = displayable(entry.key)
    guard case .table(let table) = entry.node.value else {
      section.note(entry.line, "\"\(name)\" is a table: write [scenes.\(name)] above its lines")
      return nil
    }
    self.init(name: entry.key)
    for line in table.entries {
      guard let word = line.node.value.settingWord else {
        section.note(line.line, Wish.forms(of: line.key))
        continue
      }
      let key = line.key
      if key == "when", Occasion.isMistake(word) {
        section.note(
          line.line,
          "\"when\" takes \"call\", \"program:NAME\", \"headphone\" or the beginning of an output's "
            + "name, not \"\(displayable(word))\"")
      } else if let path = Self.places.first(where: { $0.key == key })?.path {
        self[keyPath: path] = word
      } else {
        let names = SettingID.known.map(\.rawValue)
        // A family may have its own settings, but a name close to a common one is a typing error.
        if !names.contains(key),
          let near = (names + Self.places.map(\.key)).nearest(to: key)
        {
          section.note(
            line.line,
            "there is no setting \"\(displayable(key))\"; did you mean \"\(near)\"?")
        } else {
          wishes.append(Wish(SettingID(rawValue: key), word))
        }
      }
    }
    guard when != nil, output != nil || profile != nil else { return }
    section.note(
      entry.line,
      "a scene with \"when\" follows the sound: \"output\" and \"profile\" are left out in it")
    (output, profile) = (nil, nil)
  }
}

extension Scene {
  fileprivate static let places:
    [(key: String, path: any WritableKeyPath<Scene, String?> & Sendable)] = [
      ("output", \.output), ("profile", \.profile), ("correction", \.correction),
      ("when", \.when),
    ]

  fileprivate var rows: [(String, String)] {
    wishes.map(\.row)
      + Self.places.compactMap { place in
        self[keyPath: place.path].map { (place.key, TOMLValue.quoted($0)) }
      }
  }

  /// The scene as a table to append to a configuration.
  package var toml: String {
    (["[scenes.\(TOMLValue.key(name))]"] + rows.map { "\($0.0) = \($0.1)" }).joined(separator: "\n")
  }
}

extension DeviceProfile {
  /// Returns whether a headphone of a later profile would be recognised as one of this profile.
  fileprivate func isFound(before later: NamedProfile) -> Bool {
    let services = Set(controlServices.map(\.service))
    return later.profile.controlServices.allSatisfy { services.contains($0.service) }
  }
}
