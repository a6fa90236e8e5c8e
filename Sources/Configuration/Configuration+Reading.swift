internal import Companion
internal import HeadphoneProtocols
internal import TOML
internal import TerminalUI

extension Configuration {
  /// Reads a configuration; never fails.
  ///
  /// Each mistake costs only its own line: the rest applies, with defaults for what is missing. The
  /// tables, in the order of reading (docs/configuration.md):
  ///
  /// | table | property |
  /// | --- | --- |
  /// | `[themes.NAME]` | themes that `[screen]` can name |
  /// | `[screen]` | ``screen`` |
  /// | `[battery]` | ``thresholds`` |
  /// | `[connection]` | ``connection`` |
  /// | `[firmware]` | ``firmware`` |
  /// | `[auto-pause]` | ``autoPause`` |
  /// | `[hooks]` | ``hooks`` |
  /// | `[scenes.NAME]` | ``scenes`` |
  /// | `[keys]` | ``keyBindings`` and ``keys`` |
  /// | `[profiles.NAME]` | ``profiles`` |
  ///
  /// - Parameter text: the contents of the file, any bytes.
  /// - Returns: the configuration, and the mistakes in the order of their lines.
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
    root.section("hooks") { configuration.readHooks(&$0) }
    root.section("scenes") { section in
      section.all { section, entry in
        Scene(entry, &section).map { configuration.scenes.append($0) }
      }
    }
    root.section("keys") { configuration.readKeys(&$0) }
    root.section("profiles") { section in
      section.all { section, entry in
        guard let named = NamedProfile(entry, &section) else { return }
        // The name selects the keys that are trusted for a headphone, so it must be unique.
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
    let broken = document.mistakes.map { ConfigurationMistake(line: $0.line, displayable($0.what)) }
    return (configuration, (broken + root.end()).sorted())
  }

  /// Reads `[keys]`; bindings that conflict are mistakes.
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

extension Configuration {
  fileprivate mutating func readHooks(_ section: inout Section) {
    for hook in Hook.allCases {
      hooks[hook] = section.value(
        hook.rawValue, "a line for the shell, or a list of a program and its arguments"
      ) { value in
        switch value {
        case .string(let line) where !line.isEmpty: .shell(line)
        case .array: value.texts.flatMap { $0.isEmpty ? nil : .program($0) }
        default: nil
        }
      }
    }
  }
}

extension Scene {
  /// A table of `[scenes]`; nil: it is none.
  fileprivate init?(_ entry: TOMLTable.Entry, _ section: inout Section) {
    let name = displayable(entry.key)
    guard case .table(let table) = entry.node.value else {
      section.note(entry.line, "\"\(name)\" is a table: write [scenes.\(name)] above its lines")
      return nil
    }
    self.init(name: entry.key)
    for line in table.entries {
      guard let word = line.node.value.settingWord else {
        section.note(
          line.line, "\"\(displayable(line.key))\" takes a word, a number, true, false or gains")
        continue
      }
      switch line.key {
      case "output": output = word
      case "profile": profile = word
      case "when": when = word
      case let key:
        let names = SettingID.known.map(\.rawValue)
        // A family may have settings of its own; what is nearly a common name is a slip.
        if !names.contains(key),
          let near = (names + ["output", "profile", "when"]).nearest(to: key)
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

extension TOMLValue {
  /// The value of a setting as the command line takes it; nil: it can be none.
  fileprivate var settingWord: String? {
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
}

extension ScreenPreferences {
  /// Reads `[screen]`.
  ///
  /// | key | values |
  /// | --- | --- |
  /// | `theme` | the name of a theme, or of a table of `[themes]` |
  /// | `ground` | `auto`, `dark`, `light` |
  /// | `symbols` | `auto`, `unicode`, `console`, `ascii` |
  /// | `mouse`, `motion` | true or false |
  fileprivate mutating func read(_ section: inout Section, _ own: [Theme]) {
    if let theme = section.choice("theme", among: own + Theme.allCases) { self.theme = theme }
    if let ground: GroundChoice = section.choice("ground") { self.ground = ground }
    if let symbols: SymbolSet = section.choice("symbols") { self.symbols = symbols }
    if let hasMouse = section.flag("mouse") { self.hasMouse = hasMouse }
    hasMotion = section.flag("motion")
  }
}

extension Theme {
  /// Reads a table of `[themes]`; `nil` if a colour is missing or invalid.
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
  /// Reads `[battery]`: `low` and `critical`, 0 to 100 %.
  ///
  /// Thresholds that contradict each other fall back to the defaults.
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
  /// Reads `[connection]`.
  ///
  /// | key | values |
  /// | --- | --- |
  /// | `auto` | `last-used`, `never`, or the beginning of an identity, address or name |
  /// | `adapter` | `hci` and a number |
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
  /// Whether a headphone of a later profile would be taken for one of this profile.
  fileprivate func isFound(before later: NamedProfile) -> Bool {
    let services = Set(controlServices.map(\.service))
    return later.profile.controlServices.allSatisfy { services.contains($0.service) }
  }
}
