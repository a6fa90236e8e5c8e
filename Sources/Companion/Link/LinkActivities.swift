enum LinkActivity: Hashable, Sendable, CaseIterable {
  case pairing
  case firmwareUpdate
  /// From the restart command until the headphone is back.
  case firmwareRestart
  case factoryReset
}

extension LinkState {
  func beginning(_ activity: LinkActivity) -> LinkState? {
    switch (activity, self) {
    case (.pairing, .connected(.ready, let policy)): .connected(.pairing(), policy)
    case (.pairing, .connected(.starting(let phase), let policy)):
      .connected(.pairing(during: phase), policy)
    case (.firmwareUpdate, .connected(.ready, let policy)): .connected(.firmwareUpdate, policy)
    case (.firmwareRestart, .connected(.firmwareUpdate, _)): .firmwareRestarting()
    case (.factoryReset, .connected(.ready, let policy)): .connected(.factoryReset, policy)
    default: nil
    }
  }

  var finishingActivity: LinkState? {
    guard case .connected(let use, let policy) = self else { return nil }
    return switch use {
    case .pairing(during: let phase?): .connected(.starting(phase), policy)
    case .pairing(during: nil), .firmwareUpdate, .factoryReset: .connected(.ready, policy)
    case .starting, .ready: nil
    }
  }
}

extension State {
  mutating func begin(
    _ activity: LinkActivity, _ id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    guard let link = headphones[id]?.link.beginning(activity) else { return [] }
    headphones.update(id) { $0.link = link }
    return note(.info, id, link.displayText, at: timestamp)
  }

  mutating func finishActivity(of id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    guard let before = headphones[id]?.link, let link = before.finishingActivity else { return [] }
    headphones.update(id) {
      $0.link = link
      $0.firmwareProgress = nil
    }
    return note(.debug, id, "no longer \(before.displayText)", at: timestamp)
  }
}
