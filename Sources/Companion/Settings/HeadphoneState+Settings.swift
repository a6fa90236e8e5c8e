package import HeadphoneProtocols

/// The settings of a headphone, standard ones and a maker's alike: wanted, sent and confirmed.
package struct HeadphoneSettings: Hashable, Sendable {
  private var entries: [SettingID: Setting<SettingValue>] = [:]

  /// Groups of settings that affect each other, whose commands are sent one at a time, in this
  /// order.
  private static let groups: [[SettingID]] = [
    [.equaliserBands, .equaliserPreset], [.volume, .muted],
  ]

  package init() {}

  /// The setting, which is empty until the headphone reports it.
  package subscript(id: SettingID) -> Setting<SettingValue> {
    get { entries[id] ?? Setting() }
    set { entries[id] = newValue == Setting() ? nil : newValue }
  }

  package subscript<Value: SettingConvertible>(
    id: SettingID, as type: Value.Type
  ) -> Setting<Value> {
    get { self[id].map(Value.init(setting:)) }
    set { self[id] = newValue.map(\.settingValue) }
  }

  package var isChanging: Bool { entries.values.contains { $0.pending != nil } }

  /// Requests a value for ``next(of:under:)``; gains select `custom`, and drop a waiting preset.
  mutating func want(_ value: SettingValue, of id: SettingID) {
    if id == .equaliserBands { self[.equaliserPreset].dropWaiting() }
    self[id].wait(with: value)
  }

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

  mutating func giveUp() {
    for id in entries.keys { self[id].giveUp() }
  }
}

extension HeadphoneState {
  /// The noise control mode, empty while it is one that Earshot does not know.
  package var anc: Setting<ANCMode> {
    get { settings[.noiseMode, as: ANCMode.self] }
    set { settings[.noiseMode, as: ANCMode.self] = newValue }
  }
  /// The level within the ``/HeadphoneProtocols/Capabilities/ancLevels`` of ``capabilities``.
  package var ancLevel: Setting<UInt8> {
    get { settings[.ambientLevel, as: UInt8.self] }
    set { settings[.ambientLevel, as: UInt8.self] = newValue }
  }
  /// The equaliser preset, empty while it is one that Earshot does not know.
  package var eq: Setting<EQPreset> {
    get { settings[.equaliserPreset, as: EQPreset.self] }
    set { settings[.equaliserPreset, as: EQPreset.self] = newValue }
  }
  /// The gains of the custom equaliser, from the lowest band.
  package var bands: Setting<[BandGain]> {
    get { settings[.equaliserBands, as: [BandGain].self] }
    set { settings[.equaliserBands, as: [BandGain].self] = newValue }
  }
  /// The headphone's own volume, separate from the sound server's.
  package var volume: Setting<HeadphoneVolume> {
    settings[.volume, as: UInt8.self].combined(with: settings[.muted]) {
      HeadphoneVolume(level: $0, isMuted: $1 == .toggle(true))
    }
  }

  package func setting(_ id: SettingID) -> Setting<SettingValue> { settings[id] }

  /// Returns the confirmed value of a setting in words, such as "Adaptive", or nil if unknown.
  package func words(of id: SettingID) -> String? {
    settings[id].confirmed.map { words(for: $0, of: id) }
  }

  /// Returns a value of a setting in words, or as reported if it is not declared.
  package func words(for value: SettingValue, of id: SettingID) -> String {
    if id == .noiseMode { return ANCMode.title(of: value) }
    let declared = capabilities?.declaration(of: id)?.displayText(for: value)
    // Earshot's presets have titles before the headphone's capabilities are known.
    let known = id == .equaliserPreset ? EQPreset(setting: value)?.title : nil
    return displayable(declared ?? known ?? value.text)
  }

  /// Returns when a setting can be set, such as "in transparency only", or nil if it can be now.
  package func restriction(of declaration: SettingDeclaration) -> String? {
    declaration.restriction(in: anc.shown)
  }

  /// Returns the command that sets `value`, or nil if it is not valid for the setting.
  package func command(setting id: SettingID, to value: SettingValue) -> HeadphoneCommand? {
    guard capabilities?.declaration(of: id)?.accepts(value) == true else { return nil }
    return command(id, value)
  }

  /// Returns the command for a valid value; a protocol may declare a standard setting differently.
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

  mutating func want(_ value: SettingValue, of id: SettingID) {
    if id == .noiseMode { rememberMode(anc.shown, before: value) }
    settings.want(value, of: id)
  }

  mutating func received(_ value: SettingValue, of id: SettingID) {
    if id == .noiseMode { rememberMode(anc.confirmed, before: value) }
    settings[id].received(value)
  }

  private mutating func rememberMode(_ mode: ANCMode?, before value: SettingValue) {
    guard value == ANCMode.transparency.settingValue, let mode, mode != .transparency else {
      return
    }
    ancBeforeTransparency = mode
  }
}

extension Capabilities {
  /// The declared settings in display order, with wear detection first, in the row of the state.
  package var shownSettings: [SettingDeclaration] {
    settings.filter { $0.id == .wearDetection }
      + SettingDeclaration.Group.allCases.flatMap { group in
        settings.filter { $0.group == group && $0.id != .wearDetection }
      }
  }
}

extension ANCMode {
  static func title(of value: SettingValue) -> String {
    ANCMode(setting: value)?.title ?? "mode \(displayable(value.text))"
  }
}

extension Capabilities {
  package var equaliserPresets: [SettingChoice] {
    guard case .choice(let presets)? = declaration(of: .equaliserPreset)?.kind else { return [] }
    return presets
  }
}

package struct TouchPlace: Hashable, Sendable, CaseIterable {
  package var side: Side
  package var gesture: TouchGesture

  package static let allCases = Side.allCases.flatMap { side in
    TouchGesture.allCases.map { TouchPlace(side: side, gesture: $0) }
  }

  package var setting: SettingID { .touchAction(side, gesture) }
}

package struct SettingRow: Hashable, Sendable {
  package let row: ControlRow
  package let declaration: SettingDeclaration
}

extension Capabilities {
  /// The rows of the control panel by group, standard settings first, without touch actions.
  package var controlRows: [SettingRow] {
    let standard: [SettingID] = [.noiseMode, .ambientLevel, .equaliserPreset, .volume]
    let declared = standard.compactMap(standardDeclaration) + settings
    return SettingDeclaration.Group.allCases.flatMap { group in
      declared.filter { $0.group == group && !$0.isGesture }.map {
        SettingRow(row: .setting($0.id), declaration: $0)
      }
    }
  }
}

extension State {
  package var awaitsHeadphone: Bool {
    headphones.contains { headphone in
      headphone.settings.isChanging || headphone.find.pending != nil
        || headphone.deviceCommand.pending != nil || headphone.broadcastRequest != nil
    }
  }
}
