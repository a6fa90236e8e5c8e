import Headphones

extension State {
  mutating func hear(
    _ event: HeadphoneEvent, from id: HeadphoneID, at moment: Moment
  ) -> [Effect] {
    guard let headphone = headphones[id], headphone.link.isConnected else {
      return ignore("\"\(event.told.1)\" without a link", id, at: moment)
    }
    if case .starting(let phase) = event {
      guard headphone.link.isStarting else {
        return ignore("\(LinkState(phase).words) while \(headphone.link.words)", id, at: moment)
      }
      headphones.update(id) { $0.link = LinkState(phase) }
      return note(.debug, id, LinkState(phase).words, at: moment)
    }
    headphones.update(id) {
      $0.lastPacket = moment
      $0.adopt(event, at: moment)
    }
    let (level, words) = event.told
    let effects = note(level, id, words, at: moment)
    if case .renamed = event { return effects + remember(id) }
    return effects
  }
}

extension HeadphoneState {
  fileprivate mutating func adopt(_ event: HeadphoneEvent, at moment: Moment) {
    switch event {
    case .batteryChanged(let parts):
      let known = battery?.value ?? [:]
      battery = Reading(known.merging(parts) { $1 }, heardAt: moment)
    case .wearingChanged(let wearing): self.wearing = wearing
    case .ancChanged(let mode): adopt(mode)
    case .ancLevelChanged(let level): ancLevel.heard(level)
    case .eqChanged(let preset, let bands):
      eq.heard(preset)
      if let bands { self.bands.heard(bands) }
    case .caseLidChanged(let isOpen): isCaseOpen = isOpen
    case .wearDetectionChanged(let isOn): wearDetection.heard(isOn)
    case .touchActionsChanged(let actions): touchActions.merge(actions) { $0.merging($1) { $1 } }
    case .findChanged(let sides): find.heard(sides)
    case .renamed(let name): self.name = name
    case .firmwareProgress(let percent): firmwareProgress = percent
    case .malformed: malformed += 1
    case .starting, .touchUsed, .reportedError: break
    }
  }

  private mutating func adopt(_ mode: ANCMode) {
    if mode == .transparency, let before = anc.confirmed, before != .transparency {
      ancBeforeTransparency = before
    }
    anc.heard(mode)
  }
}
