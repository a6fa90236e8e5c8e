internal import BluetoothCodec
package import HeadphoneProtocols

package struct CommandResponse: Hashable, Sendable {
  package var status = HeadphoneStatus.ok
  package var data: [UInt8] = []
  package var events: [WireEvent] = []
  /// The way in which the link ends afterwards, or nil if the link continues.
  package var ending: LinkEnding?

  package enum LinkEnding: Hashable, Sendable {
    case restart
    /// The headphone restarts, and forgets its bonds.
    case factoryReset
  }

  package static func refused(_ status: HeadphoneStatus) -> CommandResponse {
    CommandResponse(status: status)
  }
}

extension DeviceSimulator {
  /// Carries out a command (docs/protocol.md section 6); `isTrusted` if a bond's key encrypts.
  mutating func perform(
    _ command: WireCommand, isTrusted: Bool, at now: Duration
  ) -> CommandResponse {
    guard knows(command) else { return .refused(.unknownCommand) }
    switch command {
    case .capabilities: return CommandResponse(data: model.report.encoded())
    case .ping(let bytes): return CommandResponse(data: Array(bytes))
    case .state: return CommandResponse(data: StateReport(events(at: now)).encoded())
    case .setANC(let mode):
      guard model.ancModes.contains(mode) else { return .refused(.badPayload) }
      return CommandResponse(data: [mode.rawValue], events: set(mode))
    case .setANCLevel(let level):
      ancLevel = level
      return CommandResponse(data: [level])
    case .setEQ(let preset):
      guard model.eqPresets.contains(preset) else { return .refused(.badPayload) }
      return CommandResponse(data: [preset.rawValue], events: set(preset))
    case .setCustomEQ(let gains):
      guard gains.count == self.gains.count else { return .refused(.badPayload) }
      self.gains = gains
      return CommandResponse(events: eq == .custom ? [equaliser] : [])
    case .customEQ: return CommandResponse(data: BandGains(gains).encoded())
    case .find(let sides, let isOn): return find(sides, isOn: isOn)
    case .setTouchAction(let side, let gesture, let action):
      touchActions.actions[side, default: [:]][gesture] = action
      return CommandResponse()
    case .touchActions: return CommandResponse(data: touchActions.encoded())
    case .setWearDetection(let isOn):
      hasWearDetection = isOn
      return CommandResponse()
    case .rename(let name):
      self.name = name
      return CommandResponse()
    case .factoryReset:
      guard isTrusted else { return .refused(.notPermitted) }
      reset()
      return CommandResponse(ending: .factoryReset)
    case .restart: return CommandResponse(ending: .restart)
    }
  }

  private func knows(_ command: WireCommand) -> Bool {
    let feature: Features
    switch command {
    case .capabilities, .state: return model.supportsCapabilities
    case .ping, .restart: return true
    case .setANC: feature = .anc
    case .setANCLevel: feature = .ancLevel
    case .setEQ: feature = .eq
    case .setCustomEQ, .customEQ: feature = .customEQ
    case .find: feature = .find
    case .setTouchAction, .touchActions: feature = .touchActions
    case .setWearDetection: feature = .wearDetection
    case .rename: feature = .rename
    case .factoryReset: feature = .factoryReset
    }
    return model.features.contains(feature)
  }

  private mutating func find(_ sides: Sides, isOn: Bool) -> CommandResponse {
    guard !sides.isEmpty else { return .refused(.badPayload) }
    guard isOn else {
      ringing.subtract(sides)
      return CommandResponse(data: [sides.rawValue])
    }
    let isInAnEar = Side.allCases.contains { sides.contains(Sides($0)) && places[$0] == .ear }
    guard !isInAnEar else { return .refused(.wrongState) }
    ringing.formUnion(sides)
    return CommandResponse(data: [sides.rawValue])
  }

  /// Resets all settings, but not battery levels and positions.
  private mutating func reset() {
    let fresh = DeviceSimulator(model)
    name = fresh.name
    anc = fresh.anc
    ancLevel = fresh.ancLevel
    eq = fresh.eq
    gains = fresh.gains
    ringing = []
    hasWearDetection = fresh.hasWearDetection
    touchActions = fresh.touchActions
  }
}
