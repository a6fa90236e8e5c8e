internal import Companion
internal import HeadphoneProtocols
internal import TOML
internal import TerminalUI

extension Configuration {
  /// Reads a file's text; what makes no sense is told by its line, and the rest still applies.
  public static func read(
    _ text: some Sequence<UInt8>
  ) -> (configuration: Configuration, mistakes: [ConfigurationMistake]) {
    let document = TOMLDocument(parsing: text)
    var configuration = Configuration()
    var root = Section(document.root)
    var themes: [Theme] = []
    root.section("themes") { section in
      section.all { section, entry in Theme(entry, &section).map { themes.append($0) } }
    }
    root.section("screen") { configuration.screen.read(&$0, themes) }
    root.section("battery") { configuration.thresholds.read(&$0) }
    root.section("connection") { configuration.connection.read(&$0) }
    root.section("firmware") { section in
      configuration.firmware.keyFiles = section.keyFiles("keys")
    }
    root.section("auto-pause") { section in
      if let mode: AutoPause = section.choice("mode") { configuration.autoPause = mode }
    }
    root.section("keys") { configuration.readKeys(&$0) }
    root.section("profiles") { section in
      section.all { section, entry in
        guard let named = NamedProfile(entry, &section) else { return }
        // The name tells whose keys count for a headphone, so it stands for one profile.
        if configuration.allProfiles.contains(where: { $0.name == named.profile.name }) {
          section.note(
            entry.line, "\"\(displayable(named.profile.name))\" is another profile's name already")
        } else if let other = configuration.allProfiles.first(where: { $0.isFound(before: named) })
        {
          section.note(
            entry.line,
            "[profiles.\(displayable(named.name))] is never chosen: its service is that of "
              + "\"\(displayable(other.name))\"")
        } else {
          configuration.profiles.append(named)
        }
      }
    }
    let broken = document.mistakes.map { ConfigurationMistake(line: $0.line, $0.what) }
    return (configuration, (broken + root.end()).sorted())
  }

  private mutating func readKeys(_ section: inout Section) {
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

extension ScreenPreferences {
  fileprivate mutating func read(_ section: inout Section, _ own: [Theme]) {
    if let theme = section.choice("theme", among: own + Theme.allCases) { self.theme = theme }
    if let ground: GroundChoice = section.choice("ground") { self.ground = ground }
    if let symbols: SymbolSet = section.choice("symbols") { self.symbols = symbols }
    if let hasMouse = section.flag("mouse") { self.hasMouse = hasMouse }
    hasMotion = section.flag("motion")
  }
}

extension Theme {
  /// A table of `[themes]`; nil: a colour is missing or none.
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

extension BatteryThresholds {
  fileprivate mutating func read(_ section: inout Section) {
    if let low: UInt8 = section.number("low", in: 0...100) { self.low = low }
    if let critical: UInt8 = section.number("critical", in: 0...100) { self.critical = critical }
    guard critical > low else { return }
    section.note(
      section.line(of: "critical") ?? section.line(of: "low") ?? 1,
      "\"critical\" (\(critical)) cannot be above \"low\" (\(low))")
    self = BatteryThresholds()
  }
}

extension ConnectionPreferences {
  fileprivate mutating func read(_ section: inout Section) {
    switch section.text("auto") {
    case "last-used"?, nil: break
    case "never"?: rule = .never
    case let selector?: rule = .matching(selector)
    }
    adapter = section.value("adapter", "an adapter such as \"hci0\"") { value in
      guard case .string(let name) = value, name.hasPrefix("hci"),
        UInt16(name.dropFirst(3)) != nil
      else { return nil }
      return name
    }
  }
}

extension DeviceProfile {
  /// Whether a headphone of `later` would be taken for one of this.
  fileprivate func isFound(before later: NamedProfile) -> Bool {
    let services = Set(controlServices.map(\.service))
    return later.profile.controlServices.allSatisfy { services.contains($0.service) }
  }
}
