import HeadphoneProtocols

extension UserCommand {
  /// Resets the headphone to its factory state.
  ///
  /// Only over an encrypted link, as the protocol demands: a stranger in range must not reset a
  /// headphone.
  package static let factoryReset = UserCommand(
    "factory-reset", keys: ["R"], "reset to its factory state (asks twice)", label: "Reset",
    availability: { state in
      let availability = state.available("factory reset", where: \.hasFactoryReset)
      guard availability == .available, state.readyHeadphone?.isEncrypted != true else {
        return availability
      }
      return .refused("pair first: only a paired computer may reset it", remedy: .pair)
    }
  ) { state, _ in state.askToReset() }
}

extension Question.Subject {
  /// - Parameter isCertain: Whether it is asked for the second time.
  package static func factoryReset(_ id: HeadphoneID, isCertain: Bool) -> Self {
    Self(
      isCertain ? "Erase everything now?" : "Factory reset?", yes: isCertain ? "Erase" : "Reset",
      of: id,
      text: { state in
        let name = state.name(of: id)
        return isCertain
          ? "This cannot be undone, and \(name) must be paired again. Reset it now?"
          : "Reset \(name) to factory settings? Its name, its settings and all its pairings, "
            + "also with other devices, are lost."
      }
    ) { $0.confirmReset(id, isCertain: isCertain, at: $1) }
  }
}

extension State {
  /// Asks twice, since a reset cannot be undone.
  fileprivate mutating func askToReset() -> [Effect] {
    guard let headphone = readyHeadphone else { return [] }
    dialog = .question(Question(.factoryReset(headphone.id, isCertain: false)))
    return []
  }

  /// Yes was said, for the first or the second time.
  ///
  /// - Parameter isCertain: Whether this was the second question.
  fileprivate mutating func confirmReset(
    _ id: HeadphoneID, isCertain: Bool, at timestamp: Timestamp
  ) -> [Effect] {
    guard readyHeadphone?.id == id else { return noteNotConnected(at: timestamp) }
    guard isCertain else {
      dialog = .question(Question(.factoryReset(id, isCertain: true)))
      return []
    }
    return begin(.factoryReset, id, at: timestamp) + send(.factoryReset, to: id)
  }

  /// The headphone has answered, or not: its keys are worth nothing after a reset.
  ///
  /// A failed reset leaves the link as it was. A successful one deletes the keys on this side, too,
  /// which the headphone has forgotten.
  mutating func settleReset(_ id: HeadphoneID, succeeded: Bool, at timestamp: Timestamp) -> [Effect]
  {
    guard succeeded else {
      return headphones[id]?.link.use == .factoryReset
        ? finishActivity(of: id, at: timestamp) : []
    }
    headphones.update(id) { $0.isBonded = false }
    return [.unpair(id)]
  }

  /// The headphone has deleted its bonds and dropped the link, which ends the reset.
  mutating func endReset(_ id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    stop(id, .idle)
      + say("\(name(of: id)) is reset", id, remedy: .connectOrDisconnect, at: timestamp)
  }
}
