/// The uses of a link beside ordinary control.
extension State {
  mutating func begin(
    _ activity: LinkActivity, _ id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    guard let link = headphones[id]?.link, activity.canBegin(on: link) else {
      return ignoreActivity("begins", activity, id, at: timestamp)
    }
    headphones.update(id) {
      if activity == .pairing { $0.linkBeforePairing = link }
      if activity == .firmwareRestart {
        $0.isRestarting = true
        $0.failedAttempts = 0
      }
      $0.link = LinkState(activity)
    }
    return note(.info, id, LinkState(activity).displayText, at: timestamp)
  }

  /// Returns to the state before the activity.
  mutating func finish(
    _ activity: LinkActivity, _ id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    guard let headphone = headphones[id], headphone.link == LinkState(activity),
      activity != .firmwareRestart
    else { return ignoreActivity("is over", activity, id, at: timestamp) }
    headphones.update(id) {
      $0.link = activity == .pairing ? headphone.linkBeforePairing ?? .ready : .ready
      $0.linkBeforePairing = nil
      $0.firmwareProgress = nil
    }
    return note(.debug, id, LinkEvent.finished(activity).displayText, at: timestamp)
  }

  /// The headphone has deleted its bonds and dropped the link, which ends the reset.
  mutating func endReset(_ id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    stop(id, as: .idle)
      + say("\(name(of: id)) is reset", id, remedy: .connectOrDisconnect, at: timestamp)
  }

  private mutating func ignoreActivity(
    _ what: String, _ activity: LinkActivity, _ id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    ignore("\"\(LinkState(activity).displayText)\" \(what) out of turn", id, at: timestamp)
  }
}

extension LinkActivity {
  fileprivate func canBegin(on link: LinkState) -> Bool {
    switch self {
    case .pairing: link == .ready || link.isStarting && link != .pairing
    case .firmwareUpdate, .factoryReset: link == .ready
    case .firmwareRestart: link == .ready || link == .firmwareUpdate
    }
  }
}
