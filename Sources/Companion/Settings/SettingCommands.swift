package import HeadphoneProtocols

extension UserCommand {
  static let noiseCommands =
    [nextANC, previousANC] + ANCMode.allCases.map(setANC) + [
      flipTransparency
    ]
  static let settingCommands = [toggleWearDetection, rename, find]

  /// Chooses the next noise control mode, or the next preset of a hearing aid, wrapping around.
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
  /// Chooses a noise control mode, or the preset of a hearing aid with the same number.
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
  package static let flipTransparency = UserCommand(
    "flip-transparency", keys: ["t"], "transparency, and back to the mode before", hint: 30,
    label: "Transp",
    availability: { $0.available("transparency") { $0.ancModes.contains(.transparency) } }
  ) { state, _ in state.flipTransparency() }
  package static let toggleWearDetection = turning(
    .wearDetection, "wear-detection", keys: ["w"], "wear detection on or off", hint: 55,
    label: "Wear")
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
  /// The setting of the noise control keys: the preset of a hearing aid without noise control.
  fileprivate var modeSetting: SettingID {
    guard let capabilities = readyHeadphone?.capabilities, capabilities.ancModes.isEmpty,
      !capabilities.declares(.noiseMode), capabilities.declares(.preset)
    else { return .noiseMode }
    return .preset
  }

  fileprivate func preset(at mode: ANCMode) -> SettingChoice? {
    guard case .choice(let presets)? = readyHeadphone?.capabilities?.declaration(of: .preset)?.kind,
      let index = Int(mode.key), presets.indices.contains(index - 1)
    else { return nil }
    return presets[index - 1]
  }

  fileprivate var hasFind: Availability { available("find-me sound", where: \.hasFind) }

  var whetherToRing: Availability {
    guard hasFind == .available, let headphone = readyHeadphone else { return hasFind }
    return headphone.isSounding || !headphone.budsToFind.isEmpty ? .available : .worn
  }

  /// Toggles transparency, and restores the previous mode, noise cancelling or any other mode.
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

  mutating func choose(_ choice: String, of id: SettingID, at timestamp: Timestamp) -> [Effect] {
    guard dialog == nil else { return [] }
    let availability = availability(of: id)
    guard availability == .available, let headphone = readyHeadphone else {
      return explain(availability, at: timestamp)
    }
    guard headphone.command(setting: id, to: .choice(choice)) != nil else {
      return noteUnsupported("\(id.title) \"\(choice)\"", of: headphone.id, at: timestamp)
    }
    return want(.choice(choice), of: id)
  }

  /// Returns whether a setting can be changed, which may depend on the noise control mode.
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

  /// Changes a setting by a step: toggles, wraps around choices, or stops at the ends of a level.
  ///
  /// - Parameter step: 1 or -1 from the shown value, so that fast presses add up.
  mutating func turn(_ id: SettingID, by step: Int, at timestamp: Timestamp) -> [Effect] {
    let availability = availability(of: id)
    guard availability == .available, let headphone = readyHeadphone,
      let declaration = headphone.capabilities?.declaration(of: id)
    else { return explain(availability, at: timestamp) }
    let shown = headphone.settings[id].shown
    if case .level(let range) = declaration.kind, shown == nil {
      return setUnknown(
        declaration, to: range.level(atPercent: 50), of: headphone.id, at: timestamp)
    }
    return declaration.step(shown, by: step).map { want($0, of: id) } ?? []
  }

  /// Sets an unknown level on the second press only, so that a first look changes nothing.
  private mutating func setUnknown(
    _ setting: SettingDeclaration, to level: Int, of id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    let warning =
      "\(setting.title) of \(name(of: id)) is unknown; press again to set \(level)"
    guard notice?.text == warning else { return explain(warning, id, at: timestamp) }
    notice = nil
    return [.cancelTimer(.notice)] + want(.level(level), of: setting.id)
  }

  var focusedLevel: SettingID? {
    guard focus == .control, page == .main,
      case .level? = headphones.selected?.capabilities?.declaration(of: controlCursor.id)?.kind
    else { return nil }
    return controlCursor.id
  }

  mutating func set(_ id: SettingID, toPercent percent: Int, at timestamp: Timestamp) -> [Effect] {
    let availability = availability(of: id)
    guard availability == .available, let headphone = readyHeadphone,
      case .level(let range)? = headphone.capabilities?.declaration(of: id)?.kind
    else { return explain(availability, at: timestamp) }
    let value = SettingValue.level(range.level(atPercent: percent))
    return value == headphone.settings[id].shown ? [] : want(value, of: id)
  }

  mutating func toggleOwnMute(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = readyHeadphone else { return noteNotConnected(at: timestamp) }
    guard let volume = headphone.volume.shown else {
      return noteUnsupported("volume control", of: headphone.id, at: timestamp)
    }
    return want(.toggle(!volume.isMuted), of: .muted)
  }

  /// Starts or stops the find-me sound, except on buds in an ear; starting is loud, and asks first.
  mutating func findOrStop() -> [Effect] {
    guard let headphone = readyHeadphone else { return [] }
    if headphone.isSounding { return want([], of: \.find) { .find($0) } }
    dialog = .question(Question(.find(headphone.id)))
    return []
  }

  mutating func noteUnsupported(_ feature: String, of id: HeadphoneID, at timestamp: Timestamp)
    -> [Effect]
  {
    explain("this headphone has no \(feature)", id, at: timestamp)
  }
}

extension Question {
  /// The buds to choose from, with nil for both.
  package static let buds: [Sides?] = [nil, .left, .right]
}

extension Question.Subject {
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
      // A bud may have been put in meanwhile.
      let buds = headphone.budsToFind.intersection(sides ?? .both)
      return buds.isEmpty
        ? state.explain(.worn, at: timestamp) : state.want(buds, of: \.find) { .find($0) }
    }
  }
}

extension Availability {
  static let worn = Availability.refused("take a bud out of your ear first: this is loud")
}

extension HeadphoneState {
  var isSounding: Bool { find.shown?.isEmpty == false }

  var budsToFind: Sides {
    var sides = Sides.both
    if wearing?.left == true { sides.remove(.left) }
    if wearing?.right == true { sides.remove(.right) }
    return sides
  }
}

extension SettingRange {
  /// Returns the level at a percentage of its bar, which starts at 0 or at a negative level.
  fileprivate func level(atPercent percent: Int) -> Int {
    let lowest = min(0, bounds.lowerBound)
    let level = lowest + ((bounds.upperBound - lowest) * percent + 50) / 100
    let offset = max(0, level - bounds.lowerBound)
    let steps = isStrict ? (offset + step / 2) / step * step : offset
    return min(bounds.lowerBound + steps, bounds.upperBound)
  }
}
