internal import BluetoothCodec
internal import GATT

/// What a person wants of the headphone.
extension EarshotDriver {
  /// Carries it out by FFF1 and FFF2 where they can be written, else by a command.
  ///
  /// The volume is not part of the protocol: ``HeadphoneError/unsupported(_:)``.
  public func perform(_ command: HeadphoneCommand) async throws(HeadphoneError) {
    switch command {
    case .setANC(let mode): try await set(mode)
    case .setANCLevel(let level):
      try need(capabilities.hasANCLevel, "noise control level")
      guard level <= WireCommand.highestANCLevel else {
        throw .badArgument("a level of \(level): it goes from 0 to \(WireCommand.highestANCLevel)")
      }
      try await send(.setANCLevel(level))
      report([.ancLevelChanged(level)])
    case .setEQ(let preset): try await set(preset)
    case .setCustomEQ(let gains): try await set(gains)
    case .setVolume: throw .unsupported("volume")
    case .find(let sides, let isOn): try await find(sides, isOn: isOn)
    case .setTouchAction(let side, let gesture, let action):
      try need(capabilities.hasTouchActions, "touch actions")
      try await send(.setTouchAction(side, gesture, action))
      report([.touchActionsChanged([side: [gesture: action]])])
    case .readTouchActions: try await readTouchActions()
    case .set(.wearDetection, .toggle(let isOn)):
      try need(capabilities.declares(.wearDetection), "wear detection")
      try await send(.setWearDetection(isOn: isOn))
      report([.settingChanged(.wearDetection, .toggle(isOn))])
    case .set(let id, _): throw .unsupported(id.displayText)
    case .rename(let name): try await rename(name)
    case .restart: try await sendEndingLink(.restart)
    case .factoryReset:
      try need(capabilities.hasFactoryReset, "factory reset")
      try await sendEndingLink(.factoryReset)
    }
  }

  private func need(_ isThere: Bool, _ feature: String) throws(HeadphoneError) {
    guard isThere else { throw .unsupported(feature) }
  }

  // MARK: Noise control and equaliser

  private func set(_ mode: ANCMode) async throws(HeadphoneError) {
    try need(!capabilities.ancModes.isEmpty, "noise control")
    try need(capabilities.ancModes.contains(mode), "noise control mode \"\(mode)\"")
    known.ask(.anc)
    do throws(HeadphoneError) {
      try await write(mode.rawValue, to: map?.ancMode, or: .setANC(mode))
    } catch {
      known.refused(.anc)
      throw error
    }
    report(known.accepted(mode))
  }

  private func set(_ preset: EQPreset) async throws(HeadphoneError) {
    try need(!capabilities.eqPresets.isEmpty, "equaliser")
    try need(capabilities.eqPresets.contains(preset), "equaliser preset \"\(preset)\"")
    try await changeEQ(to: preset, bands: nil) { driver throws(HeadphoneError) in
      try await driver.write(preset)
    }
  }

  /// Sets the gains, and chooses the custom preset so that they are heard.
  private func set(_ gains: [BandGain]) async throws(HeadphoneError) {
    try need(capabilities.eqBands > 0, "custom equaliser")
    guard gains.count == capabilities.eqBands else {
      throw .badArgument("\(gains.count) bands: this headphone has \(capabilities.eqBands)")
    }
    try await changeEQ(to: .custom, bands: gains) { driver throws(HeadphoneError) in
      try await driver.send(.setCustomEQ(gains))
      if await driver.known.eq != .custom { try await driver.write(.custom) }
    }
  }

  private func changeEQ(
    to preset: EQPreset, bands: [BandGain]?,
    _ change: (EarshotDriver) async throws(HeadphoneError) -> Void
  ) async throws(HeadphoneError) {
    known.ask(.eq)
    do throws(HeadphoneError) {
      try await change(self)
    } catch {
      known.refused(.eq)
      throw error
    }
    report(known.accepted(preset, bands: bands))
  }

  private func write(_ preset: EQPreset) async throws(HeadphoneError) {
    try await write(preset.rawValue, to: map?.eqPreset, or: .setEQ(preset))
  }

  /// Writes a value where the headphone has it as a characteristic, else sends the command.
  private func write(
    _ value: UInt8, to characteristic: Characteristic?, or command: WireCommand
  ) async throws(HeadphoneError) {
    guard let characteristic, characteristic.canWrite else {
      try await send(command)
      return
    }
    try await gatt { client throws(GATTError) in
      try await client.write([value], to: characteristic.handle)
    }
  }

  // MARK: Other settings

  /// Makes these buds ring and no other, or silences them.
  private func find(_ sides: Sides, isOn: Bool) async throws(HeadphoneError) {
    try need(capabilities.hasFind, "sound to be found by")
    guard !sides.isEmpty else { throw .badArgument("no bud to find") }
    let others = known.ringing.subtracting(sides)
    if isOn, !others.isEmpty { try await send(.find(others, isOn: false)) }
    try await send(.find(sides, isOn: isOn))
    report(known.accepted(ringing: isOn ? sides : others))
  }

  private func readTouchActions() async throws(HeadphoneError) {
    try need(capabilities.hasTouchActions, "touch actions")
    let data = try await send(.touchActions)
    let table = decoded(data) { bytes throws(MalformedBytes) in
      try TouchActionTable(decoding: bytes)
    }
    if let table { report([.touchActionsChanged(table.actions)]) }
  }

  private func rename(_ name: String) async throws(HeadphoneError) {
    try need(capabilities.hasRename, "rename")
    guard WireCommand.nameLength.contains(name.utf8.count) else {
      throw .badArgument("a name has 1 to 32 bytes, this one \(name.utf8.count)")
    }
    guard displayable(name) == name else {
      throw .badArgument("the name holds characters that cannot be shown")
    }
    try await send(.rename(name))
    report([.renamed(name)])
  }

  /// The link may end before the response comes: that is the wish, too.
  private func sendEndingLink(_ command: WireCommand) async throws(HeadphoneError) {
    do throws(HeadphoneError) {
      try await send(command)
    } catch .closed where ended != nil {
      return
    }
  }
}
