public import HeadphoneProtocols

/// The settings of a headphone by their identifiers, with their wanted, sent and confirmed values.
///
/// Standard settings and those of a maker are entries alike; the standard ones have Swift types
/// besides.
///
/// ```swift
/// settings["conversation-awareness"].received(.toggle(true))
/// settings[.noiseMode, as: ANCMode.self].confirmed   // .adaptive
/// ```
public struct HeadphoneSettings: Hashable, Sendable {
  private var entries: [SettingID: Setting<SettingValue>] = [:]

  /// Settings of which one changes the other: one command at a time, in this order.
  private static let groups: [[SettingID]] = [
    [.equaliserBands, .equaliserPreset], [.volume, .muted],
  ]

  public init() {}

  /// Unknown until the headphone has reported it.
  public subscript(id: SettingID) -> Setting<SettingValue> {
    get { entries[id] ?? Setting() }
    set { entries[id] = newValue == Setting() ? nil : newValue }
  }

  /// A setting in a type of Swift.
  public subscript<Value: SettingConvertible>(
    id: SettingID, as type: Value.Type
  ) -> Setting<Value> {
    get { self[id].map(Value.init(setting:)) }
    set { self[id] = newValue.map(\.settingValue) }
  }

  /// Whether a change is asked for and not confirmed yet.
  public var isChanging: Bool { entries.values.contains { $0.pending != nil } }

  /// Wants a value, which ``next(of:under:)`` sends.
  ///
  /// Gains select the custom preset: a preset that waits is not sent any more.
  mutating func want(_ value: SettingValue, of id: SettingID) {
    if id == .equaliserBands { self[.equaliserPreset].dropWaiting() }
    self[id].wait(with: value)
  }

  /// What is to be sent next, of a setting or of those in its group; nil: nothing waits, or an
  /// earlier change is on the air.
  mutating func next(
    of id: SettingID, under token: CommandToken
  ) -> (id: SettingID, value: SettingValue)? {
    let group = Self.groups.first { $0.contains(id) } ?? [id]
    guard !group.contains(where: { self[$0].isOnAir }) else { return nil }
    for id in group {
      if let value = self[id].send(under: token) { return (id, value) }
    }
    return nil
  }

  /// Gives up what is pending: the link is gone.
  mutating func giveUp() {
    for id in entries.keys { self[id].giveUp() }
  }
}

/// The standard settings in their Swift types.
extension HeadphoneState {
  /// The confirmed value, and the one that is asked for.
  public package(set) var anc: Setting<ANCMode> {
    get { settings[.noiseMode, as: ANCMode.self] }
    set { settings[.noiseMode, as: ANCMode.self] = newValue }
  }
  /// Within the ``/HeadphoneProtocols/Capabilities/ancLevels`` of ``capabilities``.
  public package(set) var ancLevel: Setting<UInt8> {
    get { settings[.ambientLevel, as: UInt8.self] }
    set { settings[.ambientLevel, as: UInt8.self] = newValue }
  }
  /// One of the presets of Earshot's own; empty where the headphone has others.
  public package(set) var eq: Setting<EQPreset> {
    get { settings[.equaliserPreset, as: EQPreset.self] }
    set { settings[.equaliserPreset, as: EQPreset.self] = newValue }
  }
  /// The gains of the custom equaliser, from the lowest band.
  public package(set) var bands: Setting<[BandGain]> {
    get { settings[.equaliserBands, as: [BandGain].self] }
    set { settings[.equaliserBands, as: [BandGain].self] = newValue }
  }
  /// The headphone's own volume, beside that of the sound server.
  public var volume: Setting<HeadphoneVolume> {
    settings[.volume, as: UInt8.self].combined(with: settings[.muted]) {
      HeadphoneVolume(level: $0, isMuted: $1 == .toggle(true))
    }
  }

  /// The confirmed and the pending value of a setting; unknown where the headphone has no such
  /// setting.
  public func setting(_ id: SettingID) -> Setting<SettingValue> { settings[id] }

  /// Where a setting can be set, for example "in transparency only"; nil: now.
  public func restriction(of declaration: SettingDeclaration) -> String? {
    declaration.restriction(in: anc.shown)
  }

  /// The command that gives a setting a value; nil: the setting has no such value.
  ///
  /// - Parameters:
  ///   - id: A standard identifier or one of the protocol's own.
  ///   - value: Checked against the declaration: a level out of range gives nil.
  public func command(setting id: SettingID, to value: SettingValue) -> HeadphoneCommand? {
    guard capabilities?.declaration(of: id)?.accepts(value) == true else { return nil }
    return command(id, value)
  }

  /// The command that gives a setting a value that it has.
  ///
  /// A protocol may declare a standard setting with values of its own.
  func command(_ id: SettingID, _ value: SettingValue) -> HeadphoneCommand {
    if capabilities?.declares(id) == true { return .set(id, value) }
    let command: HeadphoneCommand? =
      switch id {
      case .noiseMode: ANCMode(setting: value).map { .setANC($0) }
      case .ambientLevel: UInt8(setting: value).map { .setANCLevel($0) }
      case .equaliserPreset: EQPreset(setting: value).map { .setEQ($0) }
      case .equaliserBands: [BandGain](setting: value).map { .setCustomEQ($0) }
      case .volume:
        UInt8(setting: value).map {
          .setVolume(HeadphoneVolume(level: $0, isMuted: volume.shown?.isMuted ?? false))
        }
      case .muted:
        volume.shown.map {
          .setVolume(HeadphoneVolume(level: $0.level, isMuted: value == .toggle(true)))
        }
      default:
        TouchPlace.allCases.first { $0.setting == id }.flatMap { place in
          TouchAction(setting: value).map { .setTouchAction(place.side, place.gesture, $0) }
        }
      }
    return command ?? .set(id, value)
  }

  /// Wants a value of a setting.
  mutating func want(_ value: SettingValue, of id: SettingID) {
    if id == .noiseMode { rememberMode(anc.shown, before: value) }
    settings.want(value, of: id)
  }

  /// The headphone reported the value of a setting.
  mutating func received(_ value: SettingValue, of id: SettingID) {
    if id == .noiseMode { rememberMode(anc.confirmed, before: value) }
    settings[id].received(value)
  }

  /// The mode that `t` returns to from transparency.
  private mutating func rememberMode(_ mode: ANCMode?, before value: SettingValue) {
    guard value == ANCMode.transparency.settingValue, let mode, mode != .transparency else {
      return
    }
    ancBeforeTransparency = mode
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

/// A gesture on a bud: a line of the page of touch actions.
public struct TouchPlace: Hashable, Sendable, CaseIterable {
  public var side: Side
  public var gesture: TouchGesture

  /// All gestures, bud by bud.
  public static let allCases = Side.allCases.flatMap { side in
    TouchGesture.allCases.map { TouchPlace(side: side, gesture: $0) }
  }

  /// The setting that is its action.
  public var setting: SettingID { .touchAction(side, gesture) }

  /// The line's label: "Left, double tap".
  public var title: String {
    side.name.prefix(1).uppercased() + side.name.dropFirst() + ", \(gesture.title)"
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
    let standard: [SettingID] = [.noiseMode, .ambientLevel, .equaliserPreset, .volume]
    let declared = standard.compactMap(standardDeclaration) + settings
    return SettingDeclaration.Group.allCases.flatMap { group in
      declared.filter { $0.group == group }.map {
        SettingRow(row: .setting($0.id), declaration: $0)
      }
    }
  }
}
