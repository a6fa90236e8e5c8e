public import Companion
internal import HeadphoneProtocols
internal import JSON

/// The line format of `earshot watch`.
public enum WatchFormat: String, Hashable, Sendable, CaseIterable {
  /// The object of `status --json`.
  case json
  /// For a custom module of Waybar or Polybar.
  case waybar
  /// For the status line of tmux.
  case tmux
  /// Short text, without markup.
  case plain
}

/// One line of `earshot watch`.
public struct WatchLine: Sendable {
  private let headphone: HeadphoneState
  private let state: State
  private let thresholds: BatteryThresholds

  public init(_ headphone: HeadphoneState, in state: State, thresholds: BatteryThresholds) {
    self.headphone = headphone
    self.state = state
    self.thresholds = thresholds
  }

  /// The line, without its end.
  public func text(_ format: WatchFormat) -> String {
    switch format {
    case .json: "\(StatusReport(headphone, in: state).json)"
    case .waybar: "\(waybar)"
    case .tmux: (levels.map(styled) + [noise].compactMap(\.self)).joined(separator: " ")
    case .plain: (levels.map(\.text) + [noise].compactMap(\.self)).joined(separator: " ")
    }
  }

  private struct Level {
    var text: String
    var alarm: String?
  }

  /// The levels for "L84 R79 C62"; "--" without a link, because an old level would look current.
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

  private func alarm(_ battery: Battery) -> String? {
    guard let level = battery.level, battery.isCharging != true else { return nil }
    return level <= thresholds.critical ? "critical" : level <= thresholds.low ? "low" : nil
  }

  private var noise: String? {
    guard headphone.link.isReady else { return nil }
    return switch headphone.anc.confirmed {
    case .off?: "off"
    case .noiseCancelling?: "NC"
    case .transparency?: "TR"
    case .adaptive?: "AD"
    case nil: nil
    }
  }

  private func styled(_ level: Level) -> String {
    switch level.alarm {
    case "critical"?: "#[fg=red,bold]\(level.text)#[default]"
    case "low"?: "#[fg=yellow]\(level.text)#[default]"
    default: level.text
    }
  }

  private var waybar: JSON {
    let ready = headphone.link.isReady
    let alarms: [String] = ["critical", "low"].filter { alarm in
      levels.contains { $0.alarm == alarm }
    }
    let buds = ready ? [Part.left, .right].compactMap { headphone.battery?.value[$0]?.level } : []
    let tooltip = StatusReport(headphone, in: state).text
    return [
      "text": .string(text(.plain)), "alt": .string(headphone.link.name),
      // Waybar interprets the tooltip as Pango markup.
      "tooltip": .string(escaped(tooltip)),
      "class": .array(([headphone.link.name] + alarms.prefix(1)).map { .string($0) }),
      "percentage": JSON(buds.min()),
    ]
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
}
