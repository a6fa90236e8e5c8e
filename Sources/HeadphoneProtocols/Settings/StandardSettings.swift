extension SettingDeclaration {
  public static let wearDetection = SettingDeclaration(.wearDetection)

  static let multipoint = SettingDeclaration(.multipoint)

  static let lowLatency = SettingDeclaration(.lowLatency)

  static func pairedDevices(_ actions: PairedDeviceAction...) -> SettingDeclaration {
    SettingDeclaration(.pairedDevices, .pairedDevices(actions))
  }
}

extension SettingID {
  /// The identifiers that are known without a connected headphone, for completions.
  public static let known: [SettingID] = {
    let standard: [SettingID] =
      [
        .noiseMode, .ambientLevel, .focusOnVoice, .equaliserPreset, .equaliserBands, .wearDetection,
        .pauseWhenTakenOff, .autoPowerOff, .multipoint, .pairedDevices, .volume,
      ] + Capabilities.touchActions.map(\.id)
    let others = KnownSetting.all.filter {
      !$0.isSided && !KnownSetting.stems.contains($0.id) && !standard.contains($0.id)
    }
    return standard + others.map(\.id).sorted { $0.rawValue < $1.rawValue }
  }()
}

extension Capabilities {
  /// All settings of the headphone: the standard ones derived from these capabilities, then
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

  /// Returns the declaration of a setting, or nil if the headphone does not have it.
  public func declaration(of id: SettingID) -> SettingDeclaration? {
    standardDeclaration(of: id) ?? settings.first { $0.id == id }
  }

  /// The actions of touches and presses, in display order.
  public var gestures: [SettingDeclaration] { declarations.filter(\.isGesture) }

  /// Returns the action of a gesture on a bud, or nil if the headphone does not report it.
  public func gesture(_ side: Side, _ gesture: TouchGesture) -> SettingDeclaration? {
    declaration(of: .touchAction(side, gesture))
      ?? declaration(of: SettingID(rawValue: "\(gesture.name)-\(side)"))
  }

  /// Returns whether the headphone's protocol itself declares a setting.
  public func declares(_ id: SettingID) -> Bool { settings.contains { $0.id == id } }

  /// Returns a standard setting derived from the capabilities, or nil if there is none.
  public func standardDeclaration(of id: SettingID) -> SettingDeclaration? {
    switch id {
    case .noiseMode where !ancModes.isEmpty:
      SettingDeclaration(id, .choice(ancModes.map { SettingChoice($0.name, title: $0.title) }))
    case .ambientLevel where hasANCLevel:
      SettingDeclaration(
        id,
        .level(
          SettingRange(
            Int(ancLevels.lowerBound)...Int(ancLevels.upperBound), step: Int(ancLevelStep))),
        modes: ancLevelModes)
    case .equaliserPreset where !eqPresets.isEmpty:
      SettingDeclaration(id, .choice(eqPresets.map { SettingChoice($0.name, title: $0.title) }))
    case .equaliserBands where eqBands > 0:
      SettingDeclaration(
        id, .bands(bands, SettingRange(gains, step: tenths(eqStep), isStrict: true)))
    case .volume where hasVolume:
      SettingDeclaration(id, .level(SettingRange(0...100, step: 5, unit: "%")))
    default: hasTouchActions ? Self.touchActions.first { $0.id == id } : nil
    }
  }

  private var bands: [SettingBand] {
    eqCentres.isEmpty
      ? (1...eqBands).map { .named("band \($0)") } : eqCentres.map(SettingBand.hertz)
  }

  private var gains: ClosedRange<Int> { -tenths(eqLimit)...tenths(eqLimit) }

  private func tenths(_ gain: BandGain) -> Int { Int(gain.halfDecibels) * 5 }

  fileprivate static let touchActions: [SettingDeclaration] = Side.allCases.flatMap { side in
    TouchGesture.allCases.map { gesture in
      let actions = TouchAction.allCases.map { SettingChoice($0.name, title: $0.title) }
      let bud = side == .left ? "Left" : "Right"
      return SettingDeclaration(
        .touchAction(side, gesture), .choice(actions), title: "\(bud), \(gesture.title)",
        label: "Touch", group: .controls)
    }
  }
}
