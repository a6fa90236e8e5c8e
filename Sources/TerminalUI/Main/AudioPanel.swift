internal import AudioRoute
internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  /// The explanation of an unknown route in lines of so many columns.
  func audioExplanation(_ state: State, columns: Int) -> [String] {
    guard case .unavailable(let reason) = state.audio else { return [] }
    let rest = reason.sparesControls && state.adapter != .absent ? " Controls don't need it." : ""
    return wrapped(reason.explanation + rest, columns: columns)
  }

  /// What the kernel reports on the headphone's audio link, in lines of so many columns; empty:
  /// nothing.
  func audioLinkLines(_ state: State, columns: Int) -> [String] {
    guard let headphone = state.headphones.selected,
      let words = state.audioLinkText(of: headphone)
    else { return [] }
    return wrapped(words.sentence + ".", columns: columns)
  }

  /// Draws the lines of the audio panel from the top of the area.
  ///
  /// ```
  /// │ ● Playing here                       │
  /// │ ♪ computer ━━━━━━━━━━━━▶ Aurora Pro  │
  /// │ Profile music (A2DP)                 │
  /// │ Codec   LDAC                         │
  /// │▸Volume  ━━━━━━━━━━━━━━─────────  60% │
  /// │ Server  PipeWire 1.0.5               │
  /// ```
  ///
  /// - Parameters:
  ///   - lines: As ``lines(_:others:linkRows:explanationRows:)`` chose them; those beyond the area
  ///     are cut.
  ///   - route: The route as seen from the selected headphone.
  ///   - state: What is drawn.
  ///   - area: The inside of the frame.
  mutating func audioPanel(
    _ lines: [AudioLine], _ route: RouteState, _ state: State, _ area: Area
  ) {
    let columns = PanelColumns(area)
    for (place, line) in lines.prefix(area.rows).enumerated() {
      draw(line, route, state, columns, row: area.row + place)
    }
  }

  /// One line of the panel; a value that is unknown is drawn as "--".
  private mutating func draw(
    _ line: AudioLine, _ route: RouteState, _ state: State, _ columns: PanelColumns, row: Int
  ) {
    var pen = columns.line(row: row)
    switch line {
    case .space: return
    case .state:
      write(route.mark(symbols) + " " + displayable(route.panelText), route.role, &pen)
      return
    case .route:
      self.route(route, state, &pen)
      return
    case .playing:
      guard let (isPlaying, text) = state.nowPlayingText else { return }
      let start = pen.column
      write(isPlaying ? symbols.playing : symbols.paused, isPlaying ? .linkReady : .muted, &pen)
      write(" " + text, isPlaying ? .value : .muted, &pen)
      clickable(from: start, to: pen, .playOrPause)
      return
    case .explanation(let number):
      let lines = audioExplanation(state, columns: pen.room)
      if lines.indices.contains(number) { write(lines[number], .muted, &pen) }
      return
    case .link(let number):
      let lines = audioLinkLines(state, columns: pen.room)
      if lines.indices.contains(number) { write(lines[number], .value, &pen) }
      return
    case .othersTitle, .deviceTitle:
      write(line == .othersTitle ? "Other outputs" : "This headphone", .muted, &pen)
      return
    default: break
    }
    guard case .running(let sound) = state.audio else { return }
    switch line {
    case .output:
      audioLabel("Output", &pen)
      write(displayable(sound.route?.description ?? "--"), .value, &pen)
    case .profile:
      audioLabel("Profile", &pen)
      let profile = route.profile
      write(
        displayable(profile?.displayText ?? "--"),
        profile == .handsFree ? .warning : profile == nil ? .unknown : .value, &pen)
    case .codec:
      audioLabel("Codec", &pen)
      let codec = route.sink?.bluetooth?.codec
      write(displayable(codec?.uppercased() ?? "--"), codec == nil ? .unknown : .value, &pen)
    case .microphone:
      let start = pen.column
      audioLabel("Mic", &pen)
      guard let (text, isWarning) = state.microphoneText(of: state.headphones.selected) else {
        return
      }
      write(displayable(text), isWarning ? .warning : .value, &pen)
      clickable(from: start, to: pen, .microphone)
    case .volume: volume(route.volumeSink(sound), state, columns, &pen)
    case .server:
      audioLabel("Server", &pen)
      write(displayable(sound.shortServerName), .muted, &pen)
    case .other(let name):
      guard let sink = sound.sinks.first(where: { $0.name == name }) else { return }
      let isChosen = audioPointer(.output(name), state, columns, row: row)
      let whole = Area(column: pen.column, row: row, columns: pen.room, rows: 1)
      screen.add(
        Target(
          area: whole, aim: .actions([.pointed(.audio(.output(name))), .pressed(.accept)]),
          wheel: .value(.audio(.output(name)))))
      skip(2, &pen)
      writeTrailing(percentage(sink.volume), .muted, &pen)
      write(displayable(sink.description), isChosen ? .rowSelected : .label, &pen)
    case .state, .route, .playing, .link, .explanation, .othersTitle, .deviceTitle, .space: return
    }
  }

  /// The volume of ``RouteState/volumeSink(_:)``: bar, percentage, and whether it is muted.
  ///
  /// A click on the bar sets it.
  private mutating func volume(
    _ sink: AudioSink?, _ state: State, _ columns: PanelColumns, _ pen: inout Cursor
  ) {
    audioPointer(.volume, state, columns, row: pen.row)
    let label = pen.column
    audioLabel("Volume", &pen)
    clickable(from: label, to: pen, [.pointed(.audio(.volume))])
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

  /// Draws the cursor if it is on this row.
  ///
  /// - Returns: whether it is.
  @discardableResult
  private mutating func audioPointer(
    _ place: AudioRow, _ state: State, _ columns: PanelColumns, row: Int
  ) -> Bool {
    guard state.focus == .audio, state.audioCursor == place else { return false }
    var pen = columns.pointer(row: row)
    write(symbols.pointer, .titleFocused, &pen)
    return true
  }

  /// A label in 8 columns; this panel has no column for keys.
  private mutating func audioLabel(_ text: String, _ pen: inout Cursor) {
    let start = pen.column
    write(text, .label, &pen)
    skip(max(0, 8 - (pen.column - start)), &pen)
  }
}
