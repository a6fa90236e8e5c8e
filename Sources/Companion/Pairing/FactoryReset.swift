import HeadphoneProtocols

extension UserCommand {
  /// Resets the headphone; the encrypted link keeps strangers in range from doing so.
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
  fileprivate mutating func askToReset() -> [Effect] {
    guard let headphone = readyHeadphone else { return [] }
    dialog = .question(Question(.factoryReset(headphone.id, isCertain: false)))
    return []
  }

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

  /// Handles the outcome of a reset; success deletes the keys here, as the headphone has lost its
  /// own.
  mutating func settleReset(_ id: HeadphoneID, succeeded: Bool, at timestamp: Timestamp) -> [Effect]
  {
    guard succeeded else {
      return headphones[id]?.link.use == .factoryReset
        ? finishActivity(of: id, at: timestamp) : []
    }
    headphones.update(id) { $0.isBonded = false }
    return [.unpair(id)]
  }

  /// Ends the reset after the headphone has deleted its bonds and dropped the link.
  mutating func endReset(_ id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    stop(id, .idle)
      + say("\(name(of: id)) is reset", id, remedy: .connectOrDisconnect, at: timestamp)
  }
}
