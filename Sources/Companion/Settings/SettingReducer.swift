import HeadphoneProtocols

extension State {
  /// Wants a value of the selected headphone, or says why that cannot be.
  ///
  /// A command is sent at once only if none for this setting is unanswered; otherwise the newest
  /// wish waits and is sent when the earlier command has ended.
  ///
  /// - Parameters:
  ///   - value: The value, already checked against the headphone's capabilities.
  ///   - setting: The setting's place in the state.
  ///   - command: The command that sets it.
  mutating func want<Value>(
    _ value: Value, of setting: WritableKeyPath<HeadphoneState, Setting<Value>>,
    by command: (Value) -> HeadphoneCommand
  ) -> [Effect] {
    guard let id = headphones.selected?.id else { return [] }
    let token = nextToken
    let isSentNow = headphones.update(id) { $0[keyPath: setting].want(value, token: token) }
    return isSentNow == true ? send(command(value), to: id) : []
  }

  /// Sends a command that no setting stands for.
  mutating func send(_ command: HeadphoneCommand, to id: HeadphoneID) -> [Effect] {
    let token = nextToken
    commandCount += 1
    return [.perform(id, command, token)]
  }

  /// The token of the next command; taken by ``send(_:to:)``.
  var nextToken: CommandToken { CommandToken(rawValue: commandCount + 1) }

  /// The outcome of a command: failures are shown with advice, the setting is confirmed or falls
  /// back, and a wish that waited is sent.
  mutating func end(
    _ command: HeadphoneCommand, _ token: CommandToken, _ outcome: CommandOutcome,
    of id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    var effects: [Effect] = []
    switch outcome {
    case .done: break
    case .failed(.cancelled):
      effects = note(.info, id, "\(command.displayText) is cancelled", at: timestamp)
    // The link's own event reports it.
    case .failed(.linkLost(let reason)):
      effects = note(
        .info, id, "\(command.displayText) is lost: \(reason.displayText)", at: timestamp)
    case .failed(let failure):
      effects = complain(
        "\(command.displayText): \(failure.displayText)", advice: failure.advice, id,
        remedy: failure.remedy,
        at: timestamp)
    }
    let succeeded = outcome == .done
    if succeeded { confirm(command, of: id) }
    if case .factoryReset = command {
      return effects + settleReset(id, succeeded: succeeded, at: timestamp)
    }
    return effects + settle(command, token, succeeded, of: id)
  }

  /// What the headphone has accepted is its value, also where it reports none.
  ///
  /// A command of the command line has no pending change that would be confirmed.
  private mutating func confirm(_ command: HeadphoneCommand, of id: HeadphoneID) {
    headphones.update(id) {
      switch command {
      case .setANCLevel(let level) where $0.ancLevel.pending == nil: $0.ancLevel.received(level)
      case .set(let setting, let value) where $0.settings[setting].pending == nil:
        $0.settings[setting].received(value)
      default: break
      }
    }
  }

  /// The setting that a command belongs to; commands without one have nothing to settle.
  private mutating func settle(
    _ command: HeadphoneCommand, _ token: CommandToken, _ succeeded: Bool, of id: HeadphoneID
  ) -> [Effect] {
    switch command {
    case .setANC: settle(\.anc, token, succeeded, of: id) { .setANC($0) }
    case .setANCLevel: settle(\.ancLevel, token, succeeded, of: id) { .setANCLevel($0) }
    case .setEQ, .setCustomEQ: settleEqualiser(token, succeeded, of: id)
    case .set(let setting, _):
      settle(\.settings[setting], token, succeeded, of: id) {
        .set(setting, $0)
      }
    case .setVolume: settle(\.volume, token, succeeded, of: id) { .setVolume($0) }
    case .find: settle(\.find, token, succeeded, of: id) { .find($0) }
    case .setTouchAction(let side, let gesture, _):
      settle(\.touch[side, gesture], token, succeeded, of: id) {
        .setTouchAction(side, gesture, $0)
      }
    case .pairedDevice:
      settle(\.deviceCommand, token, succeeded, of: id) { $0.command }
    case .readTouchActions, .rename, .restart, .factoryReset: []
    }
  }

  /// Confirms or drops the pending value, and sends what was wanted meanwhile.
  private mutating func settle<Value>(
    _ setting: WritableKeyPath<HeadphoneState, Setting<Value>>, _ token: CommandToken,
    _ succeeded: Bool, of id: HeadphoneID, by command: (Value) -> HeadphoneCommand
  ) -> [Effect] {
    let next = nextToken
    let wanted = headphones.update(id) {
      $0[keyPath: setting].ended(token, succeeded: succeeded, next: next)
    }
    guard case .some(.some(let value)) = wanted else { return [] }
    return send(command(value), to: id)
  }
}

extension HeadphoneCommand {
  /// Rings exactly these buds; an empty set silences all.
  static func find(_ sides: Sides) -> HeadphoneCommand {
    sides.isEmpty ? .find(.both, isOn: false) : .find(sides, isOn: true)
  }
}
