import HeadphoneProtocols

extension State {
  /// Wants a value of the selected headphone, or says why that cannot be.
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

  var nextToken: CommandToken { CommandToken(rawValue: commandCount + 1) }

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
    if case .factoryReset = command {
      return effects + settleReset(id, succeeded: succeeded, at: timestamp)
    }
    return effects + settle(command, token, succeeded, of: id)
  }

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
    case .setTouchAction, .readTouchActions, .rename, .restart, .factoryReset: []
    }
  }

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
  /// Makes these buds heard, and no other; none: all fall silent.
  static func find(_ sides: Sides) -> HeadphoneCommand {
    sides.isEmpty ? .find(.both, isOn: false) : .find(sides, isOn: true)
  }
}
