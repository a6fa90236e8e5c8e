import AudioRoute
import Desktop
import HeadphoneProtocols

extension State {
  /// Reduces a key; the notice of an earlier one disappears.
  ///
  /// A key that only moves the cursor leaves it, so that it can be read on the way.
  ///
  /// ```swift
  /// var state = State()
  /// let effects = state.reduce(.pressed(.scan), at: now)  // [.startScan]
  /// ```
  mutating func pressAndClearNotice(_ command: UserCommand, at timestamp: Timestamp) -> [Effect] {
    let before = (notice, page, headphones.selected?.id)
    let effects = press(command, at: timestamp)
    let isElsewhere =
      !page.isSamePage(as: before.1) || headphones.selected?.id != before.2
      || !command.isCursorMovement
    guard notice != nil, notice == before.0, isElsewhere, !effects.contains(where: \.isNoticeTimer)
    else { return effects }
    notice = nil
    return effects + [.cancelTimer(.notice)]
  }

  /// Dispatches a command.
  ///
  /// In this order: commands of the program itself, an open dialog, the page's own keys, and what
  /// the command means everywhere. The first that handles the command ends the search.
  private mutating func press(_ command: UserCommand, at timestamp: Timestamp) -> [Effect] {
    switch command {
    case .quit: return quit()
    case .suspend: return [.suspend]
    case .redraw: return [.redraw]
    case .nextTheme where dialog == nil: return [.nextTheme]
    default: break
    }
    if let dialog { return answer(dialog, command, at: timestamp) }
    if case .equaliser(let editor) = page, let effects = edit(command, editor, at: timestamp) {
      return effects
    }
    if case .log = page, let effects = readLog(command, at: timestamp) { return effects }
    if case .inspector(let line) = page,
      let effects = inspect(command, line: line, at: timestamp)
    {
      return effects
    }
    if case .pairedDevices(let line) = page,
      let effects = manageDevice(command, line, at: timestamp)
    {
      return effects
    }
    switch command {
    case .nextANC: return stepANC(by: 1, at: timestamp)
    case .previousANC: return stepANC(by: -1, at: timestamp)
    case .setANC(let mode): return choose(mode, at: timestamp)
    case .flipTransparency: return flipTransparency(at: timestamp)
    case .scene(let number): return applyScene(number, at: timestamp)
    case .nextEQ: return stepEQ(by: 1, at: timestamp)
    case .equaliser: return openEqualiser(at: timestamp)
    case .toggleWearDetection: return turn(.wearDetection, by: 1, at: timestamp)
    case .rename: return askForName(at: timestamp)
    case .pairedDevices: return openPairedDevices(at: timestamp)
    case .find: return findOrStop(at: timestamp)
    case .firmware: return openFirmware(at: timestamp)
    case .connectOrDisconnect: return connectOrDisconnect(at: timestamp)
    case .dropControlLink: return dropControlLink(at: timestamp)
    case .scan: return scanOrStop(at: timestamp)
    case .pair: return pair(at: timestamp)
    case .forget: return askToForget(at: timestamp)
    case .factoryReset: return askToReset(at: timestamp)
    case .touchActions: return openTouch(at: timestamp)
    case .refresh where page.isSamePage(as: .touch(line: 0)): return readTouch(at: timestamp)
    case .refresh: return refresh(at: timestamp)
    case .previousHeadphone: return select(by: -1)
    case .nextHeadphone: return select(by: 1)
    case .raise: return slide(by: 1, at: timestamp)
    case .lower: return slide(by: -1, at: timestamp)
    case .routeSound: return routeSound(at: timestamp)
    case .toggleMute: return toggleMute(at: timestamp)
    case .switchProfile: return switchProfile(at: timestamp)
    case .microphone: return chooseMicrophone(at: timestamp)
    case .playOrPause: return commandPlayer(.playPause, at: timestamp)
    case .previousTrack: return commandPlayer(.previous, at: timestamp)
    case .nextTrack: return commandPlayer(.next, at: timestamp)
    case .info:
      if case .inspector = page { return open(page) }
      if case .info = page { return openInspector(at: timestamp) }
      return open(.info(line: 0))
    case .copy: return copyLine(at: timestamp)
    case .log: return open(.log(line: 0))
    case .doctor: return openDoctor()
    case .help: return open(.help(line: 0))
    case .filter: return askForFilter()
    case .nextMatch: return goToMatch(by: 1, at: timestamp)
    case .previousMatch: return goToMatch(by: -1, at: timestamp)
    case .otherPanel, .previousPanel, .up, .down, .left, .right, .top, .bottom, .pageUp, .pageDown,
      .accept, .back:
      return move(command, at: timestamp)
    // Commands of particular pages, which have taken them above.
    case .quit, .suspend, .redraw, .nextTheme, .flatten, .savePreset, .importPreset, .undo, .redo,
      .compare,
      .write, .subscribe:
      return []
    }
  }

