internal import AudioRoute
internal import BluetoothRadio
internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  /// Draws program, headphone and adapter, and when a headphone that is away was last seen.
  ///
  /// Where columns are few, the adapter, the time and the program's name are dropped first.
  mutating func header(_ state: State, _ area: Area) {
    var pen = Cursor(row: area.row, from: area.column + 1, to: area.endColumn - 1)
    if pen.room >= 56, let headphone = state.headphones.selected, !headphone.isLive,
      let seen = headphone.lastPacket
    {
      writeTrailing("last seen \(seen.clock)", .muted, &pen)
    }
    let adapter = adapterText(state.adapter)
    if pen.room >= adapter.text.columns + 18 {
      let isAlone = pen.end == area.endColumn - 1
      writeTrailing(adapter.text + (isAlone ? "" : " " + symbols.separator), adapter.role, &pen)
    }
    if pen.room >= 28 {
      write("earshot", .brand, &pen)
      skip(2, &pen)
    }
    guard let headphone = state.headphones.selected else {
      return write("no headphone", .muted, &pen)
    }
    let count = state.headphones.count
    let position = count > 1 ? position(of: headphone, state) : ""
    var name = Cursor(
      row: pen.row, from: pen.column, to: pen.end - (position.isEmpty ? 0 : position.columns + 1))
    write(displayable(state.name(of: headphone.id)), .headline, &name)
    pen.column = name.column
    if !position.isEmpty {
      skip(1, &pen)
      write(position, .muted, &pen)
    }
  }

  private func position(of headphone: HeadphoneState, _ state: State) -> String {
    let place = places.firstIndex { $0.id == headphone.id } ?? 0
    return "\(place + 1)/\(state.headphones.count)"
  }

  /// Returns the adapter's text, as a warning if the headphones are virtual.
  private func adapterText(_ adapter: AdapterState) -> (text: String, role: Role) {
    switch adapter {
    case .ready(let identity) where identity.isVirtual: ("virtual headphones", .warning)
    case .ready(let identity): (displayable(identity.name), .muted)
    case .unknown: ("", .muted)
    case .absent, .off, .blocked, .denied: (displayable(adapter.displayText), .error)
    }
  }

  /// Draws the overall state of sound and controls, and the keys that help.
  ///
  /// The text is ``/Companion/State/situation(of:)``; keys are dropped where the text needs their
  /// room. A critical charge comes first.
  mutating func situation(_ state: State, _ area: Area) {
    guard !area.isEmpty else { return }
    var pen = Cursor(row: area.row, from: area.column + 1, to: area.endColumn - 1)
    guard let headphone = state.headphones.selected else {
      return write("No headphone connected", .situation, &pen)
    }
    let situation = state.situation(of: headphone)
    if let charges = criticalCharges(headphone) {
      write("! Battery nearly empty: \(charges)", .error, &pen)
      write(symbols.between, .muted, &pen)
    } else {
      let (mark, role) = balance(of: headphone, state)
      self.mark(mark, role, &pen)
    }
    let hints = situation.remedies.compactMap { hint($0, in: state) }
    let hintColumns = hints.reduce(0) { $0 + $1.columns + 2 }
    var text = Cursor(
      row: pen.row, from: pen.column,
      to: pen.room - hintColumns >= 24 ? pen.end - hintColumns : pen.end)
    write(displayable(situation.text).sentence, .situation, &text)
    pen.column = text.column
    guard text.end < pen.end else { return }
    skip(2, &pen)
    write(hints, gap: 2, &pen)
  }

  /// Returns one mark for both links.
  ///
  /// | sound \ controls | ready | not ready |
  /// | --- | --- | --- |
  /// | here | full | half |
  /// | elsewhere | half | half |
  /// | none, unknown | half | empty |
  private func balance(of headphone: HeadphoneState, _ state: State) -> (String, Role) {
    switch (state.route(of: headphone), headphone.link.isReady) {
    case (.connected, true): (symbols.full, .linkReady)
    case (.connected, false), (.notRouted, _), (.none, true), (.unknown, true):
      (symbols.half, .linkWorking)
    case (.none, false), (.unknown, false): (symbols.empty, .linkOff)
    }
  }

  /// Draws the problem (until Esc), else the notice (for 4 s), else the last event.
  mutating func status(_ state: State, _ area: Area) {
    var pen = Cursor(row: area.row, from: area.column + 1, to: area.endColumn - 1)
    if let problem = state.problem {
      drawProblem(problem, state, area)
    } else if let notice = state.notice {
      mark(notice.level.mark(symbols), notice.level.role, &pen)
      write(displayable(notice.text).sentence, .notice, &pen)
      if let remedy = notice.remedy.flatMap({ hint($0, in: state) }), remedy.columns + 2 <= pen.room
      {
        skip(2, &pen)
        write([remedy], gap: 0, &pen)
      }
    } else if let event = state.log.lastEvent {
      logLine(event, state, &pen)
    }
  }

  private mutating func logLine(_ line: LogLine, _ state: State, _ pen: inout Cursor) {
    event(MergedEvent(line), state, &pen)
  }

  mutating func event(_ event: MergedEvent, _ state: State, _ pen: inout Cursor) {
    let line = event.line
    if symbols.areWords, pen.room >= 60 { writeTrailing(String(line.at.clock), .muted, &pen) }
    if pen.room >= 32, !symbols.areWords { write(line.at.clock + " ", .muted, &pen) }
    mark(line.level.mark(symbols), line.level.role, &pen)
    let words = displayable(line.event ?? line.text)
    let times = event.count > 1 ? " (\(event.count) times)" : ""
    guard let id = line.headphone, state.headphones.count > 1 else {
      return write(words.sentence + times, line.level.textRole, &pen)
    }
    if event.headphones.count > 1 {
      let joint = words.contains(" ") ? ": " : " "
      return write("\(event.headphones.count) headphones\(joint)\(words)", .notice, &pen)
    }
    let name = state.name(of: id)
    var said = line
    said.text = line.event ?? line.text
    let text = "  " + displayable(said.text(after: name)) + times
    let room = max(8, min(28, pen.room * 2 / 5), pen.room - text.columns)
    var place = Cursor(row: pen.row, from: pen.column, to: min(pen.end, pen.column + room))
    write(displayable(name), .value, &place)
    pen.column = place.column
    write(text, line.level.textRole, &pen)
  }

  mutating func logText(_ line: LogLine, _ state: State, _ pen: inout Cursor) {
    // Where there is little room, the text matters more than the headphone.
    guard let id = line.headphone, state.headphones.count > 1,
      case let name = state.name(of: id), case let text = displayable(line.text(after: name)),
      pen.room >= min(44, name.columns + 2 + text.columns)
    else {
      return write(displayable(line.text).sentence, line.level.textRole, &pen)
    }
    write(displayable(name) + ": ", .muted, &pen)
    write(text, line.level.textRole, &pen)
  }

  /// Returns 1, or for a problem up to five rows and a third of the screen.
  func statusRows(_ state: State) -> Int {
    guard let problem = state.problem else { return 1 }
    let lines = problemLines(problem, columns: screen.size.columns).count
    return max(1, min(lines, 5, screen.size.rows / 3))
  }

  private func problemLines(_ problem: Problem, columns: Int) -> [String] {
    let advice = problem.advice.isEmpty ? "" : " \(symbols.dash) " + displayable(problem.advice)
    return wrapped(displayable(problem.text).sentence + advice, columns: columns - 8)
  }

  private mutating func drawProblem(_ problem: Problem, _ state: State, _ area: Area) {
    for (place, line) in problemLines(problem, columns: area.columns).prefix(area.rows).enumerated()
    {
      var pen = Cursor(row: area.row + place, from: area.column + 1, to: area.endColumn - 1)
      if place == 0 {
        if let back = style.hint(for: .back) { writeTrailing(back, .key, &pen) }
        write(symbols.failed + " ", .error, &pen)
      } else {
        skip(2, &pen)
      }
      write(line, .error, &pen)
      let isLast = place == area.rows - 1
      if isLast, let remedy = problem.remedy.flatMap({ hint($0, in: state) }),
        remedy.columns + 2 <= pen.room
      {
        skip(2, &pen)
        write([remedy], gap: 0, &pen)
      }
    }
  }
}

