package import HeadphoneProtocols

extension UserCommand {
  static let noiseCommands =
    [nextANC, previousANC] + ANCMode.allCases.map(setANC) + [
      flipTransparency
    ]
  /// Commands of the headphone beside sound and noise.
  static let settingCommands = [toggleWearDetection, rename, find]

  /// The next or previous mode, wrapping around.
  package static let nextANC = UserCommand(
    "next-anc", keys: ["a"], "next noise control mode", hint: 10, label: "Noise",
    availability: \.hasNoiseControl
  ) { state, _ in state.stepANC(by: 1) }
  package static let previousANC = UserCommand(
    "previous-anc", keys: ["A"], "previous noise control mode", availability: \.hasNoiseControl
  ) { state, _ in state.stepANC(by: -1) }
  /// This mode, whichever is on.
  package static func setANC(_ mode: ANCMode) -> UserCommand {
    UserCommand(
      "anc-\(mode.name)", keys: [mode.key], "noise control: \(mode.title.lowercased())",
      availability: {
        $0.available("noise control mode \"\(mode.name)\"") { $0.ancModes.contains(mode) }
      }
    ) { state, _ in state.want(mode) }
  }
  /// Transparency, and back to the mode before.
  package static let flipTransparency = UserCommand(
    "flip-transparency", keys: ["t"], "transparency, and back to the mode before", hint: 30,
    label: "Transp",
    availability: { $0.available("transparency") { $0.ancModes.contains(.transparency) } }
  ) { state, _ in state.flipTransparency() }
  package static let toggleWearDetection = UserCommand(
    "wear-detection", keys: ["w"], "wear detection on or off", hint: 110, label: "Wear",
    availability: {
      $0.available(SettingID.wearDetection.displayText) { $0.declares(.wearDetection) }
    }
  ) { $0.turn(.wearDetection, by: 1, at: $1) }
  /// Plays a loud sound on the buds that are in no ear, or stops it.
  package static let find = UserCommand(
    "find", keys: ["F"], "play a loud sound on it, to find it (asks)", hint: 80,
    // The footer does not move when a bud goes into an ear.
    isHinted: { $0.hasFind == .available },
    currentLabel: { $0.headphones.selected?.isSounding == true ? "Stop" : "Find" },
    availability: { state in
      guard state.hasFind == .available, let headphone = state.readyHeadphone else {
        return state.hasFind
      }
      return headphone.isSounding || !headphone.budsToFind.isEmpty ? .available : .worn
    }
  ) { state, _ in state.findOrStop() }
}

extension ANCMode {
  /// The key that chooses it.
  fileprivate var key: String {
    switch self {
    case .off: "1"
    case .noiseCancelling: "2"
    case .transparency: "3"
    case .adaptive: "4"
    }
  }
}

extension State {
  fileprivate var hasFind: Availability { available("find-me sound", where: \.hasFind) }

  fileprivate var hasNoiseControl: Availability {
    available("noise control") { !$0.ancModes.isEmpty }
  }

  /// `a` and `A`: the next or previous mode of those that the headphone has.
  ///
  /// Round the ends: after the last mode comes the first.
  ///
  /// - Parameter step: 1 or -1, from the mode that is shown, so that quick presses add up.
  mutating func stepANC(by step: Int) -> [Effect] {
    guard let headphone = readyHeadphone,
      let mode = headphone.anc.shown.step(by: step, in: headphone.capabilities?.ancModes ?? [])
    else { return [] }
    return want(mode)
  }

  /// `t`: transparency on, and back to the mode before; where none is remembered, noise cancelling.
  ///
  /// | shown | wanted |
  /// | --- | --- |
  /// | another mode | transparency; the other mode is remembered |
  /// | transparency | the remembered mode, noise cancelling, or the first other one |
  fileprivate mutating func flipTransparency() -> [Effect] {
    guard let headphone = readyHeadphone, let modes = headphone.capabilities?.ancModes else {
      return []
    }
    guard headphone.anc.shown == .transparency else { return want(.transparency) }
    let before = headphone.ancBeforeTransparency ?? .noiseCancelling
    let target = modes.contains(before) ? before : modes.first { $0 != .transparency }
    return target.map { want($0) } ?? []
  }

  /// Asks for a mode, and remembers the one to return to from transparency.
  fileprivate mutating func want(_ mode: ANCMode) -> [Effect] {
    if let headphone = headphones.selected, mode == .transparency,
      let before = headphone.anc.shown, before != .transparency
    {
      headphones.update(headphone.id) { $0.ancBeforeTransparency = before }
    }
    return want(mode, of: \.anc) { .setANC($0) }
  }

