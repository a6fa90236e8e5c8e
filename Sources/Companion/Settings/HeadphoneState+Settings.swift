public import HeadphoneProtocols

/// The declared settings of a headphone, with their wanted, sent and confirmed values.
///
/// ```swift
/// state.headphones.update(id) { $0.settings["conversation-awareness"].received(.toggle(true)) }
/// ```
public struct DeclaredSettings: Hashable, Sendable {
  private var settings: [SettingID: Setting<SettingValue>] = [:]

  public init() {}

  /// Unknown until the headphone has reported it.
  public subscript(id: SettingID) -> Setting<SettingValue> {
    get { settings[id] ?? Setting() }
    set { settings[id] = newValue }
  }

  /// Whether a change is asked for and not confirmed yet.
  public var isChanging: Bool { settings.values.contains { $0.pending != nil } }

  /// Gives up what is pending: the link is gone.
  mutating func giveUp() {
    for id in settings.keys { settings[id]?.giveUp() }
  }
}

/// Settings by identifier, whether they are declared or have a field of their own.
extension HeadphoneState {
  /// The confirmed and the pending value of a setting; unknown where the headphone has no such
  /// setting.
  ///
  /// Standard settings with a field of their own are translated: a gain becomes tenths of a dB, a
  /// mode its name. So commands, JSON and scenes see one kind of value.
  ///
  /// - Parameter id: A standard identifier or one of the protocol's own.
  public func setting(_ id: SettingID) -> Setting<SettingValue> {
    // A protocol may declare a standard setting with values of its own.
    if capabilities?.declares(id) == true { return settings[id] }
    return switch id {
    case .noiseMode: anc.map { .choice($0.name) }
    case .ambientLevel: ancLevel.map { .level(Int($0)) }
    case .equaliserPreset: eq.map { .choice($0.name) }
    case .equaliserBands: bands.map { .bands($0.map { Int($0.halfDecibels) * 5 }) }
    case .volume: volume.map { .level(Int($0.level)) }
    default: touchSetting(id) ?? settings[id]
    }
  }

  /// The command that gives a setting a value; nil: the setting has no such value.
  ///
  /// - Parameters:
  ///   - id: A standard identifier or one of the protocol's own.
  ///   - value: Checked against the declaration: a level out of range gives nil.
  public func command(setting id: SettingID, to value: SettingValue) -> HeadphoneCommand? {
    guard let able = capabilities, able.declaration(of: id)?.accepts(value) == true else {
      return nil
    }
    if able.declares(id) { return .set(id, value) }
    switch (id, value) {
    case (.noiseMode, .choice(let name)):
      return ANCMode.allCases.first { $0.name == name }.map { .setANC($0) }
    case (.ambientLevel, .level(let level)): return UInt8(exactly: level).map { .setANCLevel($0) }
    case (.equaliserPreset, .choice(let name)):
      return EQPreset.allCases.first { $0.name == name }.map { .setEQ($0) }
    case (.equaliserBands, .bands(let tenths)):
      let gains = tenths.compactMap {
        Int8(exactly: $0 / 5).flatMap(BandGain.init(halfDecibels:))
      }
      return gains.count == tenths.count ? .setCustomEQ(gains) : nil
    case (.volume, .level(let level)):
      let isMuted = volume.confirmed?.isMuted ?? false
      return UInt8(exactly: level).map {
        .setVolume(HeadphoneVolume(level: $0, isMuted: isMuted))
      }
    default:
      guard let (side, gesture) = Self.touch(id) else { return .set(id, value) }
      return TouchAction.allCases.first { .choice($0.name) == value }
        .map { .setTouchAction(side, gesture, $0) }
    }
  }

  /// The action of a gesture as a setting that is always confirmed; nil: it is no gesture's.
  private func touchSetting(_ id: SettingID) -> Setting<SettingValue>? {
    Self.touch(id).map { side, gesture in touch[side, gesture].map { .choice($0.name) } }
  }

  /// The bud and the gesture of an identifier such as `touch-left-tap`.
  private static func touch(_ id: SettingID) -> (Side, TouchGesture)? {
    for side in Side.allCases {
      for gesture in TouchGesture.allCases where .touchAction(side, gesture) == id {
        return (side, gesture)
      }
    }
    return nil
  }
}

extension Capabilities {
  /// The declared settings in the order of their rows, by their part of the screen.
  ///
  /// A headphone may report them in any order. Wear detection shares the row of the wearing state.
  public var shownSettings: [SettingDeclaration] {
    settings.filter { $0.id == .wearDetection }
      + SettingDeclaration.Group.allCases.flatMap { group in
        settings.filter { $0.group == group && $0.id != .wearDetection }
      }
  }
}

/// A row of the control panel, and what is declared of it.
public struct SettingRow: Hashable, Sendable {
  public let row: ControlRow
  public let declaration: SettingDeclaration
}

extension Capabilities {
  /// The rows of the control panel, group by group; within one the standard settings come first.
  public var controlRows: [SettingRow] {
    let known = declarations
    let standard: [(ControlRow, SettingID, Bool)] = [
      (.anc, .noiseMode, !ancModes.isEmpty), (.ancLevel, .ambientLevel, hasANCLevel),
      (.eq, .equaliserPreset, !eqPresets.isEmpty), (.volume, .volume, hasVolume),
    ]
    let rows =
      standard.compactMap { row, id, isThere in
        isThere
          ? known.first { $0.id == id }.map { SettingRow(row: row, declaration: $0) } : nil
      } + settings.map { SettingRow(row: .setting($0.id), declaration: $0) }
    return SettingDeclaration.Group.allCases.flatMap { group in
      rows.filter { $0.declaration.group == group }
    }
  }
}
