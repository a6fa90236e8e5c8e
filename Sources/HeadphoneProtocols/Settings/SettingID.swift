/// The identifier of a setting in commands and JSON: lower-case words with hyphens.
///
/// Standard settings are common to many makers, and have keys, commands and places on the screen.
/// Protocols add their own.
public struct SettingID: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public init(stringLiteral name: String) { self.init(rawValue: name) }

  public static let noiseMode: SettingID = "noise-mode"
  /// The amount of ambient sound, or the depth of noise control: a level.
  public static let ambientLevel: SettingID = "ambient-level"
  public static let focusOnVoice: SettingID = "focus-on-voice"
  public static let equaliserPreset: SettingID = "equaliser-preset"
  /// The gains of the custom equaliser in tenths of a dB.
  public static let equaliserBands: SettingID = "equaliser-bands"
  public static let wearDetection: SettingID = "wear-detection"
  /// Whether the headphone itself pauses playback when it is taken off.
  public static let pauseWhenTakenOff: SettingID = "pause-when-taken-off"
  /// The time without sound after which the headphone switches itself off: a choice.
  public static let autoPowerOff: SettingID = "auto-power-off"
  public static let multipoint: SettingID = "multipoint"
  public static let lowLatency: SettingID = "low-latency"
  public static let pairedDevices: SettingID = "paired-devices"
  /// The headphone's own volume in %: a level.
  public static let volume: SettingID = "volume"
  public static let muted: SettingID = "muted"
  /// Returns the identifier of a gesture's action.
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