  /// Changes the level of noise control; it stops at the ends.
  ///
  /// - Parameter step: in steps of the headphone's own size.
  mutating func stepANCLevel(by step: Int, at timestamp: Timestamp) -> [Effect] {
    guard let headphone = readyHeadphone else { return noteNotConnected(at: timestamp) }
    guard let able = headphone.capabilities, able.hasANCLevel else {
      return noteUnsupported("noise control level", of: headphone.id, at: timestamp)
    }
    let middle = (able.ancLevels.lowerBound + able.ancLevels.upperBound) / 2
    guard let now = headphone.ancLevel.shown else {
      return setUnknownLevel(to: middle, of: headphone.id, at: timestamp)
    }
    let next = Int(now) + step * Int(able.ancLevelStep)
    let level = UInt8(
      clamping: min(max(next, Int(able.ancLevels.lowerBound)), Int(able.ancLevels.upperBound)))
    guard level != now else { return [] }
    return want(level, of: \.ancLevel) { .setANCLevel($0) }
  }

  /// The headphone has not reported its level: it is set by the second press only, so that a look
  /// at the slider changes nothing.
  private mutating func setUnknownLevel(
    to level: UInt8, of id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    let warning = "The level is unknown; press again to set \(level)"
    guard notice?.text == warning else { return explain(warning, id, at: timestamp) }
    notice = nil
    return [.cancelTimer(.notice)] + want(level, of: \.ancLevel) { .setANCLevel($0) }
  }

  /// Sets the level of noise control by a click on its bar.
  ///
  /// - Parameter percent: of the headphone's highest level, as its bar is drawn.
  mutating func setANCLevel(toPercent percent: Int, at timestamp: Timestamp) -> [Effect] {
    guard let headphone = readyHeadphone else { return noteNotConnected(at: timestamp) }
    guard let able = headphone.capabilities, able.hasANCLevel else {
      return noteUnsupported("noise control level", of: headphone.id, at: timestamp)
    }
    let highest = Int(able.ancLevels.upperBound)
    let wanted = UInt8(clamping: (percent * highest + 50) / 100)
    let level = min(max(wanted, able.ancLevels.lowerBound), able.ancLevels.upperBound)
    return level == headphone.ancLevel.shown
      ? [] : want(level, of: \.ancLevel) { .setANCLevel($0) }
  }

  /// A click on a preset of the headphone's own.
  mutating func choose(_ preset: EQPreset, at timestamp: Timestamp) -> [Effect] {
    guard dialog == nil else { return [] }
    guard let headphone = readyHeadphone, let capabilities = headphone.capabilities else {
      return noteNotConnected(at: timestamp)
    }
    guard capabilities.eqPresets.contains(preset) else {
      return noteUnsupported("preset \"\(preset.name)\"", of: headphone.id, at: timestamp)
    }
    return want(preset)
  }

  /// `e`: the next of the headphone's presets, which a protocol may also declare as a setting.
  mutating func stepEQ(by step: Int, at timestamp: Timestamp) -> [Effect] {
    guard let headphone = readyHeadphone, let capabilities = headphone.capabilities else {
      return noteNotConnected(at: timestamp)
    }
    if capabilities.declares(.equaliserPreset) {
      return turn(.equaliserPreset, by: step, at: timestamp)
    }
    return headphone.eq.shown.step(by: step, in: capabilities.eqPresets).map { want($0) } ?? []
  }

  /// Changes a declared setting by a step: the other state of a switch, the next choice or level.
  mutating func turn(_ id: SettingID, by step: Int, at timestamp: Timestamp) -> [Effect] {
    guard let headphone = readyHeadphone else { return noteNotConnected(at: timestamp) }
    guard let declaration = headphone.capabilities?.settings.first(where: { $0.id == id }) else {
      return noteUnsupported(id.displayText, of: headphone.id, at: timestamp)
    }
    guard let next = declaration.step(headphone.settings[id].shown, by: step) else { return [] }
    return want(next, of: \.settings[id]) { .set(id, $0) }
  }

  /// The declared level that the cursor is on; nil: it is elsewhere.
  var focusedLevel: SettingDeclaration? {
    guard focus == .control, page == .main, case .setting(let id) = controlCursor,
      let declaration = headphones.selected?.capabilities?.settings.first(where: { $0.id == id }),
      case .level = declaration.kind
    else { return nil }
    return declaration
  }

