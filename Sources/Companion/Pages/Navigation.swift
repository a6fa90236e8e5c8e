import AudioRoute
import HeadphoneProtocols

extension State {
  /// Cursor keys, Enter, Esc and Tab on a page without a dialog.
  ///
  /// Tab moves among the three panels of the main page, and between information and inspector; ← →
  /// change the value of the row under the cursor; Enter acts on it. Pages with a list move their
  /// line and stop at its ends.
  ///
  /// | panel | ↑ ↓ | ← → | Enter |
  /// | --- | --- | --- | --- |
  /// | audio | volume and outputs | volume | plays on the output |
  /// | control | settings | the value | the next value; nothing on sliders |
  /// | headphones | headphones | | connects |
  mutating func move(_ command: UserCommand, at timestamp: Timestamp) -> [Effect] {
    if command == .back { return goBack(at: timestamp) }
    switch (command, page) {
    case (.otherPanel, .info), (.previousPanel, .info): return openInspector(at: timestamp)
    case (.accept, .info): return askForSoundDevice(at: timestamp)
    case (.left, .touch(let line)): return turnTouch(line, by: -1, at: timestamp)
    case (.right, .touch(let line)), (.accept, .touch(let line)):
      return turnTouch(line, by: 1, at: timestamp)
    case (.accept, .doctor(let line)): return askToFix(line, at: timestamp)
    case (.accept, .help(let line)): return runFromHelp(line, at: timestamp)
    default: break
    }
    if case .equaliser = page { return [] }
    if page == .firmware { return command == .accept ? actOnFirmware(at: timestamp) : [] }
    if let line = page.line {
      // The log's lines count from the newest, which is the lowest.
      let isUpsideDown = page.isSamePage(as: .log(line: 0))
      let moved = isUpsideDown ? command.upsideDown : command
      page = page.with(line: bounded(line + step(moved, from: line)))
      return []
    }
    switch (command, focus) {
    case (.otherPanel, _): focus = Panel.allCases.next(after: focus)
    case (.previousPanel, _): focus = Panel.allCases.reversed().next(after: focus)
    case (.up, _), (.down, _), (.top, _), (.bottom, _), (.pageUp, _), (.pageDown, _):
      moveRow(command)
    case (.left, .audio) where audioCursor == .volume: return slide(by: -1, at: timestamp)
    case (.right, .audio) where audioCursor == .volume: return slide(by: 1, at: timestamp)
    case (.left, .control): return turnRow(by: -1, at: timestamp)
    case (.right, .control): return turnRow(by: 1, at: timestamp)
    case (.accept, .control): return acceptRow(at: timestamp)
    case (.accept, .audio): return routeSound(at: timestamp)
    case (.accept, .headphones): return connectSelected(at: timestamp)
    default: break
    }
    return []
  }

  /// The rows of the control panel that the selected headphone has.
  ///
  /// In the order of the panel; empty before the capabilities are known.
  public var controlRows: [ControlRow] {
    guard let capabilities = headphones.selected?.capabilities else { return [] }
    let rows: [(ControlRow, Bool)] = [
      (.anc, !capabilities.ancModes.isEmpty), (.ancLevel, capabilities.hasANCLevel),
      (.eq, !capabilities.eqPresets.isEmpty), (.volume, capabilities.hasVolume),
    ]
    return rows.filter(\.1).map(\.0) + capabilities.shownSettings.map { .setting($0.id) }
  }

  /// The row of the control panel that the cursor is on; a headphone may lack the one that it was on.
  public var controlCursor: ControlRow {
    controlRows.contains(controlRow) ? controlRow : controlRows.first ?? controlRow
  }

  /// The rows of the audio panel that the cursor can be on.
  ///
  /// The volume first, then the outputs that sound could go to instead; empty without a sound
  /// server.
  public var audioRows: [AudioRow] {
    guard case .running = audio else { return [] }
    return [.volume] + otherOutputs.map { .output($0.name) }
  }

  /// The row of the audio panel that the cursor is on; the output that it was on may be gone.
  public var audioCursor: AudioRow { audioRows.contains(audioRow) ? audioRow : .volume }

  /// A click: the focus goes there, and the cursor.
  ///
  /// With a list open, only its own lines can be clicked; a click elsewhere does nothing.
  ///
  /// A place that is no longer there, because the state has changed since it was drawn, is ignored.
  mutating func point(at place: Place) -> [Effect] {
    switch (dialog, place) {
    case (.soundChoice(var choice), .line(let line)) where (0...choice.lastLine) ~= line:
      choice.line = line
      dialog = .soundChoice(choice)
    case (.some, _): break
    case (nil, .line(let line)): page = page.with(line: bounded(line))
    case (nil, .equaliser(let row)):
      guard case .equaliser(var editor) = page, equaliserRows.contains(row) else { break }
      editor.row = row
      page = .equaliser(editor)
    case (nil, .panel(let panel)): focus = panel
    case (nil, .control(let row)):
      focus = .control
      if controlRows.contains(row) { controlRow = row }
    case (nil, .audio(let row)):
      focus = .audio
      audioRow = row
    case (nil, .headphone(let id)):
      focus = .headphones
      return select(id)
    }
    return []
  }

