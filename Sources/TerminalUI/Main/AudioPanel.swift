internal import AudioRoute
internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  func audioExplanation(_ state: State, columns: Int) -> [String] {
    if let words = state.headphones.selected.flatMap(state.broadcastText(of:)) {
      return wrapped(words.sentence + ".", columns: columns)
    }
    if case .unavailable(let reason) = state.audio {
      let rest = reason.sparesControls && state.adapter != .absent ? " Controls don't need it." : ""
      return wrapped(
        displayable(reason.displayText).sentence + ". " + reason.explanation + rest,
        columns: columns)
    }
    guard let headphone = state.headphones.selected else { return [] }
    if state.correctionStatus(of: headphone) == .inUse,
      let correction = state.correction(of: headphone)
    {
      return wrapped("Through correction: \(displayable(correction.name)).", columns: columns)
    }
    if let words = state.audioLinkText(of: headphone) {
      return wrapped(words.sentence + ".", columns: columns)
    }
    guard case .none = state.route(of: headphone), headphone.publicAddress == nil else { return [] }
    return wrapped(
      "To play here, connect it once in the desktop's sound settings.", columns: columns)
  }

  /// Draws the lines of the audio panel; those beyond the area are cut.
  mutating func audioPanel(_ lines: [AudioLine], wire: Int, _ state: State, _ area: Area) {
    let columns = PanelColumns(area: area, labelColumns: 10)
    for (place, line) in lines.prefix(area.rows).enumerated() {
      draw(line, wire: wire, state, columns, row: area.row + place)
    }
  }

  private mutating func draw(
    _ line: AudioLine, wire: Int, _ state: State, _ columns: PanelColumns, row: Int
  ) {
    var pen = columns.line(row: row)
    var content = columns.content(row: row)
    let route = state.headphones.selected.map(state.route(of:))
    switch line {
    case .space: return
    case .wire:
      guard let route = route ?? state.unknownRoute else {
        return write(symbols.empty + " no headphone", .linkOff, &pen)
      }
      self.wire(route.wire(symbols), columns: wire, &pen)
    case .branch:
      guard let sink = route?.elsewhere else { return }
      branch(to: displayable(sink.description), columns: wire, &pen)
    case .playing:
      guard let (isPlaying, text) = state.nowPlayingText else { return }
      let start = pen.column
      write(isPlaying ? symbols.playing : symbols.paused, isPlaying ? .linkReady : .muted, &pen)
      write(" " + text, isPlaying ? .value : .muted, &pen)
      clickable(from: start, to: pen, .playOrPause)
    case .explanation(let number):
      let lines = audioExplanation(state, columns: pen.room)
      if lines.indices.contains(number) { write(lines[number], .muted, &pen) }
    case .microphone:
      guard let (text, isWarning) = state.microphoneText(of: state.headphones.selected) else {
        return
      }
      let start = pen.column
      label("Calls use", &pen, &content)
      write(displayable(text), isWarning ? .warning : .value, &content)
      clickable(from: start, to: content, .microphone)
    case .volume:
      if let sink = state.volumeOutput { output(sink, at: .volume, state, columns, row: row) }
    case .offset:
      guard let text = state.offsetText else { return }
      audioPointer(.offset, state, columns, row: row)
      var place = columns.label(row: row)
      let start = place.column
      label("Sync", &place, &content)
      write(text, .value, &content)
      clickable(from: start, to: content, [.pointed(.audio(.offset))])
    case .output(let name):
      guard let sink = state.outputs.first(where: { $0.name == name }) else { return }
      output(sink, at: .output(name), state, columns, row: row)
    }
  }

  /// Draws an output with its volume.
  ///
  /// A click moves the cursor there, and one on the bar sets its volume. Nothing else changes, so
  /// that a second click hits the same output.
  private mutating func output(
    _ sink: AudioSink, at place: AudioRow, _ state: State, _ columns: PanelColumns, row: Int
  ) {
    let isChosen = audioPointer(place, state, columns, row: row)
    let isActive = sink == state.output
    var pen = columns.line(row: row)
    screen.add(
      Target(
        area: Area(column: pen.column, row: row, columns: pen.room, rows: 1),
        aim: .actions([.pointed(.audio(place))]), wheel: .value(.audio(place))))
    mark(isActive ? symbols.full : symbols.empty, isActive ? .linkReady : .muted, &pen)
    let name = displayable(sink.description)
    let role: Role = isChosen ? .rowSelected : isActive ? .value : .label
    let amount = sink.isMuted ? "muted" : percentage(sink.volume)
    let amountRole: Role = sink.isMuted ? .warning : isActive || isChosen ? .value : .muted
    guard !symbols.areWords else {
      write(words(name) + "volume \(percentage(sink.volume))", role, &pen)
      return write((sink.isMuted ? ", muted" : "") + (isActive ? ", in use" : ""), role, &pen)
    }
    let room = pen.room - Self.amountColumns
    let widest = room >= 18 ? min(24, room / 3) : 0
    let barColumns = max(0, widest - max(0, amount.columns - Self.amountColumns))
    let start = pen.end - Self.amountColumns - (widest > 0 ? widest + 1 : 0)
    var title = Cursor(row: row, from: pen.column, to: max(pen.column, start - 1))
    write(name, role, &title)
    pen.column = max(pen.column, start)
    bar(
      min(sink.volume, 100), columns: barColumns, sink.isMuted ? .stale : .barFilled, &pen)
    settable(from: start, to: pen, .soundVolume, .audio(place))
    pen.column = pen.end - min(pen.room, amount.columns)
    write(amount, amountRole, &pen)
  }

  /// The columns of "100%"; "muted" takes one of the bar.
  private static let amountColumns = 4

  private mutating func label(_ text: String, _ pen: inout Cursor, _ content: inout Cursor) {
    guard symbols.areWords else { return write(text, .label, &pen) }
    pen = Cursor(row: pen.row, from: pen.column, to: content.end)
    write(words(text), .label, &pen)
    content.column = pen.column
  }

  @discardableResult
  private mutating func audioPointer(
    _ place: AudioRow, _ state: State, _ columns: PanelColumns, row: Int
  ) -> Bool {
    guard state.focus == .audio, state.audioCursor == place else { return false }
    var pen = columns.pointer(row: row)
    pointer(true, as: .titleFocused, &pen)
    return true
  }
}

extension State {
  /// The route without a headphone if there is no sound server either.
  fileprivate var unknownRoute: RouteState? {
    if case .unavailable(let reason) = audio { .unknown(reason) } else { nil }
  }
}
