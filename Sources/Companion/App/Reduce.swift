import AudioRoute

extension State {
  /// Reduces an action: the only place where state changes.
  ///
  /// Pure and total: the same state, action and time give the same state and effects.
  ///
  /// - Returns: the effects to run, in order.
  public mutating func reduce(_ action: Action, at timestamp: Timestamp) -> [Effect] {
    let reported = log.total
    defer { if log.total != reported { completeLog(since: reported, action) } }
    let wasShown = page.showsQuality
    let effects =
      answer(action, at: timestamp) + pauseUnwantedUpdates(at: timestamp) + forgetPauseOfAbsent()
    showPairing()
    let links = isQuitting ? [] : giveTurn() + reconnectPassively()
    return effects + links + measureIfShown(wasShown: wasShown)
  }

  private mutating func answer(_ action: Action, at timestamp: Timestamp) -> [Effect] {
    switch action {
    case .launched(let known, let autoConnect, let scans):
      launch(known, autoConnect, scans: scans)
    case .pressed(let command): pressAndClearNotice(command, at: timestamp)
    case .unknownKey(let name): noteUnknownKey(name)
    case .pointed(let place): point(at: place)
    case .barSet(let bar, let percent): set(bar, toPercent: percent, at: timestamp)
    case .presetChosen(let preset): choose(preset, at: timestamp)
    case .sliderSet(let band, let gain): setBand(band, to: gain, at: timestamp)
    case .typed(let key): type(key, at: timestamp)
    case .timerFired(let timer): fire(timer, at: timestamp)
    case .adapterChanged(let adapter): adopt(adapter, at: timestamp)
    case .scan(let event): follow(event, at: timestamp)
    case .discovered(let peripheral): receive(peripheral, at: timestamp)
    case .joined(let member, let id): join(member, id, at: timestamp)
    case .link(let id, let event):
      expectRestart(of: id, before: event, at: timestamp) + follow(event, of: id, at: timestamp)
        + resumeUpdate(of: id, at: timestamp)
    case .headphone(let id, let event): receive(event, from: id, at: timestamp)
    case .pairing(let event): follow(event, at: timestamp)
    case .commandEnded(let id, let command, let token, let outcome):
      end(command, token, outcome, of: id, at: timestamp)
    case .firmware(let id, let event): follow(event, of: id, at: timestamp)
    case .equaliser(let event): follow(event, at: timestamp)
    case .inspection(let id, let event): follow(event, of: id, at: timestamp)
    case .measured(let id, let measurement): adopt(measurement, of: id)
    case .audio(let observation): adopt(observation, at: timestamp)
    case .audioLinks(let links): adopt(links, at: timestamp)
    case .autoPauseSet(let setting): adopt(setting)
    case .playersPaused(let names): reportPaused(names, at: timestamp)
    case .audioCommandFailed(_, let error): complain(about: error, at: timestamp)
    case .examined(let findings): adopt(findings)
    case .thresholdsChanged(let thresholds): adopt(thresholds)
    case .configurationRead(let mistakes): report(mistakes, at: timestamp)
    case .traffic(let id, let level, let text, let packet):
      trace(level, id, text, packet, at: timestamp)
    case .soundLink(let id, let event): follow(event, of: id, at: timestamp)
    case .powerFailed(let why, let advice): complain(why, advice: advice, at: timestamp)
    case .soundPinned(let id, let device): adopt(pin: device, of: id)
    case .linkWanted(let id, let retries): wantLink(id, isUrgent: true, retries: retries)
    case .linkReleased(let id): releaseLink(id, at: timestamp)
    case .selected(let id): select(id)
    case .screenLeft: leaveScreen()
    case .noted(let level, let headphone, let text): note(level, headphone, text, at: timestamp)
    }
  }

  private mutating func fire(_ timer: TimerID, at timestamp: Timestamp) -> [Effect] {
    switch timer {
    case .notice:
      notice = nil
      return []
    case .measure: return measure()
    case .sound(let id): return giveUpSound(of: id, at: timestamp)
    case .pairing: return tickPairing()
    case .settled: return connectNewDevice(at: timestamp)
    case .reconnect(let id): return reconnect(id, at: timestamp)
    case .steady(let id):
      headphones.update(id) { $0.failedAttempts = 0 }
      return []
    }
  }

  private mutating func adopt(_ findings: [Finding]) -> [Effect] {
    self.findings = findings
    return []
  }

  private mutating func adopt(_ thresholds: BatteryThresholds) -> [Effect] {
    self.thresholds = thresholds
    return []
  }

  private mutating func adopt(pin: SoundDevice.ID?, of id: HeadphoneID) -> [Effect] {
    headphones.update(id) { $0.soundPin = pin }
    return []
  }

  /// A choice of the person's, which a headphone that is received later does not override.
  private mutating func select(_ id: HeadphoneID) -> [Effect] {
    headphones.select(id)
    autoConnect = .never
    return []
  }

  private mutating func leaveScreen() -> [Effect] {
    page = .main
    defer { logLevel = .info }
    return followPackets(from: logLevel, to: .info)
  }
}
