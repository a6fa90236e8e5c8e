internal import BluetoothCodec
internal import Companion
internal import HeadphoneProtocols
internal import TOML
internal import TerminalUI

/// A key of the file, from whose declaration it is read, written, explained and completed.
///
/// ```swift
/// .flag("mouse", \.screen.hasMouse, "…", unlessGiven: "`true`", example: "false")
/// ```
///
/// `Root` contains the key's value: `Configuration`, or one of its profiles.
struct ConfigurationKey<Root>: Sendable {
  let name: String
  let values: String
  /// The default, in the words of docs/configuration.md; empty if they do not mention it.
  let unlessGiven: String
  let words: [String]
  /// A value in TOML other than the default.
  let example: String
  let read: @Sendable (inout Section, inout Root) -> Void
  let write: @Sendable (Root) -> String?

  init(
    _ name: String, _ values: String, unlessGiven: String = "", words: [String] = [],
    example: String, read: @escaping @Sendable (inout Section, inout Root) -> Void,
    write: @escaping @Sendable (Root) -> String?
  ) {
    self.name = name
    self.values = values
    self.unlessGiven = unlessGiven
    self.words = words
    self.example = example
    self.read = read
    self.write = write
  }

  typealias Path<Value> = any WritableKeyPath<Root, Value> & Sendable

  static func flag(
    _ name: String, _ path: Path<Bool>, _ values: String, unlessGiven: String, example: String
  ) -> Self {
    Self(name, values, unlessGiven: unlessGiven, words: ["true", "false"], example: example) {
      if let flag = $0.flag(name) { $1[keyPath: path] = flag }
    } write: {
      "\($0[keyPath: path])"
    }
  }

  /// Creates an optional flag, which is not written if it has its default, nil.
  static func optionalFlag(
    _ name: String, _ path: Path<Bool?>, _ values: String, unlessGiven: String, example: String
  ) -> Self {
    Self(name, values, unlessGiven: unlessGiven, words: ["true", "false"], example: example) {
      $1[keyPath: path] = $0.flag(name)
    } write: {
      $0[keyPath: path].map { "\($0)" }
    }
  }

  static func number<Number: FixedWidthInteger & Sendable>(
    _ name: String, _ path: Path<Number>, in range: ClosedRange<Number>, _ values: String,
    unlessGiven: String, example: String
  ) -> Self {
    Self(name, values, unlessGiven: unlessGiven, example: example) {
      if let number: Number = $0.number(name, in: range) { $1[keyPath: path] = number }
    } write: {
      "\($0[keyPath: path])"
    }
  }

  /// Creates a choice among words, which may depend on keys that were read before.
  static func choice<Choice: RawRepresentable<String> & Sendable>(
    _ name: String, _ path: Path<Choice>, among choices: @escaping @Sendable (Root) -> [Choice],
    words: [String], _ values: String, unlessGiven: String, example: String
  ) -> Self {
    Self(name, values, unlessGiven: unlessGiven, words: words, example: example) {
      if let choice = $0.choice(name, among: choices($1)) { $1[keyPath: path] = choice }
    } write: {
      TOMLValue.quoted($0[keyPath: path].rawValue)
    }
  }

  static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ path: Path<Choice>, _ values: String, unlessGiven: String, example: String
  ) -> Self {
    let choices = Array(Choice.allCases)
    return choice(
      name, path, among: { _ in choices }, words: choices.map(\.rawValue), values,
      unlessGiven: unlessGiven, example: example)
  }

  static func files(
    _ name: String, _ path: Path<[MakerKeyFile]>, _ values: String, unlessGiven: String,
    example: String
  ) -> Self {
    Self(name, values, unlessGiven: unlessGiven, example: example) {
      $1[keyPath: path] = $0.keyFiles(name)
    } write: {
      list($0[keyPath: path].map(\.path))
    }
  }

  func of<Whole>(
    _ path: any WritableKeyPath<Whole, Root> & Sendable
  ) -> ConfigurationKey<Whole> {
    ConfigurationKey<Whole>(
      name, values, unlessGiven: unlessGiven, words: words, example: example
    ) { section, whole in
      read(&section, &whole[keyPath: path])
    } write: {
      write($0[keyPath: path])
    }
  }

  /// Creates a key of a UUID, which is not written if it is `BluetoothUUID.absent`.
  static func uuid(
    _ name: String, _ path: Path<BluetoothUUID>, _ values: String = "", unlessGiven: String = "",
    example: String
  ) -> Self {
    Self(name, values, unlessGiven: unlessGiven, example: TOMLValue.quoted(example)) {
      if let uuid = $0.uuid(name) { $1[keyPath: path] = uuid }
    } write: {
      let uuid = $0[keyPath: path]
      return uuid == .absent ? nil : TOMLValue.quoted("\(uuid)")
    }
  }
}