  /// A key that means nothing on the page that is shown.
  ///
  /// Not logged: it is a typing error. The notice names the key for the help.
  mutating func noteUnknownKey(_ name: String) -> [Effect] {
    notice = Notice("\"\(name)\" does nothing here", remedy: .help)
    return [.startTimer(.notice, .exactly(.seconds(4)))]
  }

  /// During an update it asks first, and a second `q` on that question quits.
  ///
  /// A client's screen closes at once, since the owner continues.
  ///
  /// | state | `q` |
  /// | --- | --- |
  /// | the screen of a client | closes it; nothing else ends |
  /// | a firmware update runs | asks first |
  /// | else | stops the scan, ends all links, and then the program |
  private mutating func quit() -> [Effect] {
    // The owner keeps the links and finishes what is under way.
    if isClient {
      isQuitting = true
      return []
    }
    let isUpdating = headphones.contains(where: \.firmware.isRunning)
    if isUpdating, dialog != .question(Question(.quitDuringUpdate)) {
      dialog = .question(Question(.quitDuringUpdate))
      return []
    }
    return leave()
  }

  /// Ends all that is under way, and then the program.
  ///
  /// Links are closed one by one, so that headphones need not wait for the supervision timeout.
  mutating func leave() -> [Effect] {
    isQuitting = true
    return (scan == .scanning ? [.stopScan] : [])
      + headphones.filter(\.link.isUnderWay).map { .disconnect($0.id) }
  }

  /// `s`: starts or stops scanning; with the adapter off, switches it on, and the scan follows by
  /// itself.
  ///
  /// An adapter that is absent, blocked or denied is tried all the same, because it may be usable
  /// by now.
  private mutating func scanOrStop(at timestamp: Timestamp) -> [Effect] {
    if scan == .scanning { return [.stopScan] }
    switch adapter {
    case .ready, .unknown: return [.startScan]
    // When it is on the scan begins by itself.
    case .off: return say("switching Bluetooth on", at: timestamp) + [.setPower(true)]
    case .absent, .blocked, .denied:
      // It may be usable by now: scanning examines it again.
      return explain("\(adapter.displayText): \(adapter.advice)", at: timestamp) + [.startScan]
    }
  }

  /// Enter in the list of headphones: connects the selected one; ends no link.
  mutating func connectSelected(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones.selected else { return noteNotConnected(at: timestamp) }
    return headphone.canConnect ? connectOrDisconnect(at: timestamp) : []
  }

  /// `c`: one key for both directions; whatever is under way is cancelled.
  ///
  /// From now on nothing is connected automatically.
  ///
  /// Disconnecting ends the control link alone; the sound stays.
  mutating func connectOrDisconnect(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones.selected else {
      return noteNotConnected(at: timestamp)
    }
    if headphone.isAdvertisingOnly { return noteNotConnectable(headphone.id, at: timestamp) }
    autoConnect = .never
    return headphone.link.isBusy || headphone.link.isConnected
      ? giveUpLink(headphone.id, at: timestamp) : wantLink(headphone.id, isUrgent: true)
  }

  /// Ends the control link.
  ///
  /// The sound, which has a link of its own, is left alone.
  private mutating func dropControlLink(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones.selected, headphone.link.isWanted else { return [] }
    return giveUpLink(headphone.id, at: timestamp)
  }

  /// Opens the doctor's page and runs all checks again.
  private mutating func openDoctor() -> [Effect] {
    let effects = open(.doctor(line: 0))
    guard case .doctor = page else { return effects }
    diagnosis = nil
    return effects + [.examine]
  }

