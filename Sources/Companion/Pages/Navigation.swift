import AudioRoute
import HeadphoneProtocols

extension UserCommand {
  static let movingCommands = [
    otherPanel, previousPanel, up, down, left, right, top, bottom, pageUp, pageDown, accept, back,
  ]

  package static let otherPanel = UserCommand(
    "other-panel", keys: ["Tab"], "next panel", reach: .none, hint: 60,
    isHinted: { $0.headphones.selected != nil }, label: "Panel", isForDialogs: true,
    isCursorMovement: true, action: ofPages)
  package static let previousPanel = UserCommand(
    "previous-panel", keys: ["S-Tab"], "previous panel", reach: .none, isForDialogs: true,
    isCursorMovement: true, action: ofPages)
  package static let up = moving("up", keys: ["Up", "k"], "row above", .up)
  package static let down = moving("down", keys: ["Down", "j"], "row below", .down)
  package static let left = UserCommand(
    "left", keys: ["Left", "h"], "decrease the value", reach: .none, isForDialogs: true,
    action: ofPages)
  package static let right = UserCommand(
    "right", keys: ["Right", "l"], "increase the value", reach: .none, isForDialogs: true,
    action: ofPages)
  package static let top = moving("top", keys: ["g", "Home"], "first line", .top)
  package static let bottom = moving("bottom", keys: ["G", "End"], "last line", .bottom)
  package static let pageUp = moving("page-up", keys: ["PgUp"], "page up", .pageUp)
  package static let pageDown = moving("page-down", keys: ["PgDn"], "page down", .pageDown)
  /// Acts on the focused row, or gives a dialog's answer.
  package static let accept = UserCommand(
    "accept", keys: ["Enter", "Space"],
    "activate the selected row: change it, play there, connect", reach: .none,
    isForDialogs: true, action: ofPages)
  /// Closes what was opened last, and never quits.
  package static let back = UserCommand(
    "back", keys: ["Esc"], "back; closes errors and dialogs, never quits", shortSummary: "back",
    reach: .everyPage, label: "Back", isForDialogs: true
  ) { $0.goBack(at: $1) }

  private static func moving(
    _ name: String, keys: [String], _ summary: String, _ movement: Movement
  ) -> UserCommand {
    UserCommand(
      name, keys: keys, summary, isForDialogs: true, isCursorMovement: true, movement: movement
    ) { state, _ in state.move(movement) }
  }
}

extension PageKind {
  /// The commands of the main page; a search there selects a headphone.
  package static let main = PageKind(
    "Main page",
    commands: [
      PageCommand(.otherPanel) { state, _ in state.moveFocus(in: Panel.allCases) },
      PageCommand(.previousPanel) { state, _ in state.moveFocus(in: Panel.allCases.reversed()) },
      PageCommand(.left) { $0.turnFocused(by: -1, at: $1) },
      PageCommand(.right) { $0.turnFocused(by: 1, at: $1) },
      PageCommand(.accept) { $0.acceptFocused(at: $1) },
      PageCommand(.back, "close an error, cancel connecting"),
      PageCommand(.undo, "undo the last change of the equaliser") {
        $0.travel(from: \.past, to: \.future, "nothing to undo", at: $1)
      },
      PageCommand(.filter, "find a headphone by its name"),
      .matching(.nextMatch, "next headphone that matches the search", claimsKey: false),
      .matching(.previousMatch, "previous headphone that matches", claimsKey: false),
      PageCommand(.quit, "quit"),
    ],
    lines: { state in
      state.headphoneOrder.map { PageLine(state.headphones[$0]?.name ?? "", copied: nil) }
    },
    search: PageSearch(explanation: "Finds a headphone by its name."),
    cursor: { state in
      state.headphoneOrder.firstIndex { $0 == state.headphones.selected?.id }
    },
    goTo: { state, line in
      let id = state.headphoneOrder[line]
      state.focus = .headphones
      _ = state.select(id)
    })
}

extension PageCommand {
  static let lines = [
    PageCommand(.filter, label: "Search"), matching(.nextMatch), matching(.previousMatch),
    PageCommand(.up, label: "Move"), PageCommand(.down, label: "Move"),
    PageCommand(.copy, label: "Copy"),
    PageCommand(.pageUp, label: "Page"), PageCommand(.pageDown, label: "Page"),
    PageCommand(.top, label: "Top/Bottom"), PageCommand(.bottom, label: "Top/Bottom"),
  ]

  /// Creates a command that the footer shows only during a search.
  static func matching(
    _ command: UserCommand, _ summary: String? = nil, claimsKey: Bool = true
  ) -> PageCommand {
    PageCommand(
      command, summary, claimsKey: claimsKey,
      currentLabel: { $0.filter.isEmpty ? nil : "Match" })
  }
}

extension State {
  /// Moves the cursor: on pages the page keys move by ten lines, in panels by five.
  fileprivate mutating func move(_ movement: Movement) -> [Effect] {
    if let line = page.line {
      // The log counts its lines from the newest, which is drawn last.
      let isUpsideDown = page.isSamePage(as: .log(line: 0))
      let moved = isUpsideDown ? movement.upsideDown : movement
      page = page.with(line: bounded(moved.index(from: line, count: lineCount, page: 10)))
    } else if page == .main {
      moveRow(movement)
    }
    return []
  }

  fileprivate mutating func turnFocused(by step: Int, at timestamp: Timestamp) -> [Effect] {
    switch focus {
    case .audio:
      switch audioCursor {
      case .volume, .output: slide(by: step, at: timestamp)
      case .offset: turnOffset(by: step, at: timestamp)
      }
    case .control: turnRow(by: step, at: timestamp)
    case .headphones: []
    }
  }

