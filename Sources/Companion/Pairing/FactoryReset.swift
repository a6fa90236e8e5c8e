import HeadphoneProtocols

extension State {
  /// `R`: asks twice, since a reset cannot be undone.
  ///
  /// Only over an encrypted link, as the protocol demands: a stranger in range must not reset a
  /// headphone.
  mutating func askToReset(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = readyHeadphone else { return noteNotConnected(at: timestamp) }
    guard headphone.capabilities?.hasFactoryReset == true else {
      return noteUnsupported("factory reset", of: headphone.id, at: timestamp)
    }
    guard headphone.isEncrypted == true else {
      return explain(
        "pair it first to allow a factory reset", headphone.id, remedy: .pair, at: timestamp)
    }
    dialog = .question(Question(.factoryReset(headphone.id, isCertain: false)))
    return []
  }

  /// Yes was said, for the first or the second time.
  ///
  /// - Parameter isCertain: Whether this was the second question.
  mutating func confirmReset(
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
