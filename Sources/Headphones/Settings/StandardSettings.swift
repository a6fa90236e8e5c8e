extension SettingDeclaration {
  /// ``SettingID/wearDetection`` as every headphone with it has it.
  public static let wearDetection = SettingDeclaration(
    .wearDetection, .toggle, title: "Wear detection", label: "Wear", group: .wearing)
}

extension SettingID {
  /// The names that this program knows whichever headphone is connected, for completions.
  public static let known: [SettingID] =
    [
      .noiseMode, .ambientLevel, .focusOnVoice, .equaliserPreset, .equaliserBands, .wearDetection,
      .pauseWhenTakenOff, .autoPowerOff, .multipoint, .volume,
    ] + Capabilities.touchActions.map(\.id) + AACPSwitch.all.map(\.declaration.id)
}

extension Capabilities {
  /// Every setting of the headphone: the standard ones that have a field here, then ``settings``.
  public var declarations: [SettingDeclaration] {
    var all: [SettingDeclaration] = []
    if !ancModes.isEmpty {
      let modes = ancModes.map { SettingChoice($0.name, title: $0.title) }
      all.append(
        SettingDeclaration(
          .noiseMode, .choice(modes), title: "Noise control", label: "Noise", group: .noise))
    }
    if hasANCLevel {
      let range = SettingRange(
        Int(ancLevels.lowerBound)...Int(ancLevels.upperBound), step: Int(ancLevelStep))
      all.append(
        SettingDeclaration(
          .ambientLevel, .level(range), title: "Noise control level", label: "Level",
          group: .noise))
    }
    if !eqPresets.isEmpty {
      let presets = eqPresets.map { SettingChoice($0.name, title: $0.title) }
      all.append(
        SettingDeclaration(
          .equaliserPreset, .choice(presets), title: "Equaliser", label: "EQ", group: .sound))
    }
    if eqBands > 0 {
      let limit = Int(eqLimit.halfDecibels) * 5
      let bands =
        eqCentres.isEmpty
        ? (1...eqBands).map { .named("band \($0)") } : eqCentres.map(SettingBand.hertz)
      all.append(
        SettingDeclaration(
          .equaliserBands, .bands(bands, SettingRange(-limit...limit, step: 5, isStrict: true)),
          title: "Equaliser bands", label: "Bands", group: .sound))
    }
    if hasVolume {
      all.append(
        SettingDeclaration(
          .volume, .level(SettingRange(0...100, step: 5, unit: "%")), title: "Own volume",
          label: "Volume", group: .sound))
    }
    if hasTouchActions { all += Self.touchActions }
    return all + settings
  }

  /// The declaration of a setting; nil: the headphone has no such setting.
  public func declaration(of id: SettingID) -> SettingDeclaration? {
    declarations.first { $0.id == id }
  }

  /// Whether a protocol declares this setting for the headphone.
  public func declares(_ id: SettingID) -> Bool { settings.contains { $0.id == id } }

  fileprivate static let touchActions: [SettingDeclaration] = Side.allCases.flatMap { side in
    TouchGesture.allCases.map { gesture in
      let actions = TouchAction.allCases.map { SettingChoice($0.name, title: $0.name) }
      return SettingDeclaration(
        .touchAction(side, gesture), .choice(actions), title: "\(side) bud, \(gesture.name)",
        label: "Touch", group: .controls)
    }
  }
}
