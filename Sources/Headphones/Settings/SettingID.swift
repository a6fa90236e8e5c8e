/// The name of a setting, as scripts write it: lower-case words with hyphens.
///
/// The standard ones are what headphones of many makers share: a key, a command and a place on the
/// screen belong to them. A protocol adds names of its own for the rest.
public struct SettingID: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public init(stringLiteral name: String) { self.init(rawValue: name) }

  /// Noise control: a choice among the modes that the headphone has.
  public static let noiseMode: SettingID = "noise-mode"
  /// How much of the surroundings is heard, or how deep noise control goes: a level.
  public static let ambientLevel: SettingID = "ambient-level"
  /// Whether ambient sound lets voices through only: a switch.
  public static let focusOnVoice: SettingID = "focus-on-voice"
  /// A choice among the equaliser's presets.
  public static let equaliserPreset: SettingID = "equaliser-preset"
  /// The gains of the custom equaliser.
  public static let equaliserBands: SettingID = "equaliser-bands"
  /// Whether the headphone detects that it is worn: a switch.
  public static let wearDetection: SettingID = "wear-detection"
  /// Whether the headphone pauses by itself when it is taken off: a switch.
  public static let pauseWhenTakenOff: SettingID = "pause-when-taken-off"
  /// After which time without sound it switches itself off: a choice.
  public static let autoPowerOff: SettingID = "auto-power-off"
  /// Whether two devices can be connected at a time: a switch.
  public static let multipoint: SettingID = "multipoint"
  /// The headphone's own volume in %: a level.
  public static let volume: SettingID = "volume"
  /// What a gesture does: a choice.
  public static func touchAction(_ side: Side, _ gesture: TouchGesture) -> SettingID {
    SettingID(rawValue: "touch-\(side)-\(gesture.name)")
  }
}

extension SettingID {
  /// The name in a sentence: "wear detection".
  public var displayText: String { rawValue.split(separator: "-").joined(separator: " ") }
}
