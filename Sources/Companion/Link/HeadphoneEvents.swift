import HeadphoneProtocols

extension State {
  /// Handles an event of a headphone; `isOwn` is false for another member of its set.
  mutating func receive(
    _ event: HeadphoneEvent, from id: HeadphoneID, isOwn: Bool = true, at timestamp: Timestamp
  ) -> [Effect] {
    guard let headphone = headphones[id], headphone.link.isConnected else {
      return ignore("\"\(event.reported().1)\" without a link", id, at: timestamp)
    }
    if case .starting(let phase) = event {
      guard case .connected(let use, let policy) = headphone.link,
        let started = use.starting(phase)
      else {
        return ignore(
          "\(phase.displayText) while \(headphone.link.displayText)", id, at: timestamp)
      }
      headphones.update(id) { $0.link = .connected(started, policy) }
      return note(.debug, id, phase.displayText, at: timestamp)
    }
    headphones.update(id) {
      $0.lastPacket = timestamp
      $0.adopt(event, at: timestamp)
      if isOwn { $0.noteOwnPreset(event) }
    }
    // Values reported at the start are no news, except for failures.
    let isNews =
      event.isOfFailure
      || headphone.link.isReady && headphone.knew(before: event) && !headphone.repeats(event)
    var (level, text) = event.reported(hasOneBattery: headphone.hasOneBattery)
    if case .receptionChanged(let reception) = event {
      text = reception.displayText { title(of: $0) }
    }
    if case .renamed = event, !headphone.name.isEmpty { text = "renamed from \(headphone.name)" }
    var effects: [Effect] = []
    if case .batteryChanged = event { effects = reportLowBattery(of: id, at: timestamp) }
    // The alert has logged it.
    effects += note(isNews && effects.isEmpty ? level : .debug, id, text, at: timestamp)
    switch event {
    case .batteryChanged, .ancChanged, .settingChanged(.noiseMode, _):
      effects += keepCharges(of: id, at: timestamp)
    case .receptionChanged: endProblem(of: id)
    default: break
    }
    if case .renamed = event { return effects + remember(id) }
    if case .wearingChanged = event {
      return effects + followWearing(of: id, from: headphone.wearing, at: timestamp)
    }
    if case .speechChanged(let speech) = event {
      return effects + follow(speech, of: id, at: timestamp)
    }
    return effects
  }
}

extension LinkUse {
  /// Returns the link's use in a phase of the driver's start, or nil if the driver is not starting.
  fileprivate func starting(_ phase: StartPhase) -> LinkUse? {
    switch self {
    case .starting: .starting(phase)
    // The start continues behind the pairing question.
    case .pairing(let before): .pairing(during: before == nil ? nil : phase)
    case .ready, .firmwareUpdate, .factoryReset: nil
    }
  }
}

extension HeadphoneEvent {
  fileprivate var isOfFailure: Bool { if case .noted = self { true } else { false } }
}

extension HeadphoneState {
  fileprivate func knew(before event: HeadphoneEvent) -> Bool {
    switch event {
    case .batteryChanged(let parts): parts.keys.allSatisfy { battery?.value[$0] != nil }
    case .wearingChanged: wearing != nil
    case .caseLidChanged: isCaseOpen != nil
    case .settingChanged(.wearDetection, _): true
    case .ancChanged, .ancLevelChanged, .eqChanged, .volumeChanged, .settingChanged,
      .touchActionsChanged:
      event.settings.first.map { settings[$0.id].confirmed != nil } ?? true
    case .receptionChanged(let reception):
      receptions.contains { $0.side == reception.side && $0 != reception }
    case .findChanged, .renamed, .firmwareProgress, .malformed, .unknown, .starting,
      .touchUsed, .speechChanged, .reportedError, .described, .noted:
      true
    }
  }

  /// Whether an event repeats what is known, as the second bud of a set does at its start.
  fileprivate func repeats(_ event: HeadphoneEvent) -> Bool {
    guard case .eqChanged(let preset, let reported) = event else {
      let reported = event.settings
      return !reported.isEmpty
        && reported.allSatisfy { settings[$0.id].confirmed == $0.value }
    }
    guard eq.confirmed == preset else { return false }
    guard let reported, let known = bands.confirmed else { return true }
    return reported == known
  }

  fileprivate mutating func adopt(_ event: HeadphoneEvent, at timestamp: Timestamp) {
    switch event {
    case .batteryChanged(let parts):
      let known = battery?.value ?? [:]
      battery = Reading(known.merging(parts) { $1 }, seenAt: timestamp)
      isChargeOld = false
      sight(charges: parts, at: timestamp)
    case .wearingChanged(let wearing):
      self.wearing = wearing
      sight(wearing: wearing, at: timestamp)
    case .ancChanged, .ancLevelChanged, .eqChanged, .volumeChanged, .settingChanged,
      .touchActionsChanged:
      for (id, value) in event.settings where !isOfOwnPresets(id, event) {
        received(value, of: id)
      }
    case .caseLidChanged(let isOpen): isCaseOpen = isOpen
    case .findChanged(let sides): find.received(sides)
    case .receptionChanged(let reception): adopt(reception)
    case .renamed(let name): self.name = name
    case .firmwareProgress(let percent): firmwareProgress = percent
    case .malformed: malformed += 1
    case .unknown: unknownMessages += 1
    case .described(let description): adopt(description)
    case .starting, .touchUsed, .speechChanged, .reportedError, .noted: break
    }
  }

  /// Whether a standard preset is reported by a headphone that also reports presets of its own.
  private func isOfOwnPresets(_ id: SettingID, _ event: HeadphoneEvent) -> Bool {
    guard case .eqChanged = event, id == .equaliserPreset else { return false }
    return capabilities?.declares(id) == true
  }

  mutating func adopt(_ description: HeadphoneDescription) {
    driver = description.driver
    isDriverFromFile = description.isFromFile
    capabilities = description.capabilities
    combine(description.capabilities.settings)
    information = description.information
    missing = description.missing
    isVolumeWithheld = description.isVolumeWithheld
    isChargeAsked = description.isChargeAsked
    mtu = description.mtu
  }
}
