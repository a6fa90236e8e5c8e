public import Companion
public import HeadphoneProtocols
public import JSON

/// `earshot battery`.
///
/// Text: "left 80%", a line for each part, or the level alone of a single battery.
public struct BatteryLevelsReport: ObjectReport, Hashable {
  private let levels: BatteryLevels
  private let isOnlyOne: Bool
  private let part: Part?
  private let thresholds: BatteryThresholds
  private let trends: [Part: BatteryTrend]

  /// The last reported levels, by part, and how long they will last.
  ///
  /// - Parameters:
  ///   - part: the only one that is asked for; nil: all.
  ///   - thresholds: for the colours of a terminal.
  public init(
    _ headphone: HeadphoneState, of part: Part? = nil,
    thresholds: BatteryThresholds = BatteryThresholds()
  ) {
    levels = BatteryLevels(headphone)
    isOnlyOne = headphone.hasOneBattery
    let trends = Part.allCases.map { ($0, headphone.batteryTrend(of: $0)) }
    self.trends = Dictionary(uniqueKeysWithValues: trends).compactMapValues(\.self)
    self.part = part
    self.thresholds = thresholds
  }

  private var battery: [Part: Battery] { levels.parts }
  private var overall: UInt8? { levels.overall }

  /// The levels in one line.
  public var line: String {
    part == nil && overall == nil ? battery.displayText(isOnlyOne: isOnlyOne) : text
  }

  public func text(_ style: TextStyle) -> String {
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

  public var text: String {
    if let part { return battery[part]?.level.map { "\($0)" } ?? "unknown" }
    if let overall { return overallChargeText(overall) }
    if battery.isEmpty { return "unknown" }
    if isOnlyOne { return text(of: .left, battery.displayText(isOnlyOne: true)) }
    return table(
      Part.allCases.compactMap { part in
        battery[part].map { (part.name, text(of: part, $0.displayText)) }
      })
  }

  /// "80%, about 2 h 40 min left".
  private func text(of part: Part, _ level: String) -> String {
    trends[part].map { "\(level), \($0.displayText)" } ?? level
  }

  public static let schemaName = SchemaName("battery", "`earshot battery --json`")

  public static let properties: [Property<Self>] = [
    Property("battery", \.levels),
    Property(
      "minutesLeft", { $0.minutes(isCharging: false) },
      "null: not in use, or too few changes so far"),
    Property(
      "minutesToFull", { $0.minutes(isCharging: true) },
      "null: it does not charge, or too few changes so far"),
  ]

  /// The estimates of the parts that charge, or of those that do not.
  private func minutes(isCharging: Bool) -> BatteryMinutes {
    BatteryMinutes(minutes: trends.filter { $1.isCharging == isCharging }.mapValues(\.minutes))
  }
}

/// How long charges will last, or take.
private struct BatteryMinutes: NamedJSONObject {
  /// What is not in it is unknown.
  var minutes: [Part: Int]

  static let schemaName = SchemaName(
    "battery-minutes", "An estimate for each part from its [history](screens.md#wide-screens).")

  static let properties = Part.allCases.map { part in
    Property<Self>(part.name, { $0.minutes[part] }, in: .atLeast(1))
  }
}

/// `earshot anc`.
///
/// Text: the mode's name, or "unknown".
public struct ANCReport: ObjectReport, Hashable {
  private let mode: ANCMode?
  private let modes: [ANCMode]

  /// Only what the headphone has confirmed.
  public init(_ headphone: HeadphoneState) {
    mode = headphone.anc.confirmed
    modes = headphone.capabilities?.ancModes ?? []
  }

  public var text: String { mode?.name ?? "unknown" }

  public func text(_ style: TextStyle) -> String {
    guard style != .plain, let mode, modes.count > 1 else { return text }
    return style.choices(modes.map(\.name), current: mode.name)
  }

  public static let schemaName = SchemaName("anc", "`earshot anc --json`")

  public static let properties: [Property<Self>] = [
    Property("anc", \.mode, "null: unknown"),
    Property("modes", \.modes, "those that the headphone has"),
  ]
}

/// `earshot eq`.
///
/// Text: the preset's name, and the gains where they are known.
public struct EQReport: ObjectReport, Hashable {
  private let equaliser: Equaliser
  private let presets: [String]

  /// Only what the headphone has confirmed.
  public init(_ headphone: HeadphoneState) {
    var preset: String?
    if case .choice(let name)? = headphone.setting(.equaliserPreset).confirmed { preset = name }
    equaliser = Equaliser(preset: preset, bands: headphone.gainsInForce)
    presets = headphone.presets
  }

  public var text: String {
    [equaliser.preset.map(displayable), equaliser.bands?.displayText].compactMap(\.self)
      .joined(separator: ": ").orUnknown
  }

  public static let schemaName = SchemaName("eq", "`earshot eq --json`")

  public static let properties: [Property<Self>] = [
    Property("eq", \.equaliser),
    Property(
      "presets", \.presets,
      "those that the headphone has; other makers' have names of their own"),
  ]
}

extension String {
  fileprivate var orUnknown: String { isEmpty ? "unknown" : self }
}

/// `earshot touch`.
///
/// Text: bud, gesture and action, one a line, or the single action that is asked for.
public struct TouchReport: ObjectReport, Hashable {
  private let settings: HeadphoneSettings
  private let sides: [Side]
  private let gestures: [TouchGesture]

  /// The actions that were read; a missing gesture is unknown.
  ///
  /// - Parameters:
  ///   - side: the only bud that is asked for; nil: both.
  ///   - gesture: the only gesture; nil: all.
  public init(_ headphone: HeadphoneState, side: Side? = nil, gesture: TouchGesture? = nil) {
    settings = headphone.settings
    sides = side.map { [$0] } ?? Side.allCases
    gestures = gesture.map { [$0] } ?? TouchGesture.allCases
  }

  /// Nil: unknown.
  private func name(_ side: Side, _ gesture: TouchGesture) -> String? {
    settings[.touchAction(side, gesture)].confirmed?.text
  }

  public var text: String {
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

  public static let schemaName = SchemaName("touch", "`earshot touch --json`")

  public static let properties = Side.allCases.map { side in
    Property<Self>(side.name) { report in
      Gestures(actions: TouchGesture.allCases.map { report.name(side, $0) })
    }
  }
}

/// The actions of a bud's gestures.
private struct Gestures: NamedJSONObject {
  /// In the sequence of all gestures; nil: unknown.
  var actions: [String?]

  static let schemaName = SchemaName(
    "gestures", "What each gesture on a bud does; null: unknown.")

  static let properties = zip(TouchGesture.allCases, 0...).map { gesture, index in
    Property<Self>(
      gesture.name, { $0.actions[index] }, among: TouchAction.allCases.map(\.name))
  }
}
