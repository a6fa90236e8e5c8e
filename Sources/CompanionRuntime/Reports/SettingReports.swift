public import Companion
public import HeadphoneProtocols
public import JSON

/// `earshot battery`.
///
/// Text: "left 80%", a line for each part, or the level alone of a single battery. JSON of schema
/// 1: `battery` as in `status --json`.
public struct BatteryLevelsReport: Report, Hashable {
  private let battery: [Part: Battery]
  private let isOnlyOne: Bool
  private let part: Part?
  private let thresholds: BatteryThresholds
  private let trends: [Part: BatteryTrend]
  private let overall: UInt8?

  /// The last reported levels, by part, and how long they will last.
  ///
  /// - Parameters:
  ///   - part: the only one that is asked for; nil: all.
  ///   - thresholds: for the colours of a terminal.
  public init(
    _ headphone: HeadphoneState, of part: Part? = nil,
    thresholds: BatteryThresholds = BatteryThresholds()
  ) {
    battery = headphone.battery?.value ?? [:]
    isOnlyOne = headphone.hasOneBattery
    let trends = Part.allCases.map { ($0, headphone.batteryTrend(of: $0)) }
    self.trends = Dictionary(uniqueKeysWithValues: trends).compactMapValues(\.self)
    overall = headphone.onlyCharge
    self.part = part
    self.thresholds = thresholds
  }

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

  public var json: JSON {
    [
      "schema": 1, "battery": battery.json(overall: overall),
      "minutesLeft": minutes(isCharging: false),
      "minutesToFull": minutes(isCharging: true),
    ]
  }

  /// The estimates of the parts that charge, or of those that do not; null: unknown.
  private func minutes(isCharging: Bool) -> JSON {
    func minutes(_ part: Part) -> JSON {
      JSON(trends[part].flatMap { $0.isCharging == isCharging ? $0.minutes : nil })
    }
    return ["left": minutes(.left), "right": minutes(.right), "case": minutes(.case)]
  }
}

extension [Part: Battery] {
  /// The member `battery` of `status --json`; an unknown level is null.
  ///
  /// - Parameter overall: the figure for all parts, where no part's is known.
  func json(overall: UInt8? = nil) -> JSON {
    let charging = Part.allCases.filter { self[$0]?.isCharging == true }
    return [
      "left": JSON(self[.left]?.level), "right": JSON(self[.right]?.level),
      "case": JSON(self[.case]?.level), "charging": .array(charging.map { .string($0.name) }),
      "overall": JSON(overall),
    ]
  }
}

/// `earshot anc`.
///
/// Text: the mode's name, or "unknown". JSON of schema 1: `anc` (null: unknown) and `modes`, all
/// that the headphone has.
public struct ANCReport: Report, Hashable {
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

  public var json: JSON {
    [
      "schema": 1, "anc": JSON(mode?.name), "modes": .array(modes.map { .string($0.name) }),
    ]
  }
}

/// `earshot eq`.
///
/// Text: the preset's name, and the gains where they are known. JSON of schema 1: `eq` with
/// `preset` and `bands` in dB (null: unknown), and `presets`, all that the headphone has.
public struct EQReport: Report, Hashable {
  private let preset: String?
  private let bands: [BandGain]?
  private let presets: [String]

  /// Only what the headphone has confirmed.
  public init(_ headphone: HeadphoneState) {
    if case .choice(let name)? = headphone.setting(.equaliserPreset).confirmed {
      preset = name
    } else {
      preset = nil
    }
    bands = headphone.gainsInForce
    presets = headphone.presets
  }

  public var text: String {
    [preset.map(displayable), bands?.displayText].compactMap(\.self).joined(separator: ": ")
      .orUnknown
  }

  public var json: JSON {
    [
      "schema": 1,
      "eq": [
        "preset": JSON(preset),
        "bands": JSON(bands) { .array($0.map { .number($0.decibels) }) },
      ], "presets": .array(presets.map { .string($0) }),
    ]
  }
}

extension String {
  fileprivate var orUnknown: String { isEmpty ? "unknown" : self }
}

/// A single member and its value: the answer of simple commands.
public struct ValueReport: Report, Hashable {
  private let key: String
  private let value: String?
  private let sentence: String?

  /// - Parameters:
  ///   - value: nil: unknown, which is null in JSON.
  ///   - sentence: what a terminal shows instead of the value alone.
  public init(_ key: String, _ value: String?, sentence: String? = nil) {
    self.key = key
    self.value = value
    self.sentence = sentence
  }

  public var text: String { value ?? "unknown" }

  public func text(_ style: TextStyle) -> String {
    style == .plain ? text : sentence.map(displayable) ?? text
  }

  public var json: JSON { .object([.init("schema", 1), .init(key, JSON(value))]) }
}

/// `earshot touch`.
///
/// JSON of schema 1: `left` and `right`, each an object from gesture to action; null: unknown.
public struct TouchReport: Report, Hashable {
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

  public var json: JSON {
    .object(
      [.init("schema", 1)]
        + Side.allCases.map { side in
          JSON.Member(
            side.name,
            .object(
              TouchGesture.allCases.map { .init($0.name, JSON(name(side, $0))) })
          )
        })
  }
}
