import AudioRoute
import Desktop

extension State {
  /// Reduces an action: the only place where state changes.
  ///
  /// It is pure: the same state, action and time result in the same state and effects.
  ///
  /// After the action, each call settles what depends on the whole state, in this order: unwanted
  /// updates are paused, an auto-pause of an absent headphone ends, the time of a new pairing
  /// question is noted, the list of headphones is held while the cursor is in it, the next
  /// connection of the queue begins, absent headphones and set members are listened for, and the
  /// measuring of links and requests for charges start or stop with the screens that show them. A
  /// feature's reducer therefore only returns the effects of its own change.
  ///
  /// - Parameter timestamp: the wall-clock time of the action, for the log and for readings.
  /// - Returns: the effects to run, in order.
  package mutating func reduce(_ action: Action, at timestamp: Timestamp) -> [Effect] {
    let reported = log.total
    defer { if log.total != reported { completeLog(since: reported, action) } }
    let shownBefore = page.kind
    let ranBefore = runningPage
    let hadDialog = ownDialog != nil
    let isWatched =
      !preferences.hooks.isEmpty || preferences.notifications.connected
      || preferences.notifications.disconnected
    let before = isWatched ? headphones : nil
    let effects =
      apply(action, at: timestamp) + replacePresumed(at: timestamp)
      + followLinksWithUpdates(at: timestamp) + forgetPauseOfAbsent()
      + endSpeechOfAbsent(at: timestamp)
      + (arrivedDevices.isEmpty ? [] : careForSound(at: timestamp))
      + followSounds(since: action, at: timestamp) + followOccasions(at: timestamp)
    let corrections = settleCorrections(at: timestamp)
    let runs = before.map { hookRuns(since: $0, action) + notify(since: $0, action) } ?? []
    settlePairings(isUncovered: hadDialog && ownDialog == nil, at: timestamp)
    let links = startNextConnection()
    matchCharges()
    countScreens(since: ranBefore)
    holdOrder()
    let begun =
      effects + corrections + links + measureIfShown()
      + scanWhileFinding(
        isOpened: page.kind == .finder && shownBefore != .finder,
        isRested: action == .timerFired(.findAgain), at: timestamp)
      + searchBroadcasts(isOpened: page.kind == .broadcasts && shownBefore != .broadcasts)
      + askChargesIfShown(at: timestamp)
    return begun + (isEnding ? [] : reconnectPassively())
      + listenForMembers(isScanBeginning: begun.contains(.startScan))
      + shareCharges() + offerPlayer() + runs
  }