  /// Handles Enter on the main page: plays on an output, steps a control, or connects a headphone.
  fileprivate mutating func acceptFocused(at timestamp: Timestamp) -> [Effect] {
    switch focus {
    case .audio: playOnFocusedOutput(at: timestamp)
    case .control: acceptRow(at: timestamp)
    case .headphones: connectSelected(at: timestamp)
    }
  }

  fileprivate mutating func moveFocus(in panels: [Panel]) -> [Effect] {
    focus = panels.next(after: focus)
    return []
  }

  /// The rows of the control panel, in display order; empty until the capabilities are known.
  package var controlRows: [ControlRow] {
    headphones.selected?.capabilities?.controlRows.map(\.row) ?? []
  }

  /// The row under the cursor; the first one if the selected headphone lacks that row.
  package var controlCursor: ControlRow {
    controlRows.contains(controlRow) ? controlRow : controlRows.first ?? controlRow
  }

  /// The rows of the audio panel; empty without a sound server.
  ///
  /// The output whose volume the keys change comes first, then the other outputs in the order of
  /// the sound server, then the offset if there is one.
  package var audioRows: [AudioRow] {
    guard case .running = audio else { return [] }
    let others = outputs.filter { $0.name != volumeOutput?.name }
    return [.volume] + others.map { .output($0.name) } + (offsetText == nil ? [] : [.offset])
  }

  /// The row under the cursor of the audio panel, or the volume if the output is gone.
  package var audioCursor: AudioRow { audioRows.contains(audioRow) ? audioRow : .volume }

  /// Handles a click: moves the focus and the cursor there.
  ///
  /// With a list open, only its lines can be clicked. A place that has gone since it was drawn is
  /// ignored.
  mutating func point(at place: Place) -> [Effect] {
    switch (dialog, place) {
    case (.soundChoice(var choice), .line(let line)) where (0...choice.lastLine) ~= line:
      choice.line = line
      dialog = .soundChoice(choice)
    case (.theme(let choice), .line(let line)): return show(choice, line: line)
    case (.commands(var search), .line(let line)):
      guard foundCommands(search.entry.text).indices.contains(line) else { break }
      search.line = line
      dialog = .commands(search)
    case (.question(let question), .line(let line)):
      guard let finding = question.subject.finding, isAskingWhichBud(question),
        let sides = Question.buds.element(at: line)
      else { break }
      chooseBud(sides, of: finding.headphone, question)
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

  /// Handles Esc, which does one thing for each press, and never quits.
  mutating func goBack(at timestamp: Timestamp) -> [Effect] {
    if problem != nil {
      problem = nil
    } else if page != .main {
      page = page.behind
      filter = ""
    } else if !filter.isEmpty {
      filter = ""
    } else if let headphone = headphones.selected, headphone.link.isBusy {
      return giveUpLink(headphone.id, at: timestamp)
    }
    return []
  }

  private mutating func moveRow(_ movement: Movement) {
    switch focus {
    case .audio: audioRow = audioRows.moved(from: audioCursor, by: movement) ?? .volume
    case .control: controlRow = controlRows.moved(from: controlCursor, by: movement) ?? controlRow
    case .headphones:
      let id = headphones.selected.flatMap {
        headphoneOrder.moved(from: $0.id, by: movement)
      }
      if let id { _ = select(id) }
    }
  }

  /// Handles Enter on a control: chooses the next value, or connects a headphone without a link.
  private mutating func acceptRow(at timestamp: Timestamp) -> [Effect] {
    guard readyHeadphone != nil else {
      let link = headphones.selected?.link
      return link?.isBusy == true || link?.isConnected == true
        ? noteNotConnected(at: timestamp) : connectOrDisconnect(at: timestamp)
    }
    return focusedLevel == nil ? turnRow(by: 1, at: timestamp) : []
  }

  private mutating func turnRow(by step: Int, at timestamp: Timestamp) -> [Effect] {
    guard readyHeadphone != nil else { return noteNotConnected(at: timestamp) }
    if controlCursor == .setting(.pairedDevices) {
      return step > 0 ? open(.pairedDevices(line: 0)) : []
    }
    return turn(controlCursor.id, by: step, at: timestamp)
  }

  func bounded(_ line: Int) -> Int { min(max(0, line), max(0, lineCount - 1)) }

  private var lineCount: Int { page.kind.lines(self).count }
}

enum Movement {
  case up, down, pageUp, pageDown, top, bottom

  /// Returns the index that the movement leads to; `page` is the step of the page keys.
  func index(from index: Int, count: Int, page: Int = 5) -> Int {
    let moved =
      switch self {
      case .up: index - 1
      case .down: index + 1
      case .pageUp: index - page
      case .pageDown: index + page
      case .top: 0
      case .bottom: count - 1
      }
    return min(max(0, moved), max(0, count - 1))
  }

  fileprivate var upsideDown: Movement {
    switch self {
    case .up: .down
    case .down: .up
    case .pageUp: .pageDown
    case .pageDown: .pageUp
    case .top: .bottom
    case .bottom: .top
    }
  }
}

extension Array where Element: Equatable {
  fileprivate func next(after element: Element) -> Element {
    self[((firstIndex(of: element) ?? 0) + 1) % count]
  }

  fileprivate func moved(from element: Element, by movement: Movement) -> Element? {
    guard let index = firstIndex(of: element) else { return first }
    return self[movement.index(from: index, count: count)]
  }
}
