internal import BluetoothCodec
internal import GATT
package import HeadphoneProtocols

/// The result of a command.
///
/// ```swift
/// CommandOutcome(data: [mode.rawValue], events: [.ancMode(mode)])
/// CommandOutcome.refused(.wrongState)
/// ```
package struct CommandOutcome: Hashable, Sendable {
  package var status = HeadphoneStatus.ok
  /// The response's data, without the status byte.
  package var data: [UInt8] = []
  /// Events that follow the response.
  package var events: [WireEvent] = []
  /// How the link ends afterwards; nil: it stays.
  package var ending: LinkEnding?

  /// How a command ends the link.
  package enum LinkEnding: Hashable, Sendable {
    case restart
    /// Bonds are forgotten too.
    case factoryReset
  }

  package static func refused(_ status: HeadphoneStatus) -> CommandOutcome {
    CommandOutcome(status: status)
  }
}

extension DeviceSimulator {
  /// Carries out a command (docs/protocol.md section 6).
  ///
  /// | refusal | when |
  /// | --- | --- |
  /// | unknown command | the model lacks the feature |
  /// | bad payload | a mode, preset or number of bands that it does not have |
  /// | wrong state | ringing a bud that is in an ear |
  /// | not permitted | a factory reset over an unencrypted link |
  ///
  /// - Parameter isTrusted: whether the link is encrypted with a bond's key.
  mutating func perform(
    _ command: WireCommand, isTrusted: Bool, at now: Duration
  ) -> CommandOutcome {
    guard knows(command) else { return .refused(.unknownCommand) }
    switch command {
    case .capabilities: return CommandOutcome(data: model.report.encoded())
    case .ping(let bytes): return CommandOutcome(data: Array(bytes))
    case .state: return CommandOutcome(data: StateReport(events(at: now)).encoded())
    case .setANC(let mode):
      guard model.ancModes.contains(mode) else { return .refused(.badPayload) }
      return CommandOutcome(data: [mode.rawValue], events: set(mode))
    case .setANCLevel(let level):
      ancLevel = level
      return CommandOutcome(data: [level])
    case .setEQ(let preset):
      guard model.eqPresets.contains(preset) else { return .refused(.badPayload) }
      return CommandOutcome(data: [preset.rawValue], events: set(preset))
    case .setCustomEQ(let gains):
      guard gains.count == self.gains.count else { return .refused(.badPayload) }
      self.gains = gains
      return CommandOutcome(events: eq == .custom ? [equaliser] : [])
    case .customEQ: return CommandOutcome(data: BandGains(gains).encoded())
    case .find(let sides, let isOn): return find(sides, isOn: isOn)
    case .setTouchAction(let side, let gesture, let action):
      touchActions.actions[side, default: [:]][gesture] = action
      return CommandOutcome()
    case .touchActions: return CommandOutcome(data: touchActions.encoded())
    case .setWearDetection(let isOn):
      hasWearDetection = isOn
      return CommandOutcome()
    case .rename(let name):
      self.name = name
      return CommandOutcome()
    case .factoryReset:
      guard isTrusted else { return .refused(.notPermitted) }
      reset()
      return CommandOutcome(ending: .factoryReset)
    case .restart: return CommandOutcome(ending: .restart)
    }
  }

  /// Whether the model has the feature that the command needs.
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

  /// Rings buds, or silences them; a bud in an ear is never rung.
  private mutating func find(_ sides: Sides, isOn: Bool) -> CommandOutcome {
    guard !sides.isEmpty else { return .refused(.badPayload) }
    guard isOn else {
      ringing.subtract(sides)
      return CommandOutcome(data: [sides.rawValue])
    }
    let isInAnEar = Side.allCases.contains { sides.contains(Sides($0)) && places[$0] == .ear }
    guard !isInAnEar else { return .refused(.wrongState) }
    ringing.formUnion(sides)
    return CommandOutcome(data: [sides.rawValue])
  }

  /// Resets all settings; battery levels and positions stay.
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