extension LogLine.Level {
  func mark(_ symbols: Symbols) -> String {
    switch self {
    // A notice may also say that something was not done.
    case .trace, .debug, .info, .notice: symbols.separator
    case .warning: symbols.areWords ? "warning:" : "!"
    case .error: symbols.failed
    }
  }

  var role: Role {
    switch self {
    case .trace, .debug, .info: .muted
    case .notice: .notice
    case .warning: .warning
    case .error: .error
    }
  }

  /// The colour of the text, which for less severe lines is quieter than that of the mark.
  var textRole: Role {
    switch self {
    case .trace, .debug: .muted
    case .info, .notice: .notice
    case .warning: .warning
    case .error: .error
    }
  }
}

struct MergedEvent {
  var line: LogLine
  var headphones: Set<HeadphoneID>
  var count = 1

  init(_ line: LogLine) {
    self.line = line
    headphones = Set([line.headphone].compactMap(\.self))
  }

  /// Returns whether `other` has the same text and is at most a minute older.
  fileprivate func repeats(_ other: LogLine) -> Bool {
    other.level == line.level && (other.event ?? other.text) == (line.event ?? line.text)
      && other.headphone != nil && line.headphone != nil
      && line.at.milliseconds - other.at.milliseconds < 60_000
  }
}

extension Log {
  /// Returns the last events, the newest last; those close in time with the same text are merged.
  func lastEvents(_ count: Int) -> [MergedEvent] {
    var events: [MergedEvent] = []
    for line in lines.reversed() where line.level >= .info {
      if let last = events.last, last.repeats(line) {
        events[events.count - 1].count += 1
        if let id = line.headphone { events[events.count - 1].headphones.insert(id) }
      } else if events.count < count {
        events.append(MergedEvent(line))
      } else {
        break
      }
    }
    return events.reversed()
  }
}