  /// Enter on a result of the doctor: asks before its fix is run; advice is for the user alone.
  mutating func askToFix(_ line: Int, at timestamp: Timestamp) -> [Effect] {
    guard let fix = diagnosis?.element(at: line)?.fix else {
      return explain("nothing to fix here", at: timestamp)
    }
    guard fix.isRunnable else { return explain("only you can do this: \(fix.text)", at: timestamp) }
    dialog = .question(Question(.runFix(fix)))
    return []
  }

  /// After a fix everything is checked again, whether or not it worked.
  mutating func followFix(_ status: Int32, at timestamp: Timestamp) -> [Effect] {
    let words = status == 0 ? "the fix has run" : "the fix failed with status \(status)"
    return say(words, at: timestamp) + [.examine]
  }

  /// `r`: reads all values of the headphone again; on the doctor's page, runs the checks again.
  private mutating func refresh(at timestamp: Timestamp) -> [Effect] {
    if case .doctor = page { return [.examine] }
    guard let id = readyHeadphone?.id else { return noteNotConnected(at: timestamp) }
    return [.refresh(id)] + say("reading all values again", id, at: timestamp)
  }

  /// `[` and `]`: the headphone before or after, round the ends.
  private mutating func select(by step: Int) -> [Effect] {
    headphones.neighbour(by: step).map { select($0.id) } ?? []
  }

  /// Selection by hand: `j` `k`, `[` `]`, the search, the wheel and a click all end here.
  ///
  /// An open equaliser is closed, since it belongs to the headphone before.
  mutating func select(_ id: HeadphoneID) -> [Effect] {
    guard headphones[id] != nil else { return [] }
    headphones.select(id)
    keepsSelection = true
    if case .equaliser = page { page = .main }
    return []
  }

  /// Opens a page; the same key again returns to the main page.
  ///
  /// A search of the page before is dropped.
  private mutating func open(_ page: Page) -> [Effect] {
    filter = ""
    self.page = self.page.isSamePage(as: page) ? .main : page
    return []
  }

  /// The selected headphone, if its link is ready for commands.
  var readyHeadphone: HeadphoneState? { headphones.selected.flatMap { $0.link.isReady ? $0 : nil } }

  /// Shows why a command reaches no headphone, with the key that helps.
  ///
  /// | headphone | notice | key |
  /// | --- | --- | --- |
  /// | none | no headphone yet | scan |
  /// | none, and no adapter | no Bluetooth adapter | doctor |
  /// | only advertises | nothing to connect to | none, or the one that routes its sound |
  /// | being connected | not yet | none |
  /// | not connected | not connected | connect |
  mutating func noteNotConnected(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones.selected else {
      return adapter == .absent
        ? explain(adapter.displayText, remedy: .doctor, at: timestamp)
        : explain("no headphone yet", remedy: .scan, at: timestamp)
    }
    if headphone.isAdvertisingOnly { return noteNotConnectable(headphone.id, at: timestamp) }
    return headphone.link.isBusy
      ? explain("not yet: \(headphone.link.displayText)", headphone.id, at: timestamp)
      : explain("not connected", headphone.id, remedy: .connectOrDisconnect, at: timestamp)
  }

  /// A headphone that only advertises has no link to make; one with sound only gets the key that
  /// routes it.
  mutating func noteNotConnectable(_ id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    headphones[id]?.isAudioOnly == true
      ? explain(
        "Earshot cannot control this model; its sound works", id, remedy: .routeSound,
        at: timestamp)
      : explain("it only advertises: there is nothing to connect to", id, at: timestamp)
  }
}

extension Effect {
  /// Whether it begins the time of a notice, so that the notice is a new one.
  fileprivate var isNoticeTimer: Bool {
    if case .startTimer(.notice, _) = self { true } else { false }
  }
}

extension UserCommand {
  /// Whether it moves the cursor and does nothing else.
  fileprivate var isCursorMovement: Bool {
    switch self {
    case .up, .down, .top, .bottom, .pageUp, .pageDown, .otherPanel, .previousPanel: true
    default: false
    }
  }
}