  /// Sets a declared level by a click on its bar.
  ///
  /// - Parameter percent: of the way from the lowest level to the highest.
  mutating func set(_ id: SettingID, toPercent percent: Int, at timestamp: Timestamp) -> [Effect] {
    guard let headphone = readyHeadphone else { return noteNotConnected(at: timestamp) }
    guard let declaration = headphone.capabilities?.settings.first(where: { $0.id == id }),
      case .level(let range) = declaration.kind
    else { return noteUnsupported(id.displayText, of: headphone.id, at: timestamp) }
    let value = SettingValue.level(range.level(atPercent: percent))
    guard value != headphone.setting(id).shown else { return [] }
    return want(value, of: \.settings[id]) { .set(id, $0) }
  }

  /// Whether the cursor is on the headphone's own volume.
  var isOwnVolumeFocused: Bool {
    focus == .control && controlCursor == .volume && page == .main
      && headphones.selected?.capabilities?.hasVolume == true
  }

  /// Changes the headphone's own volume; its mute stays.
  ///
  /// - Parameter step: in 5 %.
  mutating func stepVolume(by step: Int, at timestamp: Timestamp) -> [Effect] {
    wantVolume(at: timestamp) { now in
      let level = min(max(0, Int(now.level) + 5 * step), 100)
      return HeadphoneVolume(level: UInt8(level), isMuted: now.isMuted)
    }
  }

  /// Sets the headphone's own volume by a click on its bar.
  ///
  /// - Parameter level: in percent.
  mutating func setVolume(to level: UInt8, at timestamp: Timestamp) -> [Effect] {
    wantVolume(at: timestamp) { HeadphoneVolume(level: level, isMuted: $0.isMuted) }
  }

  /// Mutes or unmutes the headphone itself; its level stays.
  mutating func toggleOwnMute(at timestamp: Timestamp) -> [Effect] {
    wantVolume(at: timestamp) { HeadphoneVolume(level: $0.level, isMuted: !$0.isMuted) }
  }

  /// Asks for another volume, computed from the one that is shown; the same one is not sent.
  private mutating func wantVolume(
    at timestamp: Timestamp, _ change: (HeadphoneVolume) -> HeadphoneVolume
  ) -> [Effect] {
    guard let headphone = readyHeadphone else { return noteNotConnected(at: timestamp) }
    guard let now = headphone.volume.shown else {
      return noteUnsupported("volume of its own", of: headphone.id, at: timestamp)
    }
    let requested = change(now)
    return requested == now ? [] : want(requested, of: \.volume) { .setVolume($0) }
  }

  /// Starts or stops the sound to find the headphone by; starting is loud, and asks first.
  ///
  /// A bud in an ear is left out; with both in ears nothing sounds.
  fileprivate mutating func findOrStop() -> [Effect] {
    guard let headphone = readyHeadphone else { return [] }
    if headphone.isSounding { return want([], of: \.find) { .find($0) } }
    dialog = .question(Question(.find(headphone.id)))
    return []
  }

  /// The notice for a feature that this headphone lacks.
  ///
  /// - Parameter feature: Completes "this headphone has no …".
  mutating func noteUnsupported(_ feature: String, of id: HeadphoneID, at timestamp: Timestamp)
    -> [Effect]
  {
    explain("this headphone has no \(feature)", id, at: timestamp)
  }
}

extension Availability {
  /// A bud in an ear makes no loud sound.
  static let worn = Availability.refused("take a bud out first: the sound is loud")
}

extension HeadphoneState {
  /// Whether a bud plays the loud sound, or is about to.
  fileprivate var isSounding: Bool { find.shown?.isEmpty == false }

  /// The buds that are not known to be in an ear.
  var budsToFind: Sides {
    var sides = Sides.both
    if wearing?.left == true { sides.remove(.left) }
    if wearing?.right == true { sides.remove(.right) }
    return sides
  }
}

extension Optional where Wrapped: Equatable {
  /// The value `step` further in `choices`, round the ends; the first if this one is not there.
  func step(by step: Int, in choices: [Wrapped]) -> Wrapped? {
    guard !choices.isEmpty else { return nil }
    guard let self, let index = choices.firstIndex(of: self) else { return choices.first }
    return choices[((index + step) % choices.count + choices.count) % choices.count]
  }
}

extension SettingRange {
  /// The valid level nearest to a percentage of the way from the lowest to the highest.
  fileprivate func level(atPercent percent: Int) -> Int {
    let span = bounds.upperBound - bounds.lowerBound
    let offset = (span * percent + 50) / 100
    let steps = isStrict ? (offset + step / 2) / step * step : offset
    return min(bounds.lowerBound + steps, bounds.upperBound)
  }
}
