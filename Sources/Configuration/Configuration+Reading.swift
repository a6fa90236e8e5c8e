internal import Companion
internal import HeadphoneProtocols
internal import TOML
internal import TerminalUI

extension Configuration {
  /// Reads a configuration; mistakes are reported with their lines, and the rest still applies.
  public static func read(
    _ text: some Sequence<UInt8>
  ) -> (configuration: Configuration, mistakes: [ConfigurationMistake]) {
    let document = TOMLDocument(parsing: text)
    var configuration = Configuration()
    var root = Section(document.root)
    root.section("screen") { configuration.screen.read(&$0) }
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
        // The name selects the keys that count for a headphone: it must be unique.
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
  fileprivate mutating func read(_ section: inout Section) {
    if let theme: Theme = section.choice("theme") { self.theme = theme }
    if let ground: GroundChoice = section.choice("ground") { self.ground = ground }
    if let symbols: SymbolSet = section.choice("symbols") { self.symbols = symbols }
    if let hasMouse = section.flag("mouse") { self.hasMouse = hasMouse }
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