  private mutating func apply(_ action: Action, at timestamp: Timestamp) -> [Effect] {
    switch action {
    case .launched(let known, let autoConnect, let scans):
      launch(known, autoConnect, scans: scans)
    case .pressed(let command): press(command, at: timestamp)
    case .unknownKey(let name): noteUnknownKey(name)
    case .keysLost:
      say(
        "the Earshot that kept the link has ended; press your last key again if nothing happened",
        level: .warning, at: timestamp)
    case .screenFocused(let isFocused): focusScreen(isFocused)
    case .pointed(let place): point(at: place)
    case .barSet(let bar, let percent): set(bar, toPercent: percent, at: timestamp)
    case .choiceMade(let id, let choice): choose(choice, of: id, at: timestamp)
    case .sliderSet(let band, let gain): setBand(band, to: gain, at: timestamp)
    case .typed(let key): type(key, at: timestamp)
    case .pathCompleted(let path, let completion): adopt(completion, of: path)
    case .timerFired(let timer): fire(timer, at: timestamp)
    case .adapterChanged(let adapter): adopt(adapter, at: timestamp)
    case .scan(let event): follow(event, at: timestamp)
    case .discovered(let peripheral): receive(peripheral, at: timestamp)
    case .joined(let member, let id): join(member, id, at: timestamp)
    case .link(let id, let event):
      expectRestart(of: id, before: event, at: timestamp) + follow(event, of: id, at: timestamp)
    case .headphone(let id, let event): receive(event, from: id, at: timestamp)
    case .pairing(let event): follow(event, at: timestamp)
    case .commandEnded(let id, let command, let token, let outcome):
      end(command, token, outcome, of: id, at: timestamp)
    case .firmware(let id, let event): follow(event, of: id, at: timestamp)
    case .equaliser(let event): follow(event, at: timestamp)
    case .correction(let id, let event): follow(event, of: id, at: timestamp)
    case .broadcast(let event): follow(event, at: timestamp)
    case .inspection(let id, let event): follow(event, of: id, at: timestamp)
    case .charges(let id, let history): adopt(history, of: id, at: timestamp)
    case .measured(let id, let measurement): adopt(measurement, of: id)
    case .chargeRead(let id, let isRead): noteChargeRead(of: id, isRead: isRead, at: timestamp)
    case .audio(let observation): adopt(observation, at: timestamp)
    case .audioLinks(let links): adopt(links, at: timestamp)
    case .playersPaused(let names): reportPaused(names, at: timestamp)
    case .audioCommandFailed(_, let error): complain(about: error, at: timestamp)
    case .keyHandlerChanged(let handler): adopt(handler)
    case .nowPlaying(let playing): adopt(playing)
    case .playerRefused(let words):
      say("the media player refused: \(words)", at: timestamp)
    case .deviceNews(let news): follow(news, at: timestamp)
    case .examined(let results): adopt(results)
    case .securityExamined(let computer, let id, let survey): adopt(computer, survey, of: id)
    case .fixEnded(let status): followFix(status, at: timestamp)
    case .woke(let asleep): wake(after: asleep, at: timestamp)
    case .configured(let preferences, let isResident):
      adopt(preferences, isResident: isResident, at: timestamp)
    case .configurationKept(let change, let why): report(change, why, at: timestamp)
    case .configurationRead(let mistakes): report(mistakes, at: timestamp)
    case .traffic(let id, let level, let text, let packet):
      trace(level, id, text, packet, at: timestamp)
    case .soundLink(let id, let event): follow(event, of: id, at: timestamp)
    case .soundRouted: leaveSoundHere()
    case .powerFailed(let why, let advice): complain(why, advice: advice, at: timestamp)
    case .soundPinned(let id, let device): pin(device, as: id)
    case .soundModeChosen(let id, let mode): keepMode(mode, of: id)
    case .linkWanted(let id, let holder, let retries):
      holdLink(id, for: holder, retries: retries)
    case .linksReleased(let holder): releaseLinks(of: holder, at: timestamp)
    case .selected(let id): choose(forCommands: id)
    case .viewerOpened: countViewers(by: 1)
    case .viewerClosed: countViewers(by: -1)
    case .screenLeft: leaveScreen()
    case .noted(let level, let headphone, let text): note(level, headphone, text, at: timestamp)
    }
  }

  /// Dispatches a timer that fired, if what it was started for still applies.
  private mutating func fire(_ timer: TimerID, at timestamp: Timestamp) -> [Effect] {
    switch timer {
    case .notice:
      notice = nil
      return []
    case .measure: return measure()
    case .charge(let id): return askCharge(of: id, at: timestamp)
    case .findAgain: return []
    case .correction(let id): return awaitCorrection(of: id, at: timestamp)
    case .heldPlay: return giveUpPlay(at: timestamp)
    case .wearPause: return pauseAfterWait()
    case .sound(let id): return awaitSound(of: id, at: timestamp)
    case .follow(let id): return trySound(of: id, at: timestamp)
    case .soundSetting: return saveSoundSetting()
    case .speech(let id): return endSpeech(of: id, at: timestamp)
    case .scene(let id, let name): return endScene(name, of: id, at: timestamp)
    case .ceiling(let id): return keepCeilingAgain(of: id, at: timestamp)
    case .pairing: return tickPairing()
    case .settled:
      return replacePresumed(isSettled: true, at: timestamp) + connectNewDevice(at: timestamp)
    case .reconnect(let id): return reconnect(id, at: timestamp)
    case .steady(let id):
      headphones.update(id) { $0.link.becomeSteady() }
      return []
    }
  }

  private mutating func focusScreen(_ isFocused: Bool) -> [Effect] {
    isUnfocused = !isFocused
    return []
  }

  private mutating func adopt(_ results: [DiagnosticResult]) -> [Effect] {
    diagnosis = results
    return []
  }

  private mutating func adopt(_ playing: NowPlaying?) -> [Effect] {
    nowPlaying = playing
    return []
  }

  /// Selects the headphone of commands, which a later discovery does not override and which turns
  /// no page.
  private mutating func choose(forCommands id: HeadphoneID) -> [Effect] {
    autoConnect = .never
    commandChoice = id
    return []
  }

  private mutating func countViewers(by change: Int) -> [Effect] {
    viewers += change
    return []
  }

  /// Handles the end of one of several screens, whose page and packet tracing no longer count.
  private mutating func leaveScreen() -> [Effect] {
    page = .main
    defer { logLevel = .info }
    return followPackets(from: logLevel, to: .info)
  }
}
