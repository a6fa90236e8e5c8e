extension UserCommand {
  /// Commands that open pages, and those of the program.
  static let programCommands = [
    info, log, doctor, help, redraw, theme, suspend, quit,
  ]
  /// What acts whatever is open.
  fileprivate static let overDialogs: Set<UserCommand> = [redraw, suspend, quit]

  package static let help = UserCommand(
    "help", keys: ["?", "F1"], "this help", reach: .everyPage, hint: 200, label: "Help"
  ) { state, _ in state.openOrCloseHelp() }
  package static let redraw = UserCommand(
    "redraw", keys: ["^L"], "redraw the screen", reach: .everyPage, isForDialogs: true
  ) { _, _ in [.redraw] }
  package static let suspend = UserCommand(
    "suspend", keys: ["^Z"], "suspend to the shell", reach: .everyPage, label: "Suspend",
    isForDialogs: true
  ) { _, _ in [.suspend] }
  package static let quit = UserCommand(
    "quit", keys: ["q", "^C"], "quit; on another page: back", shortSummary: "back (^C quits)",
    reach: .everyPage, hint: 210, label: "Quit", isForDialogs: true
  ) { state, _ in state.quit() }
}

extension Question.Subject {
  /// A firmware update is under way.
  package static let quitDuringUpdate = Self(
    "Quit during the update?", no: "Stay", yes: "Quit",
    text: { _ in
      "Quit while the firmware is being updated? The update pauses: install the same image again, "
        + "and it continues where it stopped."
    }
  ) { state, _ in state.leave() }
}

extension State {
  /// Reduces a key; the notice of an earlier one disappears.
  ///
  /// A key that only moves the cursor leaves it, so that it can be read on the way.
  ///
  /// ```swift
  /// var state = State()
  /// let effects = state.reduce(.pressed(.scan), at: now)  // [.startScan]
  /// ```
  mutating func press(_ command: UserCommand, at timestamp: Timestamp) -> [Effect] {
    let before = (notice, page, headphones.selected?.id)
    let effects = action(of: command)(&self, timestamp)
    let isElsewhere =
      !page.isSamePage(as: before.1) || headphones.selected?.id != before.2
      || !command.isCursorMovement
    guard notice != nil, notice == before.0, isElsewhere, !effects.contains(where: \.isNoticeTimer)
    else { return effects }
    notice = nil
    return effects + [.cancelTimer(.notice)]
  }

  /// What a command does now: that of an open dialog, of the page that is shown where that has an
  /// action of its own for it, else what it does everywhere, if it is available.
  private func action(of command: UserCommand) -> UserCommand.Action {
    if let dialog, !UserCommand.overDialogs.contains(command) {
      return { $0.handle(dialog, command, at: $1) }
    }
    if let action = PageCommand.named(command, on: PageKind(page))?.action { return action }
    let availability = command.availability(in: self)
    guard availability == .available else { return { $0.explain(availability, at: $1) } }
    return command.action
  }

  /// A key that means nothing on the page that is shown.
  ///
  /// Not logged: it is a typing error. The notice names the key for the help.
  mutating func noteUnknownKey(_ name: String) -> [Effect] {
    notice = Notice("\"\(name)\" does nothing here", remedy: .help)
    return [.startTimer(.notice, .exactly(.seconds(4)))]
  }

  /// The note on what continues in the owner when a client's screen is quit; nil: nothing notable.
  public var clientQuitText: String? {
    headphones.first(where: \.firmware.isRunning).map {
      "the firmware update of \(name(of: $0.id)) continues in the earshot that owns the link"
    }
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
  fileprivate mutating func quit() -> [Effect] {
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
  fileprivate mutating func leave() -> [Effect] {
    isQuitting = true
    return (scan == .scanning ? [.stopScan] : [])
      + headphones.flatMap { raiseSound(of: $0.id) }
      + headphones.filter(\.link.isUnderWay).map { .disconnect($0.id) }
  }

  /// Opens a page; the same key again returns to the main page.
  ///
  /// A search of the page before is dropped.
  mutating func open(_ page: Page) -> [Effect] {
    filter = ""
    self.page = self.page.isSamePage(as: page) ? .main : page
    return []
  }

  /// The selected headphone, if its link is ready for commands.
  var readyHeadphone: HeadphoneState? { headphones.selected.flatMap { $0.link.isReady ? $0 : nil } }

}

extension Effect {
  /// Whether it begins the time of a notice, so that the notice is a new one.
  fileprivate var isNoticeTimer: Bool {
    if case .startTimer(.notice, _) = self { true } else { false }
  }
}
