internal import BluetoothCodec

extension GalaxyBudsProtocol {
  mutating func apply(_ message: Message, _ payload: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(payload, of: "Galaxy Buds message")
    switch message {
    case .state:
      let state = try GalaxyBudsState(full: payload, layout)
      (generation, model) = (state.generation, state.model)
      confirmsByResult = state.confirmsByResult
      reportsChosenMode = reportsChosenMode || confirmsByResult
      apply(state)
    case .shortState:
      if let generation { apply(try GalaxyBudsState(short: payload, generation)) }
    case .noiseChanged: try applyNoise(&reader)
    case .ambientChanged:
      apply(mode: try reader.flag() ? ANCMode.transparency.rawValue : ANCMode.off.rawValue)
    case .cancellingChanged:
      apply(mode: try reader.flag() ? ANCMode.noiseCancelling.rawValue : ANCMode.off.rawValue)
    case .confirmation: try applyConfirmation(&reader)
    case .firmware: try applyFirmware(&reader)
    default: break
    }
  }

  /// Applies a change of noise control.
  ///
  /// | offset | field | meaning |
  /// | --- | --- | --- |
  /// | 0 | current mode | ambient while a bud is out, whatever the chosen mode |
  /// | 1 | places | as in the state; on older buds, 1 for each worn bud |
  /// | 6 | reason | 1 a pinch, 2 a change of places, 0E the case |
  /// | 8 | chosen mode | newer buds only |
  private mutating func applyNoise(_ reader: inout ByteReader) throws(MalformedBytes) {
    let inForce = try reader.uint8()
    let places = reader.isAtEnd ? nil : try reader.uint8()
    let rest = Array(reader.rest())
    reportsChosenMode = reportsChosenMode || rest.count > 6
    apply(mode: rest.count > 6 ? rest[6] : inForce)
    guard generation != nil, let places else { return }
    if rest.isEmpty {
      reported.apply(Wearing(left: places >> 4 == 1, right: places & 0x0F == 1))
    } else if let left = GalaxyBudsPlace(rawValue: places >> 4),
      let right = GalaxyBudsPlace(rawValue: places & 0x0F)
    {
      reported.apply(Wearing(left: left.isWorn, right: right.isWorn))
    } else {
      throw MalformedBytes(reader.what, at: 1, .badValue(UInt64(places)))
    }
  }

  /// Applies the firmware: 2 bytes, then 20 of the left and 20 of the right bud, padded with zeros.
  private mutating func applyFirmware(_ reader: inout ByteReader) throws(MalformedBytes) {
    _ = try reader.read(2)
    let left = textFromAir(try reader.read(20).prefix { $0 != 0 })
    let right = textFromAir(try reader.read(20).prefix { $0 != 0 })
    let builds = [left, right].filter { !$0.isEmpty }
    firmware = Set(builds).count > 1 ? "left \(left), right \(right)" : builds.first
  }

  /// Applies a mode, or its number if the generation does not have the mode.
  private mutating func apply(mode number: UInt8) {
    guard let generation else { return }
    guard let mode = ANCMode(rawValue: number),
      generation.modes.contains(mode) || mode == .adaptive && generation == .second
    else { return reported.apply(unnamedMode: number) }
    if mode == .adaptive { isAdaptive = true }
    reported.apply(mode)
  }

  /// Applies a level of ambient sound, which may extend the generation's range.
  private mutating func apply(level: UInt8) {
    mostAmbient = max(mostAmbient, level)
    reported.apply(level: level)
  }

  private mutating func apply(_ state: GalaxyBudsState) {
    reported.apply(state.batteries)
    if let wearing = state.wearing { reported.apply(wearing) }
    // While a bud is out, the current mode is not the chosen one.
    if let noise = state.noise, !reportsChosenMode || isWornInBothEars || !reported.hasNoise {
      apply(mode: noise)
    }
    if let level = state.level { apply(level: level) }
    if let isOn = state.focusesOnVoice { reported.apply(Self.voice, .toggle(isOn)) }
    if let index = state.equaliser { apply(preset: index) }
    gestures = state.gestures ?? gestures
    // If the state has only the lock, its encoding with the gestures is unknown.
    if state.gestures != nil, let isLocked = state.isTouchLocked {
      reported.apply(Self.touchLock, .toggle(isLocked))
    }
    if let holds = state.holds { apply(holds) }
    for setting in GalaxyBudsSetting.all {
      if let byte = state.settings[setting.declaration.id] { apply(setting, byte) }
    }
    for mistake in state.mistakes { reported.reject(mistake) }
  }

  private mutating func apply(preset index: UInt8) {
    if Int(index) < Self.presets.count {
      reported.apply(Self.equaliser, .choice(Self.presets[Int(index)]))
    } else {
      reported.apply(Self.equaliser, unnamed: index)
    }
  }

  private mutating func apply(_ setting: GalaxyBudsSetting, _ byte: UInt8) {
    if let value = setting.value(of: byte) {
      reported.apply(setting.declaration, value)
    } else if setting.declaration.kind == .toggle {
      reported.reject(MalformedBytes("Galaxy Buds setting", at: 0, .badValue(UInt64(byte))))
    } else {
      reported.apply(setting.declaration, unnamed: byte)
    }
  }

  private mutating func apply(_ reportedHolds: GalaxyBudsHolds) {
    holds = reportedHolds
    for (declaration, number, action) in reportedHolds.values {
      if let action {
        reported.apply(declaration, .choice(action))
      } else {
        reported.apply(declaration, unnamed: number)
      }
    }
  }

  /// Applies a confirmation: the command's number, and its values or, on the newest buds, a result.
  private mutating func applyConfirmation(_ reader: inout ByteReader) throws(MalformedBytes) {
    guard let message = Message(rawValue: try reader.uint8()), !reader.isAtEnd else { return }
    let value = try reader.uint8()
    if confirmsByResult, value == 0 || message == .setNoise {
      isResultAlone = true
      if value != 0 { reported.refusal = .refused(.unspecified) }
      return
    }
    switch message {
    case .setNoise: apply(mode: value)
    case .setAmbientLevel:
      if capabilities.ancLevels.contains(value) { apply(level: value) }
    case .setEqualiser: apply(preset: value)
    case .setTouch:
      if gestures != nil { reported.apply(Self.touchLock, .toggle(value == 0)) }
    case .setHolds where holds != nil:
      apply(GalaxyBudsHolds(value << 4 | (try reader.uint8() & 0x0F)))
    default:
      // The model has only the settings in its state.
      let setting = GalaxyBudsSetting.all.first {
        $0.message == message && reported[$0.declaration.id] != nil
      }
      if let setting { apply(setting, value) }
    }
  }
}
