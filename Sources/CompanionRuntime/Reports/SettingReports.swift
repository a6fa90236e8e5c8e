package import Companion
package import HeadphoneProtocols
package import JSON

package struct BatteryLevelsReport: ObjectReport, Hashable {
  private let levels: BatteryLevels
  private let isOnlyOne: Bool
  private let part: Part?
  private let thresholds: BatteryThresholds
  private let trends: [Part: BatteryTrend]
  /// The age of the levels in words, or nil if they are current.
  private let age: String?

  /// Creates the report of the last reported levels, of all parts unless `part` is given.
  ///
  /// - Parameter timestamp: The current time, for the age of old levels, or nil to omit it.
  package init(
    _ headphone: HeadphoneState, of part: Part? = nil,
    thresholds: BatteryThresholds = BatteryThresholds(), at timestamp: Timestamp? = nil
  ) {
    age = timestamp.flatMap(headphone.chargeAge)
    levels = BatteryLevels(headphone)
    isOnlyOne = headphone.hasOneBattery
    let trends = Part.allCases.map { ($0, headphone.batteryTrend(of: $0)) }
    self.trends = Dictionary(uniqueKeysWithValues: trends).compactMapValues(\.self)
    self.part = part
    self.thresholds = thresholds
  }

  private var battery: [Part: Battery] { levels.parts }
  private var overall: UInt8? { levels.overall }

  package var line: String {
    part == nil && overall == nil ? battery.displayText(isOnlyOne: isOnlyOne) : text
  }

  package func text(_ style: TextStyle) -> String {
    guard style != .plain, part == nil, overall == nil, !battery.isEmpty else { return text }
    return style.table(
      Part.allCases.compactMap { part in
        guard let battery = battery[part] else { return nil }
        guard let level = battery.level else { return (part.name, battery.displayText) }
        let paint: Paint =
          level <= thresholds.critical ? .bad : level <= thresholds.low ? .warning : .good
        let value = text(of: part, battery.displayText)
        return (
          isOnlyOne ? "battery" : part.name, "\(style.bar(Int(level), paint)) \(value)"
        )
      })
  }

  package var text: String {
    if let part { return battery[part]?.level.map { "\($0)" } ?? "unknown" }
    if let overall { return overallChargeText(overall) }
    if battery.isEmpty { return "unknown" }
    if isOnlyOne { return text(of: .left, battery.displayText(isOnlyOne: true)) }
    return table(
      Part.allCases.compactMap { part in
        battery[part].map { (part.name, text(of: part, $0.displayText)) }
      })
  }

  private func text(of part: Part, _ level: String) -> String {
    if let age { return "\(level) · \(age)" }
    return trends[part].map { "\(level), \($0.displayText)" } ?? level
  }

  package static let schemaName = SchemaName("battery", "`earshot battery --json`")

  package static let properties: [Property<Self>] = [
    Property("battery", \.levels),
    Property(
      "minutesLeft", { $0.minutes(isCharging: false) },
      "null: not in use, or too few changes so far"),
    Property(
      "minutesToFull", { $0.minutes(isCharging: true) },
      "null: it does not charge, or too few changes so far"),
  ]

  private func minutes(isCharging: Bool) -> BatteryMinutes {
    BatteryMinutes(minutes: trends.filter { $1.isCharging == isCharging }.mapValues(\.minutes))
  }
}

private struct BatteryMinutes: NamedJSONObject {
  /// The minutes of each part; parts without an entry are unknown.
  var minutes: [Part: Int]

  static let schemaName = SchemaName(
    "battery-minutes", "An estimate for each part from its [history](screens.md#wide-screens).")

  static let properties = Part.allCases.map { part in
    Property<Self>(part.name, { $0.minutes[part] }, in: .atLeast(1))
  }
}