extension ConfigurationKey<SoundPreferences> {
  init(_ setting: SoundSetting) {
    self.init(
      setting.name, setting.values, unlessGiven: setting.unlessGiven, words: setting.words,
      example: setting.example.toml
    ) {
      $1[setting] = $0.value(setting.name, setting.wanted) { value in
        let read: SoundValue? =
          switch value {
          case .string(let word): .word(word)
          case .integer(let number): Int(exactly: number).map(SoundValue.number)
          default: nil
          }
        return read.flatMap { setting.accepts($0) ? $0 : nil }
      }
    } write: {
      $0[setting]?.toml
    }
  }
}

extension SoundSetting {
  fileprivate var wanted: String {
    switch kind {
    case .words(let words): "one of \(words.map { "\"\($0)\"" }.joined(separator: ", "))"
    case .number(let range, _, _):
      "a whole number from \(range.lowerBound) to \(range.upperBound)"
    }
  }
}

extension SoundValue {
  var toml: String {
    switch self {
    case .word(let word): TOMLValue.quoted(word)
    case .number(let number): "\(number)"
    }
  }
}

/// A table with fixed keys, or tables whose names the user chooses.
struct ConfigurationTable: Sendable {
  let name: String
  /// The heading of the second column in docs/configuration.md.
  let heading: String
  let keys: [ConfigurationKey<Configuration>]
  /// The table in TOML, with a value other than the default for every key.
  let example: String
  let read: @Sendable (inout Section, inout Configuration) -> Void
  let write: @Sendable (Configuration) -> [(name: String, rows: [(String, String)])]

  /// Creates a table with fixed keys; `check` validates keys that depend on each other.
  init(
    _ name: String, heading: String = "values", _ keys: [ConfigurationKey<Configuration>],
    check: @escaping @Sendable (inout Section, inout Configuration) -> Void = { _, _ in }
  ) {
    self.name = name
    self.heading = heading
    self.keys = keys
    example = (["[\(name)]"] + keys.map { "\($0.name) = \($0.example)" }).joined(separator: "\n")
    read = { section, configuration in
      for key in keys { key.read(&section, &configuration) }
      check(&section, &configuration)
    }
    write = { configuration in
      [(name, keys.compactMap { key in key.write(configuration).map { (key.name, $0) } })]
    }
  }

  init(
    _ name: String, example: String,
    read: @escaping @Sendable (inout Section, inout Configuration) -> Void,
    write: @escaping @Sendable (Configuration) -> [(name: String, rows: [(String, String)])]
  ) {
    self.name = name
    self.heading = ""
    self.keys = []
    self.example = example
    self.read = read
    self.write = write
  }
}

