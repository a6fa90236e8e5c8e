package import HeadphoneProtocols

extension UserCommand {
  static let noiseCommands =
    [nextANC, previousANC] + ANCMode.allCases.map(setANC) + [
      flipTransparency
    ]
  /// Commands of the headphone beside sound and noise.
  static let settingCommands = [toggleWearDetection, rename, find]

  /// The next or previous mode, wrapping around; of a hearing aid, the preset.
  package static let nextANC = UserCommand(
    "next-anc", keys: ["a"], "next noise control mode; on hearing aids, the next preset",
    shortSummary: "next noise control mode",
    currentSummary: { $0.modeSetting == .preset ? "next preset" : "next noise control mode" },
    hint: 10,
    currentLabel: { $0.modeSetting == .preset ? "Preset" : "Noise" },
    settings: [.noiseMode, .preset],
    availability: { $0.availability(of: $0.modeSetting) }
  ) { $0.turn($0.modeSetting, by: 1, at: $1) }
  package static let previousANC = UserCommand(
    "previous-anc", keys: ["A"],
    "previous noise control mode; on hearing aids, the previous preset",
    currentSummary: {
      $0.modeSetting == .preset ? "previous preset" : "previous noise control mode"
    },
    availability: { $0.availability(of: $0.modeSetting) }
  ) { $0.turn($0.modeSetting, by: -1, at: $1) }
  /// This mode, whichever is on; of a hearing aid, the preset at the same place.
  package static func setANC(_ mode: ANCMode) -> UserCommand {
    let words = "noise control: \(mode.title.lowercased())"
    return UserCommand(
      "anc-\(mode.name)", keys: [mode.key], "\(words); on hearing aids, preset \(mode.key)",
      currentSummary: { state in
        guard state.modeSetting == .preset else { return words }
        return "preset \(mode.key)" + (state.preset(at: mode).map { ": \($0.title)" } ?? "")
      },
      availability: { state in
        state.modeSetting == .preset
          ? state.preset(at: mode) == nil ? .lacking("preset \(mode.key)") : .available
          : state.available("noise control mode \"\(mode.name)\"") { $0.ancModes.contains(mode) }
      }
    ) { state, _ in
      guard state.modeSetting == .preset else {
        return state.want(mode.settingValue, of: .noiseMode)
      }
      return state.preset(at: mode).map { state.want(.choice($0.id), of: .preset) } ?? []
    }
  }
  /// Transparency, and back to the mode before.
  package static let flipTransparency = UserCommand(
    "flip-transparency", keys: ["t"], "transparency, and back to the mode before", hint: 30,
    label: "Transp",
    availability: { $0.available("transparency") { $0.ancModes.contains(.transparency) } }
  ) { state, _ in state.flipTransparency() }
  package static let toggleWearDetection = turning(
    .wearDetection, "wear-detection", keys: ["w"], "wear detection on or off", hint: 55,
    label: "Wear")
  /// Opens the finder, which can ring; stops what rings.
  package static let find = UserCommand(
    "find", keys: ["F"], "find it: near or far, last heard, ring; stop ringing", hint: 50,
    isHinted: { $0.hasFind == .available },
    isUrgent: { $0.headphones.selected?.isSounding == true },
    currentLabel: { $0.headphones.selected?.isSounding == true ? "Stop" : "Find" },
    availability: { $0.headphones.selected == nil ? $0.notConnected : .available }
  ) { state, _ in
    state.headphones.selected?.isSounding == true ? state.findOrStop() : state.open(.finder)
  }
}

extension UserCommand {
  /// The command that changes a setting by a step: the next choice, the other state of a switch.
  static func turning(
    _ id: SettingID, by step: Int = 1, _ name: String, keys: [String], _ summary: String,
    hint: Int? = nil, label: String? = nil
  ) -> UserCommand {
    UserCommand(
      name, keys: keys, summary, hint: hint, label: label, settings: step > 0 ? [id] : [],
      availability: { $0.availability(of: id) }
    ) { $0.turn(id, by: step, at: $1) }
  }
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
  /// What the keys of noise control change: the preset of a hearing aid without noise control.
  fileprivate var modeSetting: SettingID {
    guard let capabilities = readyHeadphone?.capabilities, capabilities.ancModes.isEmpty,
      !capabilities.declares(.noiseMode), capabilities.declares(.preset)
    else { return .noiseMode }
    return .preset
  }

  /// The preset that a mode's digit stands for: `1` the first one.
  fileprivate func preset(at mode: ANCMode) -> SettingChoice? {
    guard case .choice(let presets)? = readyHeadphone?.capabilities?.declaration(of: .preset)?.kind,
      let index = Int(mode.key), presets.indices.contains(index - 1)
    else { return nil }
    return presets[index - 1]
  }

  fileprivate var hasFind: Availability { available("find-me sound", where: \.hasFind) }

  /// Whether it can play a loud sound, or stop it.
  var whetherToRing: Availability {
    guard hasFind == .available, let headphone = readyHeadphone else { return hasFind }
    return headphone.isSounding || !headphone.budsToFind.isEmpty ? .available : .worn
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
    guard headphone.anc.shown == .transparency else {
      return want(ANCMode.transparency.settingValue, of: .noiseMode)
    }
    let before = headphone.ancBeforeTransparency ?? .noiseCancelling
    let target = modes.contains(before) ? before : modes.first { $0 != .transparency }
    return target.map { want($0.settingValue, of: .noiseMode) } ?? []
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
    return want(preset.settingValue, of: .equaliserPreset)
  }

