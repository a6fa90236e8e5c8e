extension SettingDeclaration {
  /// The declaration of ``SettingID/wearDetection``, which is the same for all headphones.
  public static let wearDetection = SettingDeclaration(
    .wearDetection, .toggle, title: "Wear detection", label: "Wear", group: .wearing)

  /// The declaration of ``SettingID/multipoint``.
  static let multipoint = SettingDeclaration(
    .multipoint, .toggle, title: "Two devices at once", label: "Multi", group: .device)

  /// The declaration of ``SettingID/pairedDevices``.
  ///
  /// - Parameter actions: what the headphone's protocol can order.
  static func pairedDevices(_ actions: PairedDeviceAction...) -> SettingDeclaration {
    SettingDeclaration(
      .pairedDevices, .pairedDevices(actions), title: "Paired devices", label: "Devices",
      group: .device)
  }
}

extension SettingID {
  /// The identifiers that are known without a connected headphone, for completions.
  public static let known: [SettingID] = {
    let standard: [SettingID] =
      [
        .noiseMode, .ambientLevel, .focusOnVoice, .equaliserPreset, .equaliserBands, .wearDetection,
        .pauseWhenTakenOff, .autoPowerOff, .multipoint, .pairedDevices, .volume,
      ] + Capabilities.touchActions.map(\.id) + AACPSwitch.all.map(\.declaration.id)
    return standard + SettingDeclaration.explained.filter { !standard.contains($0) }
  }()
}

extension Capabilities {
  /// All settings of the headphone: the standard ones that follow from these capabilities, then
  /// ``settings``.
  ///
  /// | Capability | Setting |
  /// | --- | --- |
  /// | ``ancModes`` | ``SettingID/noiseMode``, one choice per mode |
  /// | ``hasANCLevel`` | ``SettingID/ambientLevel``, in ``ancLevels`` |
  /// | ``eqPresets`` | ``SettingID/equaliserPreset``, one choice per preset |
  /// | ``eqBands`` | ``SettingID/equaliserBands``, in tenths of 1 dB |
  /// | ``hasVolume`` | ``SettingID/volume``, in % |
  /// | ``hasTouchActions`` | one setting per bud and gesture |
  public var declarations: [SettingDeclaration] {
    let standard: [SettingID] = [
      .noiseMode, .ambientLevel, .equaliserPreset, .equaliserBands, .volume,
    ]
    return standard.compactMap(standardDeclaration)
      + (hasTouchActions ? Self.touchActions : []) + settings
  }

  /// The declaration of a setting; `nil` if the headphone does not have it.
  public func declaration(of id: SettingID) -> SettingDeclaration? {
    standardDeclaration(of: id) ?? settings.first { $0.id == id }
  }

  /// Whether the headphone's protocol itself declares a setting.
  public func declares(_ id: SettingID) -> Bool { settings.contains { $0.id == id } }

  /// The declaration of a standard setting that follows from the capabilities.
  public func standardDeclaration(of id: SettingID) -> SettingDeclaration? {
    switch id {
    case .noiseMode where !ancModes.isEmpty:
      SettingDeclaration(
        id, .choice(ancModes.map { SettingChoice($0.name, title: $0.title) }),
        title: "Noise control", label: "Noise", group: .noise)
    case .ambientLevel where hasANCLevel:
      SettingDeclaration(
        id,
        .level(
          SettingRange(
            Int(ancLevels.lowerBound)...Int(ancLevels.upperBound), step: Int(ancLevelStep))),
        title: "Ambient level", label: "Level", group: .noise, modes: ancLevelModes)
    case .equaliserPreset where !eqPresets.isEmpty:
      SettingDeclaration(
        id, .choice(eqPresets.map { SettingChoice($0.name, title: $0.title) }),
        title: "Equaliser", label: "EQ", group: .sound)
    case .equaliserBands where eqBands > 0:
      SettingDeclaration(
        id, .bands(bands, SettingRange(gains, step: 5, isStrict: true)),
        title: "Equaliser bands", label: "Bands", group: .sound)
    case .volume where hasVolume:
      SettingDeclaration(
        id, .level(SettingRange(0...100, step: 5, unit: "%")), title: "Own volume",
        label: "Volume", group: .sound)
    default: hasTouchActions ? Self.touchActions.first { $0.id == id } : nil
    }
  }

  private var bands: [SettingBand] {
    eqCentres.isEmpty
      ? (1...eqBands).map { .named("band \($0)") } : eqCentres.map(SettingBand.hertz)
  }

  /// In tenths of a dB.
  private var gains: ClosedRange<Int> {
    let limit = Int(eqLimit.halfDecibels) * 5
    return -limit...limit
  }

  /// The setting of each gesture on each bud.
  fileprivate static let touchActions: [SettingDeclaration] = Side.allCases.flatMap { side in
    TouchGesture.allCases.map { gesture in
      let actions = TouchAction.allCases.map { SettingChoice($0.name, title: $0.name) }
      return SettingDeclaration(
        .touchAction(side, gesture), .choice(actions), title: "\(side) bud, \(gesture.name)",
        label: "Touch", group: .controls)
    }
  }
}
