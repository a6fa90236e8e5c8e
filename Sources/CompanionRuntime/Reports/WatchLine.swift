internal import AudioRoute
package import Companion
internal import HeadphoneProtocols
internal import JSON

package enum WatchFormat: Hashable, Sendable {
  case json
  case waybar
  /// For a script module of Polybar, with its tags for colours.
  case polybar
  case tmux
  /// For a block of i3blocks with `format=json`.
  case i3blocks
  /// Short text, without markup.
  case plain
  /// Sentences for a screen reader: first everything, then what has changed.
  case words
  case template(WatchTemplate)

  package static let named: [(name: String, format: WatchFormat)] = [
    ("json", .json), ("waybar", .waybar), ("polybar", .polybar), ("tmux", .tmux),
    ("i3blocks", .i3blocks), ("plain", .plain), ("words", .words),
  ]
}

/// One line of `earshot watch`.
///
/// ```
/// L84 R79 C62+ NC                                   plain
/// #[fg=yellow]L18#[default] R79 C62+ NC             tmux
/// {"text":"L84 R79 NC","alt":"ready","tooltip":…}   waybar
/// left 83%, transparency on                         words
/// ```
///
/// Without a link the levels are "--".
package struct WatchLine: Hashable, Sendable {
  private let status: StatusReport
  private let volume: VolumeReport?
  private let output: String?
  private let name: String
  private let sound: [String]
  private let thresholds: BatteryThresholds

  package init(_ headphone: HeadphoneState, in state: State, thresholds: BatteryThresholds) {
    status = StatusReport(headphone, in: state)
    volume = VolumeReport(headphone, in: state)
    output = state.output?.description
    name = displayable(state.name(of: headphone.id))
    sound = headphone.soundPhrases(in: state)
    self.thresholds = thresholds
  }

  private var headphone: HeadphoneState { status.headphone }

  /// Returns the line, without its end; empty if there is nothing to say.
  ///
  /// - Parameter before: The line before, or nil for the first, which says everything.
  package func text(_ format: WatchFormat, after before: WatchLine? = nil) -> String {
    switch format {
    case .json: "\(status.json)"
    case .waybar: "\(Waybar(line: self).json)"
    case .i3blocks: "\(I3Block(line: self).json)"
    case .tmux:
      joined { alarm, text in
        "#[fg=\(alarm == .critical ? "red,bold" : "yellow")]\(text)#[default]"
      }
    case .polybar:
      joined { alarm, text in "%{F\(Self.color(of: alarm))}\(text)%{F-}" }
    case .plain: joined { $1 }
    case .words:
      phrases.filter { [said = before?.phrases ?? []] in !said.contains($0) }
        .joined(separator: ", ")
    case .template(let template): template.text(value)
    }
  }

  private var phrases: [String] { headphone.phrases(name: name, sound: sound) }

  private enum Alarm: String, CaseIterable { case critical, low }

  private struct Level {
    var text: String
    var alarm: Alarm?
  }

  /// The levels for "L84 R79 C62", or "--" without a link, because an old level would look current.
  private var levels: [Level] {
    guard headphone.link.isReady else { return [Level(text: "--")] }
    return Part.allCases.compactMap { part in
      guard let battery = headphone.battery?.value[part], let level = battery.level else {
        return nil
      }
      let mark = battery.isCharging == true ? "+" : ""
      return Level(
        text: "\(part.name.prefix(1).uppercased())\(level)\(mark)", alarm: alarm(battery))
    }
  }

  /// Returns `critical`, `low` or nil; a charging part is neither.
  private func alarm(_ battery: Battery) -> Alarm? {
    guard let level = battery.level, battery.isCharging != true else { return nil }
    return level <= thresholds.critical ? .critical : level <= thresholds.low ? .low : nil
  }

  private var alarm: Alarm? {
    Alarm.allCases.first { alarm in levels.contains { $0.alarm == alarm } }
  }

  /// The mode in at most three letters, or "mode 7" for an unknown one.
  private var noise: String? {
    guard headphone.link.isReady else { return nil }
    return switch headphone.anc.confirmed {
    case .off?: "off"
    case .noiseCancelling?: "NC"
    case .transparency?: "TR"
    case .adaptive?: "AD"
    case nil: headphone.words(of: .noiseMode)
    }
  }

  private func joined(_ mark: (Alarm, String) -> String) -> String {
    let texts = levels.map { level in level.alarm.map { mark($0, level.text) } ?? level.text }
    return (texts + [noise].compactMap(\.self)).joined(separator: " ")
  }

  private static func color(of alarm: Alarm) -> String {
    alarm == .critical ? "#e64553" : "#df8e1d"
  }

  private var isCharging: Bool {
    headphone.link.isReady
      && headphone.battery?.value.values.contains { $0.isCharging == true } == true
  }

  /// Whether the link is up but not ready yet; bars have no icon for that.
  private var isStarting: Bool {
    if case .connected(.starting, _) = headphone.link { true } else { false }
  }

  private var least: UInt8? {
    guard headphone.link.isReady else { return nil }
    return [Part.left, .right].compactMap { headphone.battery?.value[$0]?.level }.min()
  }

  struct Waybar: NamedJSONObject {
    fileprivate let line: WatchLine

    static let schemaName = SchemaName(
      "watch-waybar",
      "A line of `earshot watch --format waybar`: the keys are Waybar's own, so it has no `schema`")

    static let properties: [Property<Self>] = [
      Property("text", { $0.line.text(.plain) }),
      Property(
        "alt", { $0.line.isStarting ? LinkState.Name.connecting : $0.line.headphone.link.name }),
      // Waybar interprets the tooltip as Pango markup.
      Property("tooltip", { $0.line.escaped($0.line.status.text) }),
      Property("class", \.line.classes, "the state, the worst alarm, and the noise control"),
      Property("percentage", \.line.least, in: .percent, "of the lower bud"),
    ]
  }

  struct I3Block: NamedJSONObject {
    fileprivate let line: WatchLine

    static let schemaName = SchemaName(
      "watch-i3blocks", "A line of `earshot watch --format i3blocks`; the keys are those of i3bar")

    static let properties: [Property<Self>] = [
      Property("full_text", { $0.line.text(.plain) }),
      Property("short_text", { $0.line.least.map { "\($0)%" } ?? "--" }),
      Property("color", { $0.line.alarm.map(WatchLine.color) }),
    ]
  }

  private var classes: [String] {
    var classes = [headphone.link.name.rawValue]
    if let alarm { classes.append(alarm.rawValue) }
    if isCharging { classes.append("charging") }
    if headphone.link.isReady, let mode = headphone.name(of: .noiseMode) {
      classes.append("anc-\(mode)")
    }
    return classes
  }

  private func escaped(_ text: String) -> String {
    text.map { character in
      switch character {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      default: String(character)
      }
    }.joined()
  }

  /// Returns a value of a template or setting, or nil if it is unknown, or outdated without a link.
  private func value(_ name: String) -> String? {
    if let value = Self.values.first(where: { $0.name == name }) {
      return value.needsLink && !headphone.link.isReady ? nil : value.text(self)
    }
    guard headphone.link.isReady else { return nil }
    return headphone.setting(SettingID(rawValue: name)).confirmed.map { displayable($0.text) }
  }

  /// The values that a template can name in addition to settings.
  static let values: [(name: String, needsLink: Bool, text: @Sendable (WatchLine) -> String?)] = [
    ("name", false, { displayable($0.headphone.name) }),
    ("id", false, { $0.headphone.id.rawValue }),
    ("state", false, { $0.headphone.link.name.rawValue }),
    ("left", true, { $0.level(of: .left) }),
    ("right", true, { $0.level(of: .right) }),
    ("case", true, { $0.level(of: .case) }),
    ("battery", true, { $0.least.map { "\($0)" } }),
    ("charging", true, { $0.isCharging ? "+" : nil }),
    ("alarm", true, { $0.alarm?.rawValue }),
    ("anc", true, { $0.headphone.name(of: .noiseMode) }),
    ("mode", true, { $0.noise }),
    ("level", true, { $0.value(SettingID.ambientLevel.rawValue) }),
    ("eq", true, { $0.headphone.name(of: .equaliserPreset) }),
    ("volume", true, { $0.volume.map { "\($0.level)" } }),
    ("wearing", true, { $0.headphone.wearing.flatMap(\.word) }),
    ("output", false, { $0.output.map { displayable($0) } }),
  ]

  private func level(of part: Part) -> String? {
    headphone.battery?.value[part]?.level.map { "\($0)" }
  }
}

extension Wearing {
  fileprivate var word: String? {
    switch (left, right) {
    case (true?, true?): "both"
    case (true?, _): "left"
    case (_, true?): "right"
    case (false?, false?): "none"
    default: nil
    }
  }
}