  /// Whether a setting of the selected headphone can be changed, and if not, why: it may have a
  /// meaning in some modes of noise control only.
  func availability(of id: SettingID) -> Availability {
    guard let headphone = readyHeadphone, let capabilities = headphone.capabilities else {
      return notConnected
    }
    guard let declaration = capabilities.declaration(of: id) else { return .lacking(id.title) }
    guard let restriction = headphone.restriction(of: declaration) else { return .available }
    return .refused(
      "\(declaration.title.lowercased()) can be set \(restriction)",
      remedy: declaration.modes?.first.map(UserCommand.setANC))
  }

  /// Changes a setting by a step: the other state of a switch, the next choice round the ends, or a
  /// level, which stops at its ends.
  ///
  /// - Parameter step: 1 or -1, from the value that is shown, so that quick presses add up.
  mutating func turn(_ id: SettingID, by step: Int, at timestamp: Timestamp) -> [Effect] {
    let availability = availability(of: id)
    guard availability == .available, let headphone = readyHeadphone,
      let declaration = headphone.capabilities?.declaration(of: id)
    else { return explain(availability, at: timestamp) }
    let shown = headphone.settings[id].shown
    if case .level(let range) = declaration.kind, shown == nil {
      return setUnknown(id, to: range.level(atPercent: 50), of: headphone.id, at: timestamp)
    }
    return declaration.step(shown, by: step).map { want($0, of: id) } ?? []
  }

  /// The headphone has not reported a level: it is set by the second press only, so that a look at
  /// the slider changes nothing.
  private mutating func setUnknown(
    _ setting: SettingID, to level: Int, of id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    let warning = "The level is unknown; press again to set \(level)"
    guard notice?.text == warning else { return explain(warning, id, at: timestamp) }
    notice = nil
    return [.cancelTimer(.notice)] + want(.level(level), of: setting)
  }

  /// The level that the cursor is on; nil: it is elsewhere.
  var focusedLevel: SettingID? {
    guard focus == .control, page == .main,
      case .level? = headphones.selected?.capabilities?.declaration(of: controlCursor.id)?.kind
    else { return nil }
    return controlCursor.id
  }

  /// Sets a level by a click on its bar.
  ///
  /// - Parameter percent: of the way from the lowest level to the highest.
  mutating func set(_ id: SettingID, toPercent percent: Int, at timestamp: Timestamp) -> [Effect] {
    let availability = availability(of: id)
    guard availability == .available, let headphone = readyHeadphone,
      case .level(let range)? = headphone.capabilities?.declaration(of: id)?.kind
    else { return explain(availability, at: timestamp) }
    let value = SettingValue.level(range.level(atPercent: percent))
    return value == headphone.settings[id].shown ? [] : want(value, of: id)
  }

  /// Mutes or unmutes the headphone itself; its level stays.
  mutating func toggleOwnMute(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = readyHeadphone else { return noteNotConnected(at: timestamp) }
    guard let volume = headphone.volume.shown else {
      return noteUnsupported("volume of its own", of: headphone.id, at: timestamp)
    }
    return want(.toggle(!volume.isMuted), of: .muted)
  }

  /// Starts or stops the sound to find the headphone by; starting is loud, and asks first.
  ///
  /// A bud in an ear is left out; with both in ears nothing sounds.
  mutating func findOrStop() -> [Effect] {
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

extension Question {
  /// The choices of a bud to find; nil: both.
  package static let buds: [Sides?] = [nil, .left, .right]
}

extension Question.Subject {
  /// Ringing is loud; the bud that is chosen, nil: all that are in no ear.
  package static func find(_ id: HeadphoneID, _ sides: Sides? = nil) -> Self {
    Self(
      "Play a loud sound?", yes: "Play", of: id, sides,
      finding: Question.Finding(headphone: id, sides: sides),
      text: { state in
        let name = state.name(of: id)
        let advice =
          if sides != nil {
            "Take it out of your ear first."
          } else if state.headphones[id]?.hasOneBattery == true {
            "Take it off first."
          } else {
            "Take both buds out of your ears first."
          }
        let place = sides.map { "the \($0.displayText) bud of \(name)" } ?? name
        return "Play a loud sound on \(place)? \(advice)"
      }
    ) { state, timestamp in
      guard let headphone = state.readyHeadphone, headphone.id == id else {
        return state.noteNotConnected(at: timestamp)
      }
      // It may have been put in meanwhile.
      let buds = headphone.budsToFind.intersection(sides ?? .both)
      return buds.isEmpty
        ? state.explain(.worn, at: timestamp) : state.want(buds, of: \.find) { .find($0) }
    }
  }
}

extension Availability {
  /// A bud in an ear makes no loud sound.
  static let worn = Availability.refused("take a bud out of your ear first: this is loud")
}

extension HeadphoneState {
  /// Whether a bud plays the loud sound, or is about to.
  var isSounding: Bool { find.shown?.isEmpty == false }

  /// The buds that are not known to be in an ear.
  var budsToFind: Sides {
    var sides = Sides.both
    if wearing?.left == true { sides.remove(.left) }
    if wearing?.right == true { sides.remove(.right) }
    return sides
  }
}

extension SettingRange {
  /// The valid level nearest to a percentage of its bar, which begins at 0 unless levels can be
  /// negative.
  fileprivate func level(atPercent percent: Int) -> Int {
    let lowest = min(0, bounds.lowerBound)
    let level = lowest + ((bounds.upperBound - lowest) * percent + 50) / 100
    let offset = max(0, level - bounds.lowerBound)
    let steps = isStrict ? (offset + step / 2) / step * step : offset
    return min(bounds.lowerBound + steps, bounds.upperBound)
  }
}
