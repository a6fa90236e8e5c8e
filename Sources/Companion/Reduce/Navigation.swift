import Headphones

extension State {
  mutating func move(_ command: UserCommand, at timestamp: Timestamp) -> [Effect] {
    if command == .back { return goBack(at: timestamp) }
    if case (.otherPanel, .info) = (command, page) { return openInspector(at: timestamp) }
    if case (.accept, .info) = (command, page) { return askForSoundDevice(at: timestamp) }
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
    case (.otherPanel, _): focus = focus == .audio ? .control : .audio
    // Where there are no rows to move among, one moves among the headphones.
    case (.up, .audio): headphones.moveSelection(by: -1)
    case (.down, .audio): headphones.moveSelection(by: 1)
    case (.up, .control) where controlRows.isEmpty: headphones.moveSelection(by: -1)
    case (.down, .control) where controlRows.isEmpty: headphones.moveSelection(by: 1)
    case (.up, .control): moveRow(by: -1)
    case (.down, .control): moveRow(by: 1)
    case (.top, .control): controlRow = controlRows.first ?? controlRow
    case (.bottom, .control): controlRow = controlRows.last ?? controlRow
    case (.left, .audio): return slide(by: -1, at: timestamp)
    case (.right, .audio): return slide(by: 1, at: timestamp)
    case (.left, .control): return turnRow(by: -1, at: timestamp)
    case (.right, .control), (.accept, .control): return turnRow(by: 1, at: timestamp)
    case (.accept, .audio): return routeSound(at: timestamp)
    default: break
    }
    return []
  }

  /// The rows of the control panel that the selected headphone has.
  public var controlRows: [ControlRow] {
    guard let capabilities = headphones.selected?.capabilities else { return [] }
    let rows: [(ControlRow, Bool)] = [
      (.anc, !capabilities.ancModes.isEmpty), (.ancLevel, capabilities.hasANCLevel),
      (.eq, !capabilities.eqPresets.isEmpty), (.volume, capabilities.hasVolume),
    ]
    return rows.filter(\.1).map(\.0) + capabilities.shownSettings.map { .setting($0.id) }
  }

  /// Esc: closes an error, leaves a page, cancels what is under way; never quits.
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

  private mutating func moveRow(by step: Int) {
    let rows = controlRows
    guard let index = rows.firstIndex(of: controlRow) else {
      controlRow = rows.first ?? controlRow
      return
    }
    controlRow = rows[min(max(0, index + step), rows.count - 1)]
  }

  private mutating func turnRow(by step: Int, at timestamp: Timestamp) -> [Effect] {
    guard readyHeadphone != nil else { return noteNotConnected(at: timestamp) }
    return switch controlRow {
    case .anc: stepANC(by: step, at: timestamp)
    case .ancLevel: stepANCLevel(by: step, at: timestamp)
    case .eq: stepEQ(by: step, at: timestamp)
    case .volume: stepVolume(by: step, at: timestamp)
    case .setting(let id): turn(id, by: step, at: timestamp)
    }
  }

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

  private func bounded(_ line: Int) -> Int { min(max(0, line), max(0, lineCount - 1)) }

  private var lineCount: Int {
    switch page {
    case .main, .firmware, .equaliser: 0
    case .help: UserCommand.allCases.count
    case .log: logLines.count
    case .info: infoLines.count
    case .inspector: inspectorEntries.count
    case .doctor: findings?.count ?? 0
    }
  }
}

extension Page {
  fileprivate var line: Int? {
    switch self {
    case .main, .firmware, .equaliser: nil
    case .help(let line), .log(let line), .info(let line), .doctor(let line),
      .inspector(let line):
      line
    }
  }

  fileprivate func with(line: Int) -> Page {
    switch self {
    case .main, .firmware, .equaliser: self
    case .help: .help(line: line)
    case .log: .log(line: line)
    case .info: .info(line: line)
    case .inspector: .inspector(line: line)
    case .doctor: .doctor(line: line)
    }
  }

  func isSamePage(as other: Page) -> Bool { with(line: 0) == other.with(line: 0) }
}

extension UserCommand {
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