extension Configuration {
  /// Everything that the file can contain, in the order in which it is read and written.
  static let tables: [ConfigurationTable] = [
    themes,
    ConfigurationTable(
      "screen",
      [
        .choice(
          "theme", \.screen.theme, among: { $0.themes + Theme.allCases },
          words: Theme.allCases.map(\.rawValue),
          "`standard` (256 colours), `terminal` (the eight colours of the terminal's own theme), "
            + "`high-contrast` (bright or bold, nothing dim), `monochrome` (no colours), the palettes "
            + Theme.allCases.dropFirst(4).map { "`\($0.rawValue)`" }.joined(separator: ", ")
            + ", or one of your own from `[themes]`; `T` on the screen shows and keeps one, "
            + "`earshot config themes` lists them",
          unlessGiven: "`standard`", example: "\"nord\""),
        .choice(
          "background", \.screen.background,
          "the terminal's background, for which the colours are chosen: `auto` (as the terminal "
            + "answers OSC 11, else as `COLORFGBG` says, else dark), `dark`, `light`",
          unlessGiven: "`auto`", example: "\"light\""),
        .choice(
          "symbols", \.screen.symbols,
          "`auto` (as locale and terminal allow), `unicode`, `console` (what the Linux console's "
            + "fonts hold), `ascii`; *start*",
          unlessGiven: "`auto`", example: "\"ascii\""),
        .flag(
          "accessible", \.screen.isAccessible,
          "`true`: for [screen readers and braille displays](accessibility.md), no frames, one column, "
            + "words for bars and symbols, a visible cursor; *start*",
          unlessGiven: "`false`", example: "true"),
        .flag(
          "mouse", \.screen.hasMouse,
          "`true`: clicks choose and press, bars and sliders can be clicked, dragged and turned by the "
            + "wheel; Shift then selects text in most terminals; *start*",
          unlessGiven: "`true`", example: "false"),
        .optionalFlag(
          "motion", \.screen.hasMotion,
          "whether the sound moves along its route while something plays: `true`, `false`; a screen "
            + "on which nothing plays never wakes up",
          unlessGiven: "not over ssh, on battery power, nor with virtual headphones",
          example: "true"),
      ]),
    ConfigurationTable(
      "battery",
      [
        .number(
          "low", \.preferences.thresholds.low, in: 0...100,
          "%, 0 to 100: at or below this a charge is low", unlessGiven: "20", example: "30"),
        .number(
          "critical", \.preferences.thresholds.critical, in: 0...100,
          "%, 0 to 100, not above `low`",
          unlessGiven: "10", example: "15"),
      ]
    ) { section, configuration in
      let thresholds = configuration.preferences.thresholds
      guard thresholds.critical > thresholds.low else { return }
      section.note(
        section.line(of: "critical") ?? section.line(of: "low") ?? 1,
        "\"critical\" (\(thresholds.critical)) cannot be above \"low\" (\(thresholds.low))")
      configuration.preferences.thresholds = BatteryThresholds()
    },
    ConfigurationTable(
      "connection",
      [
        ConfigurationKey(
          "auto",
          "the headphone that the screen connects automatically: `last-used`, `never`, or a "
            + "headphone as in [`--device`](cli.md#which-headphone); also the default for commands",
          unlessGiven: "`last-used`", words: ["last-used", "never"], example: "\"Aurora\"",
          read: { section, configuration in
            guard let word = section.text("auto") else { return }
            configuration.connection.rule = ConnectionPreferences.Rule(word)
          }, write: { TOMLValue.quoted($0.connection.rule.name) }),
        ConfigurationKey(
          "adapter",
          "`hci0` and so on, or virtual headphones as in [`--adapter`](cli.md#options)",
          unlessGiven: "the first that is on",
          words: ["hci0", "hci1"] + AdapterName.virtual, example: "\"hci1\"",
          read: { section, configuration in
            configuration.connection.adapter = section.value(
              "adapter", "an adapter such as \"hci0\", or \"virtual\""
            ) { value in
              guard case .string(let name) = value, AdapterName(name) != nil else { return nil }
              return name
            }
          }, write: { $0.connection.adapter.map(TOMLValue.quoted) }),
      ]),
    ConfigurationTable(
      "desktop",
      [
        .flag(
          "budslink", \.desktop.hasBudsLink,
          "`true`: widgets and extensions for BudsLink show the headphones and set their noise "
            + "control ([more](dbus.md#widgets-for-budslink))",
          unlessGiven: "`false`", example: "true")
      ]),
    ConfigurationTable(
      "firmware",
      [
        .files(
          "keys", \.firmware.keyFiles,
          "files with public keys of makers whose firmware is trusted for headphones of the "
            + "built-in profile; a path is absolute, begins with `~/`, or is beside the configuration",
          unlessGiven: "none", example: "[\"maker.pub\"]")
      ]),
    ConfigurationTable(
      "auto-pause",
      [
        .choice(
          "mode", \.preferences.autoPause,
          "what happens to the sound when both buds are taken out: `off` nothing, `players` media "
            + "players are paused (MPRIS), `cork` the sound server holds what plays on the headphone "
            + "(PulseAudio only); [audio.md](audio.md#auto-pause) lists the players that support it",
          unlessGiven: "`off`", example: "\"players\"")
      ]),
    ConfigurationTable(
      "sound",
      SoundSetting.allCases.filter { $0.scope != .headphone }.map {
        ConfigurationKey<SoundPreferences>($0).of(\.preferences.sound.all)
      }),
    headphones,
    ConfigurationTable(
      "notifications",
      [
        .flag(
          "low-battery", \.preferences.notifications.lowBattery,
          "`true`: a battery reached `low`, and again when it reached `critical`",
          unlessGiven: "`true`", example: "false"),
        .flag(
          "connected", \.preferences.notifications.connected,
          "`true`: the controls of a headphone are connected, with its charges where they are known",
          unlessGiven: "`false`", example: "true"),
        .flag(
          "disconnected", \.preferences.notifications.disconnected,
          "`true`: they no longer are, with the reason", unlessGiven: "`false`", example: "true"),
        .choice(
          "terminal", \.preferences.notifications.terminal,
          "over ssh, the terminal of a screen shows them as well: `osc9` (iTerm2, ghostty, kitty, "
            + "WezTerm), `osc777` (foot, ghostty, VTE, rxvt-unicode), `osc99` (kitty, foot), or `off`; "
            + "terminals do not report which of these they know",
          unlessGiven: "`off`", example: "\"osc777\""),
      ]),
    ConfigurationTable("hooks", heading: "runs when", Hook.allCases.map(key)),
    scenes, corrections, keyTable, profileTables,
  ]

