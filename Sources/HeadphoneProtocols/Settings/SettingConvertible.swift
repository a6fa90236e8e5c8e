/// A Swift type for the values of a standard setting.
///
/// ```swift
/// ANCMode.adaptive.settingValue            // .choice("adaptive")
/// ANCMode(setting: .choice("adaptive"))    // .adaptive
/// ```
public protocol SettingConvertible: Hashable, Sendable {
  /// Creates the value that corresponds to a setting's value, or nil if there is none.
  init?(setting value: SettingValue)
  /// The value of the setting.
  var settingValue: SettingValue { get }
}

/// A choice that commands and JSON identify by its name.
public protocol NamedChoice: SettingConvertible, CaseIterable {
  /// The name in commands and JSON, which never changes.
  var name: String { get }
}

extension NamedChoice {
  public init?(setting value: SettingValue) {
    guard let choice = Self.allCases.first(where: { $0.settingValue == value }) else { return nil }
    self = choice
  }

  public var settingValue: SettingValue { .choice(name) }
}

extension ANCMode: NamedChoice {}
extension EQPreset: NamedChoice {}
extension TouchAction: NamedChoice {}

extension UInt8: SettingConvertible {
  public init?(setting value: SettingValue) {
    guard case .level(let level) = value else { return nil }
    self.init(exactly: level)
  }

  public var settingValue: SettingValue { .level(Int(self)) }
}

extension [BandGain]: SettingConvertible {
  public init?(setting value: SettingValue) {
    guard case .bands(let tenths) = value else { return nil }
    let gains = tenths.compactMap {
      Int8(exactly: $0 / 5).flatMap(BandGain.init(halfDecibels:))
    }
    guard gains.count == tenths.count else { return nil }
    self = gains
  }

  public var settingValue: SettingValue { .bands(map { Int($0.halfDecibels) * 5 }) }
}

extension HeadphoneCommand {
  /// The settings that the command changes, with their new values.
  public var settings: [(id: SettingID, value: SettingValue)] {
    switch self {
    case .set(let id, let value): [(id, value)]
    case .setANC(let mode): [(.noiseMode, mode.settingValue)]
    case .setANCLevel(let level): [(.ambientLevel, level.settingValue)]
    case .setEQ(let preset): [(.equaliserPreset, preset.settingValue)]
    case .setCustomEQ(let gains): [(.equaliserBands, gains.settingValue)]
    case .setVolume(let volume): volume.settings
    case .setTouchAction(let side, let gesture, let action):
      [(.touchAction(side, gesture), action.settingValue)]
    case .find, .readTouchActions, .pairedDevice, .broadcast, .announceSearch, .rename, .restart,
      .factoryReset:
      []
    }
  }
}

extension HeadphoneEvent {
  /// The settings that the event reports, with their values.
  public var settings: [(id: SettingID, value: SettingValue)] {
    switch self {
    case .settingChanged(let id, let value): [(id, value)]
    case .ancChanged(let mode): [(.noiseMode, mode.settingValue)]
    case .ancLevelChanged(let level): [(.ambientLevel, level.settingValue)]
    case .eqChanged(let preset, let gains):
      [(.equaliserPreset, preset.settingValue)]
        + (gains.map { [(.equaliserBands, $0.settingValue)] } ?? [])
    case .volumeChanged(let volume): volume.settings
    case .touchActionsChanged(let actions):
      actions.flatMap { side, gestures in
        gestures.map { (.touchAction(side, $0), $1.settingValue) }
      }
    case .starting, .receptionChanged, .batteryChanged, .wearingChanged, .caseLidChanged,
      .touchUsed, .speechChanged, .findChanged,
      .renamed, .firmwareProgress, .reportedError, .described, .noted, .malformed, .unknown:
      []
    }
  }
}

extension HeadphoneVolume {
  fileprivate var settings: [(id: SettingID, value: SettingValue)] {
    [(.volume, level.settingValue), (.muted, .toggle(isMuted))]
  }
}
