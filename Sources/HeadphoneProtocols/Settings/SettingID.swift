/// The identifier of a setting in commands and JSON: lower-case words with hyphens.
///
/// Standard settings are common to many makers, and have keys, commands and places on the screen.
/// Protocols add their own.
public struct SettingID: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  /// The identifier, such as "wear-detection".
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public init(stringLiteral name: String) { self.init(rawValue: name) }

  /// Noise control: a choice of the headphone's modes.
  public static let noiseMode: SettingID = "noise-mode"
  /// The amount of ambient sound, or the depth of noise control: a level.
  public static let ambientLevel: SettingID = "ambient-level"
  /// Whether ambient sound is limited to voices: a switch.
  public static let focusOnVoice: SettingID = "focus-on-voice"
  /// The equaliser preset: a choice.
  public static let equaliserPreset: SettingID = "equaliser-preset"
  /// The gains of the custom equaliser.
  public static let equaliserBands: SettingID = "equaliser-bands"
  /// Whether the headphone detects that it is worn: a switch.
  public static let wearDetection: SettingID = "wear-detection"
  /// Whether the headphone itself pauses when it is taken off: a switch.
  public static let pauseWhenTakenOff: SettingID = "pause-when-taken-off"
  /// The time without sound after which the headphone switches itself off: a choice.
  public static let autoPowerOff: SettingID = "auto-power-off"
  /// Whether two devices can be connected at the same time: a switch.
  public static let multipoint: SettingID = "multipoint"
  /// Whether audio is played with less delay: a switch.
  public static let lowLatency: SettingID = "low-latency"
  /// The phones and computers that the headphone is paired with.
  public static let pairedDevices: SettingID = "paired-devices"
  /// The headphone's own volume in %: a level.
  public static let volume: SettingID = "volume"
  /// Whether the headphone itself is muted: a switch.
  public static let muted: SettingID = "muted"
  /// Returns the identifier of a gesture's action: a choice.
  public static func touchAction(_ side: Side, _ gesture: TouchGesture) -> SettingID {
    SettingID(rawValue: "touch-\(side)-\(gesture.name)")
  }
}

extension SettingID {
  /// The identifier as words, such as "wear detection".
  public var displayText: String { rawValue.split(separator: "-").joined(separator: " ") }

  /// The identifier as displayed on the screen, such as "noise control" for ``noiseMode``.
  public var title: String {
    switch self {
    case .noiseMode: "noise control"
    case .ambientLevel: "noise control level"
    case .equaliserPreset: "equaliser"
    case .equaliserBands: "custom equaliser"
    default: displayText
    }
  }
}
