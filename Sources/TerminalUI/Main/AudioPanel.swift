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
  ///
  /// - Parameter wire: The width of the wire in columns.
  mutating func audioPanel(_ lines: [AudioLine], wire: Int, _ state: State, _ area: Area) {
    let columns = PanelColumns(area: area, labelColumns: 9)
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
    case .playing:
      guard let (isPlaying, text) = state.nowPlayingText else { return }
      let start = pen.column
      write(isPlaying ? symbols.playing : symbols.paused, isPlaying ? .linkReady : .muted, &pen)
      write(" " + text, isPlaying ? .value : .muted, &pen)
      clickable(from: start, to: pen, .playOrPause)
    case .explanation(let number):
      let lines = audioExplanation(state, columns: pen.room)
      if lines.indices.contains(number) { write(lines[number], .muted, &pen) }
    case .outputsTitle: write("Outputs", .title, &pen)
    case .microphone:
      guard let (text, isWarning) = state.microphoneText(of: state.headphones.selected) else {
        return
      }
      let start = pen.column
      write("Call mic", .label, &pen)
      write(displayable(text), isWarning ? .warning : .value, &content)
      clickable(from: start, to: content, .microphone)
    case .volume: volume(route, state, columns, row: row)
    case .offset:
      guard let text = state.offsetText else { return }
      audioPointer(.offset, state, columns, row: row)
      var label = columns.label(row: row)
      let start = label.column
      write("Sync", .label, &label)
      write(text, .value, &content)
      clickable(from: start, to: content, [.pointed(.audio(.offset))])
    case .output(let name): output(name, state, columns, &pen)
    }
  }

  /// A click routes the sound to the output.
  private mutating func output(
    _ name: String, _ state: State, _ columns: PanelColumns, _ pen: inout Cursor
  ) {
    guard case .running(let sound) = state.audio,
      let sink = sound.sinks.first(where: { $0.name == name })
    else { return }
    let isChosen = audioPointer(.output(name), state, columns, row: pen.row)
    let isActive = name == sound.defaultSink
    let place = Place.audio(.output(name))
    screen.add(
      Target(
        area: Area(column: pen.column, row: pen.row, columns: pen.room, rows: 1),
        aim: .actions([.pointed(place)] + (isActive ? [] : [.pressed(.accept)])),
        wheel: .value(place)))
    write((isActive ? symbols.full : symbols.empty) + " ", isActive ? .linkReady : .muted, &pen)
    writeTrailing(percentage(sink.volume), .muted, &pen)
    write(
      displayable(sink.description), isChosen ? .rowSelected : isActive ? .value : .label, &pen)
  }

  private mutating func volume(
    _ route: RouteState?, _ state: State, _ columns: PanelColumns, row: Int
  ) {
    guard case .running(let sound) = state.audio else { return }
    let sink = (route ?? .none(elsewhere: sound.route)).volumeSink(sound)
    audioPointer(.volume, state, columns, row: row)
    var pen = columns.label(row: row)
    let label = pen.column
    write("Volume", .label, &pen)
    clickable(from: label, to: pen, [.pointed(.audio(.volume))])
    pen = columns.content(row: row)
    guard let sink else { return write("--", .unknown, &pen) }
    let barColumns = min(32, pen.room - 5 - (sink.isMuted ? 6 : 0))
    if barColumns >= 4 {
      let start = pen.column
      bar(min(sink.volume, 100), columns: barColumns, sink.isMuted ? .stale : .barFilled, &pen)
      settable(from: start, to: pen, .soundVolume, .audio(.volume))
      skip(1, &pen)
    }
    write(percentage(sink.volume), sink.isMuted ? .stale : .value, &pen)
    if sink.isMuted { write(" muted", .warning, &pen) }
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