  package struct ExplainedKey: Hashable, Sendable {
    /// The name with its table, for example "screen.theme".
    package let name: String
    /// The value in effect, in TOML, or nil if there is none.
    package let value: String?
    /// The value as a script wants it: a text without quotes.
    package var plainValue: String? {
      value.map { literal in
        if case .string(let text)? = TOMLValue(scalar: literal) { text } else { literal }
      }
    }
    package let values: String
    package let unlessGiven: String
    /// The allowed words, where they can be listed.
    package let words: [String]
  }

  /// Every key with a fixed name, and its value.
  package var explainedKeys: [ExplainedKey] {
    Self.tables.flatMap { table in
      table.keys.map { key in
        ExplainedKey(
          name: "\(table.name).\(key.name)", value: key.write(self),
          values: key.values.withoutMarkup, unlessGiven: key.unlessGiven.withoutMarkup,
          words: key.words)
      }
    }
  }

  private static func key(of hook: Hook) -> ConfigurationKey<Configuration> {
    ConfigurationKey(
      hook.rawValue, hook.occasion, example: "[\"true\", \"\(hook.rawValue)\"]",
      read: { section, configuration in
        configuration.preferences.hooks[hook] = section.value(
          hook.rawValue, "a line for the shell, or a list of a program and its arguments"
        ) { value in
          switch value {
          case .string(let line) where !line.isEmpty: .shell(line)
          case .array: value.texts.flatMap { $0.isEmpty ? nil : .program($0) }
          default: nil
          }
        }
      },
      write: { configuration in
        configuration.preferences.hooks[hook].map { command in
          switch command {
          case .shell(let line): TOMLValue.quoted(line)
          case .program(let words): list(words)
          }
        }
      })
  }
}

extension Hook {
  /// The occasion on which the hook runs, in the words of docs/configuration.md.
  fileprivate var occasion: String {
    switch self {
    case .connected: "its controls are connected"
    case .disconnected: "they no longer are"
    case .worn: "the first bud was put in"
    case .takenOff: "the last bud was taken out"
    case .touch:
      "a gesture on a bud was reported; AirPods act upon presses themselves unless their setting "
        + "`report-…` is on"
    case .speaking: "the wearer begins to speak (AirPods with conversation awareness)"
    case .silent: "the wearer no longer speaks"
    case .lowBattery:
      "a battery reached `low`, and again when it reached `critical`; as often as the notification "
        + "of `[battery]`"
    }
  }
}

extension ConnectionPreferences.Rule {
  fileprivate init(_ word: String) {
    self =
      switch word {
      case "last-used": .lastUsed
      case "never": .never
      default: .matching(word)
      }
  }

  fileprivate var name: String {
    switch self {
    case .lastUsed: "last-used"
    case .never: "never"
    case .matching(let selector): selector
    }
  }
}

extension String {
  /// The text without the marks and links of Markdown.
  fileprivate var withoutMarkup: String {
    var text = replacing("`", with: "").replacing("*start*", with: "from the next start on")
    while let middle = text.firstRange(of: "]("),
      let start = text[..<middle.lowerBound].lastIndex(of: "["),
      let end = text[middle.upperBound...].firstIndex(of: ")")
    {
      let label = text[text.index(after: start)..<middle.lowerBound]
      text.replaceSubrange(start...end, with: label)
    }
    return text
  }
}
