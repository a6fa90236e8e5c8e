extension UserCommand {
  static let programCommands = [
    info, log, doctor, security, commands, help, redraw, theme, suspend, quit,
  ]
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
  ) { state, timestamp in state.quit(at: timestamp) }
}

extension Question.Subject {
  package static let quitDuringUpdate = Self(
    "Quit during the update?", no: "Stay", yes: "Quit",
    text: { _ in
      "Quit while the firmware is being updated? The update pauses: install the same image again, "
        + "and it continues where it stopped."
    }
  ) { state, timestamp in state.leave(at: timestamp) }
}

extension State {
  /// Reduces a key, and removes an earlier notice, unless the key only moves the cursor.
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

  /// Returns the action of an open dialog, else of the page, else the general one if available.
  private func action(of command: UserCommand) -> UserCommand.Action {
    if let dialog, !UserCommand.overDialogs.contains(command) {
      return { $0.handle(dialog, command, at: $1) }
    }
    if let action = PageCommand.named(command, on: PageKind(page))?.action { return action }
    let availability = command.availability(in: self)
    guard availability == .available else { return { $0.explain(availability, at: $1) } }
    return command.action
  }

  /// Shows a notice, without logging it: an unknown key is a typing error.
  mutating func noteUnknownKey(_ name: String) -> [Effect] {
    notice = Notice("\"\(name)\" does nothing here", remedy: .help, isAnswer: true)
    return [.startTimer(.notice, .exactly(.seconds(4)))]
  }

  /// A note on what continues after a client's screen is quit; nil if nothing notable does.
  package var clientQuitText: String? {
    headphones.first(where: \.firmware.isRunning).map {
      "the firmware update of \(name(of: $0.id)) continues in the earshot that owns the link"
    }
  }

  /// Quits; a second `q` on the question about a running update quits as well.
  ///
  /// | state | `q` |
  /// | --- | --- |
  /// | the screen of a client | closes it; nothing else ends |
  /// | a firmware update is running | asks first |
  /// | otherwise | stops the scan, disconnects all headphones, and exits |
  fileprivate mutating func quit(at timestamp: Timestamp) -> [Effect] {
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
    return leave(at: timestamp)
  }

  /// Ends everything, then the program; closing links spares headphones the supervision timeout.
  fileprivate mutating func leave(at timestamp: Timestamp) -> [Effect] {
    isQuitting = true
    isEnding = true
    return saveSoundSetting() + (scan == .scanning ? [.stopScan] : [])
      + headphones.flatMap { raiseSound(of: $0.id, at: timestamp) }
      + headphones.filter(\.link.isUnderWay).map { .disconnect($0.id) }
  }

  /// Opens `page`, or returns to the main page if `page` is already open.
  mutating func open(_ page: Page) -> [Effect] {
    filter = ""
    self.page = self.page.isSamePage(as: page) ? .main : page
    return []
  }

  var readyHeadphone: HeadphoneState? { headphones.selected.flatMap { $0.link.isReady ? $0 : nil } }

}

extension Effect {
  fileprivate var isNoticeTimer: Bool {
    if case .startTimer(.notice, _) = self { true } else { false }
  }
}