  /// Esc: closes an error, leaves a page, cancels what is under way; never quits.
  ///
  /// One thing for each key press, in that order.
  private mutating func goBack(at timestamp: Timestamp) -> [Effect] {
    if problem != nil {
      problem = nil
    } else if page != .main {
      page = .main
      filter = ""
    } else if let headphone = headphones.selected, headphone.link.isBusy {
      return giveUpLink(headphone.id, at: timestamp)
    }
    return []
  }

  /// Moves the cursor of the focused panel; it stops at the ends of its list.
  private mutating func moveRow(_ command: UserCommand) {
    switch focus {
    case .audio: audioRow = audioRows.moved(from: audioCursor, by: command) ?? .volume
    case .control: controlRow = controlRows.moved(from: controlCursor, by: command) ?? controlRow
    case .headphones:
      let id = headphones.selected.flatMap { headphones.map(\.id).moved(from: $0.id, by: command) }
      if let id { _ = select(id) }
    }
  }

  /// Enter: a choice goes on by one, a slider stays as it is; without a link it is connected.
  private mutating func acceptRow(at timestamp: Timestamp) -> [Effect] {
    guard readyHeadphone != nil else {
      let link = headphones.selected?.link
      return link?.isBusy == true || link?.isConnected == true
        ? noteNotConnected(at: timestamp) : connectOrDisconnect(at: timestamp)
    }
    switch controlCursor {
    case .anc, .eq: return turnRow(by: 1, at: timestamp)
    case .ancLevel, .volume: return []
    case .setting(.pairedDevices): return openPairedDevices(at: timestamp)
    case .setting(let id):
      let kind = headphones.selected?.capabilities?.settings.first { $0.id == id }?.kind
      if case .level = kind { return [] }
      return turnRow(by: 1, at: timestamp)
    }
  }

  /// ← and → on a row of the control panel.
  ///
  /// - Parameter step: 1 or -1.
  private mutating func turnRow(by step: Int, at timestamp: Timestamp) -> [Effect] {
    guard readyHeadphone != nil else { return noteNotConnected(at: timestamp) }
    return switch controlCursor {
    case .anc: stepANC(by: step, at: timestamp)
    case .ancLevel: stepANCLevel(by: step, at: timestamp)
    case .eq: stepEQ(by: step, at: timestamp)
    case .volume: stepVolume(by: step, at: timestamp)
    case .setting(.pairedDevices): step > 0 ? openPairedDevices(at: timestamp) : []
    case .setting(let id): turn(id, by: step, at: timestamp)
    }
  }

  /// How many lines a command moves; a page is ten.
  ///
  /// Page keys in a panel's own list move by five rows.
  private func step(_ command: UserCommand, from line: Int) -> Int {
    switch command {
    case .up: -1
    case .down: 1
    case .pageUp: -10
    case .pageDown: 10
    case .top: -line
    case .bottom: lineCount
    default: 0
    }
  }

  /// A line of the page, clamped to those that exist.
  func bounded(_ line: Int) -> Int { min(max(0, line), max(0, lineCount - 1)) }

  /// The number of lines that the cursor can be on; 0 on pages without a list.
  private var lineCount: Int {
    switch page {
    case .main, .firmware, .equaliser: 0
    case .help: UserCommand.allCases.count
    case .log: logLines.count
    case .info: infoLines.count
    case .inspector: inspectorEntries.count
    case .doctor: diagnosis?.count ?? 0
    case .touch: TouchSettings.Place.allCases.count
    case .pairedDevices: pairedDeviceLines.count
    }
  }
}

extension Array where Element: Equatable {
  /// The element after this one, round the end.
  fileprivate func next(after element: Element) -> Element {
    self[((firstIndex(of: element) ?? 0) + 1) % count]
  }

  /// The element that a command to move leads to; nil: there are none.
  fileprivate func moved(from element: Element, by command: UserCommand) -> Element? {
    guard let index = firstIndex(of: element) else { return first }
    let moved =
      switch command {
      case .up: index - 1
      case .down: index + 1
      case .pageUp: index - 5
      case .pageDown: index + 5
      case .top: 0
      default: count - 1
      }
    return self[Swift.min(Swift.max(0, moved), count - 1)]
  }
}

extension Page {
  /// The line of the cursor; nil: the page has no list.
  var line: Int? {
    switch self {
    case .main, .firmware, .equaliser: nil
    case .help(let line), .log(let line), .info(let line), .doctor(let line), .touch(let line),
      .inspector(let line), .pairedDevices(let line):
      line
    }
  }

  /// The same page with its cursor on another line.
  func with(line: Int) -> Page {
    switch self {
    case .main, .firmware, .equaliser: self
    case .help: .help(line: line)
    case .log: .log(line: line)
    case .info: .info(line: line)
    case .inspector: .inspector(line: line)
    case .touch: .touch(line: line)
    case .pairedDevices: .pairedDevices(line: line)
    case .doctor: .doctor(line: line)
    }
  }

  /// Whether both are the same page, wherever their cursors are.
  func isSamePage(as other: Page) -> Bool { with(line: 0) == other.with(line: 0) }
}

extension UserCommand {
  /// The opposite direction, for a list that grows upwards.
  fileprivate var upsideDown: UserCommand {
    switch self {
    case .up: .down
    case .down: .up
    case .pageUp: .pageDown
    case .pageDown: .pageUp
    case .top: .bottom
    case .bottom: .top
    default: self
    }
  }
}