package struct ANCReport: ObjectReport, Hashable {
  private let mode: String?
  private let modes: [ANCMode]

  package init(_ headphone: HeadphoneState) {
    mode = headphone.name(of: .noiseMode)
    modes = headphone.capabilities?.ancModes ?? []
  }

  package var text: String { mode ?? "unknown" }

  package func text(_ style: TextStyle) -> String {
    guard style != .plain, let mode, modes.count > 1 else { return text }
    let names = modes.map(\.name)
    return style.choices(names + (names.contains(mode) ? [] : [mode]), current: mode)
  }

  package static let schemaName = SchemaName("anc", "`earshot anc --json`")

  /// The meaning of `anc` in the tables of the documentation.
  static let meaning =
    "one of the modes, or the number of one that Earshot does not know; null: unknown"

  package static let properties: [Property<Self>] = [
    Property("anc", \.mode, meaning),
    Property("modes", \.modes, "those that the headphone has"),
  ]
}

package struct EQReport: ObjectReport, Hashable {
  private let equaliser: Equaliser
  private let presets: [String]

  package init(_ headphone: HeadphoneState) {
    equaliser = Equaliser(headphone)
    presets = headphone.presets
  }

  package var text: String {
    [equaliser.preset.map(displayable), equaliser.bands?.displayText].compactMap(\.self)
      .joined(separator: ": ").orUnknown
  }

  package static let schemaName = SchemaName("eq", "`earshot eq --json`")

  package static let properties: [Property<Self>] = [
    Property("eq", \.equaliser),
    Property(
      "presets", \.presets,
      "the headphone's presets; each maker has different names"),
  ]
}

extension String {
  fileprivate var orUnknown: String { isEmpty ? "unknown" : self }
}

package struct TouchReport: ObjectReport, Hashable {
  private let headphone: HeadphoneState
  private let sides: [Side]
  private let gestures: [TouchGesture]

  /// Creates the report of the actions that were read, of one bud or gesture if given.
  package init(_ headphone: HeadphoneState, side: Side? = nil, gesture: TouchGesture? = nil) {
    self.headphone = headphone
    sides = side.map { [$0] } ?? Side.allCases
    gestures = gesture.map { [$0] } ?? TouchGesture.allCases
  }

  private func name(_ id: SettingID) -> String? { headphone.settings[id].confirmed?.text }

  /// What touches and presses do on a headphone of another maker, or nil for Earshot's protocol.
  private var settings: [SettingDeclaration]? {
    guard let able = headphone.capabilities, !able.hasTouchActions, !able.gestures.isEmpty else {
      return nil
    }
    guard sides.count == 1 else { return able.gestures }
    guard gestures.count > 1 else {
      return able.gesture(sides[0], gestures[0]).map { [$0] } ?? []
    }
    return able.gestures.filter {
      $0.id.rawValue.split(separator: "-").contains(Substring(sides[0].name))
    }
  }

  private func name(_ side: Side, _ gesture: TouchGesture) -> String? {
    name(.touchAction(side, gesture))
  }

  package var text: String {
    if let settings {
      let rows = settings.map { ($0.id.displayText, displayable(name($0.id) ?? "unknown")) }
      return sides.count == 1 && gestures.count == 1 ? rows.first?.1 ?? "unknown" : table(rows)
    }
    if sides.count == 1, gestures.count == 1 {
      return name(sides[0], gestures[0]) ?? "unknown"
    }
    return table(
      sides.flatMap { side in
        gestures.map { gesture in
          ("\(side.name) \(gesture.name)", name(side, gesture) ?? "unknown")
        }
      })
  }

  package static let schemaName = SchemaName("touch", "`earshot touch --json`")

  package static let properties =
    Side.allCases.map { side in
      Property<Self>(side.name) { report in
        Gestures(actions: TouchGesture.allCases.map { report.name(side, $0) })
      }
    } + [
      Property<Self>(
        "settings",
        { report in
          report.settings.map { settings in
            JSONMap(settings.map { ($0.id.rawValue, report.headphone.settings[$0.id].confirmed) })
          }
        },
        "what touches and presses of another maker's headphone do, by the names of the settings; "
          + "null: Earshot's protocol")
    ]
}

private struct Gestures: NamedJSONObject {
  /// The actions in the order of `TouchGesture`; nil where unknown.
  var actions: [String?]

  static let schemaName = SchemaName(
    "gestures", "What each gesture on a bud does; null: unknown.")

  static let properties = zip(TouchGesture.allCases, 0...).map { gesture, index in
    Property<Self>(
      gesture.name, { $0.actions[index] }, among: TouchAction.allCases.map(\.name))
  }
}
