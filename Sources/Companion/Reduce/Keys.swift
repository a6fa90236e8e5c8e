import AudioRoute
import Headphones

extension State {
  mutating func press(_ command: UserCommand, at moment: Moment) -> [Effect] {
    switch command {
    case .quit: return quit()
    case .suspend: return [.suspend]
    case .redraw: return [.redraw]
    default: break
    }
    if let dialog { return answer(dialog, command, at: moment) }
    if case .equaliser(let editor) = page, let effects = edit(command, editor, at: moment) {
      return effects
    }
    if case .log = page, let effects = readLog(command, at: moment) { return effects }
    if case .inspector(let line) = page,
      let effects = inspect(command, line: line, at: moment)
    {
      return effects
    }
    switch command {
    case .nextANC: return stepANC(by: 1, at: moment)
    case .previousANC: return stepANC(by: -1, at: moment)
    case .setANC(let mode): return choose(mode, at: moment)
    case .flipTransparency: return flipTransparency(at: moment)
    case .nextEQ: return stepEQ(by: 1, at: moment)
    case .equaliser: return openEqualiser(at: moment)
    case .flatten, .savePreset, .importPreset:
      return say("that is for the equaliser's page", remedy: .equaliser, at: moment)
    case .toggleWearDetection: return toggleWearDetection(at: moment)
    case .rename: return askForName(at: moment)
    case .find: return findOrStop(at: moment)
    case .firmware: return openFirmware(at: moment)
    case .connectOrDisconnect: return connectOrDisconnect(at: moment)
    case .dropControlLink: return dropControlLink(at: moment)
    case .scan: return scanOrStop(at: moment)
    case .pair: return pair(at: moment)
    case .forget: return askToForget(at: moment)
    case .factoryReset: return askToReset(at: moment)
    case .refresh: return refresh(at: moment)
    case .previousHeadphone: return select(by: -1)
    case .nextHeadphone: return select(by: 1)
    case .raise: return slide(by: 1, at: moment)
    case .lower: return slide(by: -1, at: moment)
    case .routeSound: return routeSound(at: moment)
    case .toggleMute: return toggleMute(at: moment)
    case .switchProfile: return switchProfile(at: moment)
    case .info:
      if case .inspector = page { return open(page) }
      if case .info = page { return openInspector(at: moment) }
      return open(.info(line: 0))
    case .copy: return say("that is for the log's page", remedy: .log, at: moment)
    case .write, .subscribe:
      return say(
        "that is for the inspector: the information's key twice", remedy: .info, at: moment)
    case .log: return open(.log(line: 0))
    case .doctor: return openDoctor()
    case .help: return open(.help(line: 0))
    case .filter: return askForFilter()
    case .otherPanel, .up, .down, .left, .right, .top, .bottom, .pageUp, .pageDown, .accept, .back:
      return move(command, at: moment)
    case .quit, .suspend, .redraw: return []
    }
  }

  private mutating func quit() -> [Effect] {
    // The owner of the link goes on with all that is under way.
    if isGuest {
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
  mutating func leave() -> [Effect] {
    isQuitting = true
    return (scan == .scanning ? [.stopScan] : [])
      + headphones.filter(\.link.isUnderWay).map { .disconnect($0.id) }
  }

  private mutating func scanOrStop(at moment: Moment) -> [Effect] {
    if scan == .scanning { return [.stopScan] }
    switch adapter {
    case .ready, .unknown: return [.startScan]
    case .absent, .off, .blocked, .denied:
      // It may have come meanwhile: trying looks at it again.
      return say("\(adapter.words): \(adapter.advice)", at: moment) + [.startScan]
    }
  }

  private mutating func connectOrDisconnect(at moment: Moment) -> [Effect] {
    guard let headphone = headphones.selected else {
      return say("no headphone yet", remedy: .scan, at: moment)
    }
    if headphone.isHeardOnly { return sayHeardOnly(headphone.id, at: moment) }
    autoConnect = .never
    return headphone.link.isBusy || headphone.link.isConnected
      ? giveUpLink(headphone.id, at: moment) : wantLink(headphone.id, isUrgent: true)
  }

  private mutating func dropControlLink(at moment: Moment) -> [Effect] {
    guard let headphone = headphones.selected, headphone.isWanted else { return [] }
    return giveUpLink(headphone.id, at: moment)
  }

  private mutating func openDoctor() -> [Effect] {
    let effects = open(.doctor(line: 0))
    guard case .doctor = page else { return effects }
    findings = nil
    return effects + [.examine]
  }

  private mutating func refresh(at moment: Moment) -> [Effect] {
    if case .doctor = page { return [.examine] }
    guard let id = readyHeadphone?.id else { return sayNotConnected(at: moment) }
    return [.refresh(id)] + note(.info, id, "reading all values again", at: moment)
  }

  private mutating func select(by step: Int) -> [Effect] {
    headphones.moveSelection(by: step)
    // The page is about the one before.
    if case .equaliser = page { page = .main }
    return []
  }

  private mutating func open(_ page: Page) -> [Effect] {
    self.page = self.page.isSamePage(as: page) ? .main : page
    return []
  }

  /// The selected headphone, if its link is ready for commands.
  var readyHeadphone: HeadphoneState? { headphones.selected.flatMap { $0.link.isReady ? $0 : nil } }

  /// Says why a command has nobody to go to.
  mutating func sayNotConnected(at moment: Moment) -> [Effect] {
    guard let headphone = headphones.selected else {
      return say("no headphone yet", remedy: .scan, at: moment)
    }
    if headphone.isHeardOnly { return sayHeardOnly(headphone.id, at: moment) }
    return headphone.link.isBusy
      ? say("not yet: \(headphone.link.words)", headphone.id, at: moment)
      : say("not connected", headphone.id, remedy: .connectOrDisconnect, at: moment)
  }

  private mutating func sayHeardOnly(_ id: HeadphoneID, at moment: Moment) -> [Effect] {
    say("it tells this without a connection, and offers none for controls", id, at: moment)
  }
}
