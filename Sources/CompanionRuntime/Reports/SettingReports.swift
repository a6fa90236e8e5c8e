public import Companion
internal import HeadphoneProtocols
public import JSON

/// `earshot battery`.
public struct BatteryLevels: Report, Hashable {
  private let battery: [Part: Battery]
  private let isOnlyOne: Bool

  /// The last reported levels, by part.
  public init(_ headphone: HeadphoneState) {
    battery = headphone.battery?.value ?? [:]
    isOnlyOne = headphone.hasOneBattery
  }

  public var text: String {
    if battery.isEmpty { return "unknown" }
    if isOnlyOne { return battery.displayText(isOnlyOne: true) }
    return table(
      Part.allCases.compactMap { part in battery[part].map { (part.name, $0.displayText) } })
  }

  public var json: JSON { ["schema": 1, "battery": battery.json] }
}

extension [Part: Battery] {
  /// The member `battery` of `status --json`; an unknown level is null.
  var json: JSON {
    let charging = Part.allCases.filter { self[$0]?.isCharging == true }
    return [
      "left": JSON(self[.left]?.level), "right": JSON(self[.right]?.level),
      "case": JSON(self[.case]?.level), "charging": .array(charging.map { .string($0.name) }),
    ]
  }
}

/// `earshot anc`.
public struct ANCReport: Report, Hashable {
  private let mode: ANCMode?
  private let modes: [ANCMode]

  /// Only what the headphone has confirmed.
  public init(_ headphone: HeadphoneState) {
    mode = headphone.anc.confirmed
    modes = headphone.capabilities?.ancModes ?? []
  }

  public var text: String { mode?.name ?? "unknown" }

  public var json: JSON {
    [
      "schema": 1, "anc": JSON(mode?.name), "modes": .array(modes.map { .string($0.name) }),
    ]
  }
}

/// `earshot eq`.
public struct EQReport: Report, Hashable {
  private let preset: EQPreset?
  private let bands: [BandGain]?
  private let presets: [EQPreset]

  /// Only what the headphone has confirmed.
  public init(_ headphone: HeadphoneState) {
    preset = headphone.eq.confirmed
    bands = headphone.bands.confirmed
    presets = headphone.capabilities?.eqPresets ?? []
  }

  public var text: String {
    [preset?.name ?? "unknown", bands?.displayText].compactMap(\.self).joined(separator: ": ")
  }

  public var json: JSON {
    [
      "schema": 1,
      "eq": [
        "preset": JSON(preset?.name),
        "bands": JSON(bands) { .array($0.map { .number($0.decibels) }) },
      ], "presets": .array(presets.map { .string($0.name) }),
    ]
  }
}

/// A single member and its value: the answer of simple commands.
public struct AnswerReport: Report, Hashable {
  private let key: String
  private let value: String

  public init(_ key: String, _ value: String) {
    self.key = key
    self.value = value
  }

  public var text: String { value }
  public var json: JSON { .object([.init("schema", 1), .init(key, .string(value))]) }
}

/// `earshot touch`.
public struct TouchReport: Report, Hashable {
  private let actions: [Side: [TouchGesture: TouchAction]]

  /// The actions that were read; a missing gesture is unknown.
  public init(_ headphone: HeadphoneState) { actions = headphone.touchActions }

  public var text: String {
    table(
      Side.allCases.flatMap { side in
        TouchGesture.allCases.map { gesture in
          ("\(side.name) \(gesture.name)", actions[side]?[gesture]?.name ?? "unknown")
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
              TouchGesture.allCases.map { .init($0.name, JSON(actions[side]?[$0]?.name)) }))
        })
  }
}
