import HeadphoneProtocols

extension State {
  /// Requests a valid value of a setting, by default of the selected headphone.
  ///
  /// It is sent at once unless a command of the setting's group is in flight. Then the newest value
  /// is sent when that command has ended.
  mutating func want(
    _ value: SettingValue, of setting: SettingID, on id: HeadphoneID? = nil
  ) -> [Effect] {
    guard let id = id ?? headphones.selected?.id else { return [] }
    headphones.update(id) { $0.want(value, of: setting) }
    return sendNext(of: setting, to: id)
  }

  private mutating func sendNext(of setting: SettingID, to id: HeadphoneID) -> [Effect] {
    let token = nextToken
    let command = headphones.update(id) { headphone in
      headphone.settings.next(of: setting, under: token).map { headphone.command($0.id, $0.value) }
    }
    return command.flatMap(\.self).map { send($0, to: id) } ?? []
  }

  /// Requests a value that is no setting of the headphone, such as the buds that ring.
  mutating func want<Value>(
    _ value: Value, of setting: WritableKeyPath<HeadphoneState, Setting<Value>>,
    by command: (Value) -> HeadphoneCommand
  ) -> [Effect] {
    guard let id = headphones.selected?.id else { return [] }
    let token = nextToken
    let isSentNow = headphones.update(id) { $0[keyPath: setting].want(value, token: token) }
    return isSentNow == true ? send(command(value), to: id) : []
  }

  mutating func send(_ command: HeadphoneCommand, to id: HeadphoneID) -> [Effect] {
    let token = nextToken
    commandCount += 1
    return [.perform(id, command, token)]
  }

  /// The token of the next command, which ``send(_:to:)`` uses.
  var nextToken: CommandToken { CommandToken(rawValue: commandCount + 1) }

  /// Handles the outcome of a command: shows failures, settles the setting, and sends a waiting
  /// value.
  mutating func end(
    _ command: HeadphoneCommand, _ token: CommandToken, _ outcome: CommandOutcome,
    of id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    var effects: [Effect] = []
    switch outcome {
    case .done: break
    case .failed(.cancelled), .failed(.broadcast(.superseded)):
      effects = note(.info, id, "\(command.displayText) is cancelled", at: timestamp)
    // The event of the link reports it.
    case .failed(.linkLost(let reason)):
      effects = note(
        .info, id, "\(command.displayText) is lost: \(reason.displayText)", at: timestamp)
    case .failed(let failure):
      effects = complain(
        "\(command.displayText): \(failure.displayText)",
        advice: headphones[id]?.isUntried(command, after: failure) == true
          ? SettingProof.untriedAdvice : failure.advice, id,
        remedy: failure.remedy,
        at: timestamp)
      if case .broadcast(.join(let broadcast, _)) = command {
        problem?.end = .plays(broadcast.id, id)
      }
    }
    let succeeded = outcome == .done
    if succeeded {
      if headphones.update(id, { $0.noteConfirmed(command) }) == true {
        effects += keep(.confirmedSettings, of: id)
      }
      confirm(command, of: id)
    }
    if case .broadcast(let request) = command { settle(request, token, outcome, of: id) }
    if case .factoryReset = command {
      return effects + settleReset(id, succeeded: succeeded, at: timestamp)
    }
    return effects + settle(command, token, succeeded, of: id)
  }

  /// Confirms an accepted value, also of a shell command, since the headphone may not report it.
  private mutating func confirm(_ command: HeadphoneCommand, of id: HeadphoneID) {
    headphones.update(id) {
      switch command {
      case .setANCLevel, .set:
        for (setting, value) in command.settings where $0.settings[setting].pending == nil {
          $0.received(value, of: setting)
        }
      default: break
      }
    }
  }

  private mutating func settle(
    _ command: HeadphoneCommand, _ token: CommandToken, _ succeeded: Bool, of id: HeadphoneID
  ) -> [Effect] {
    switch command {
    case .find: return settle(\.find, token, succeeded, of: id) { .find($0) }
    case .pairedDevice:
      return settle(\.deviceCommand, token, succeeded, of: id) { $0.command }
    default:
      let settings = command.settings.map(\.id)
      headphones.update(id) {
        for setting in settings { $0.settings[setting].ended(token, succeeded: succeeded) }
      }
      // A group has one command in flight.
      return settings.first.map { sendNext(of: $0, to: id) } ?? []
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
  static func find(_ sides: Sides) -> HeadphoneCommand {
    sides.isEmpty ? .find(.both, isOn: false) : .find(sides, isOn: true)
  }
}
