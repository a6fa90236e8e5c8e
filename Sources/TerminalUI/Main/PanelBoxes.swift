internal import AudioRoute
internal import Bluetooth
internal import Companion
internal import HeadphoneProtocols

/// The lines that the panels would show if there were rows for all of them.
///
/// Computed before the rows are divided, drawn afterwards: ``RowLayout`` decides how many of them
/// fit.
struct PanelContents {
  /// The route of the sound as seen from the selected headphone.
  var route: RouteState
  /// The lines of AUDIO ROUTE.
  var audio: [AudioLine]
  /// The lines of CONTROL LINK.
  var control: [ControlLine]

  /// Makes the curve of the equaliser taller where rows are free.
  mutating func give(bandRows: Int) {
    control = control.map {
      $0 == .bands(rows: RowLayout.leastBandRows) ? .bands(rows: bandRows) : $0
    }
  }
}

extension Drawing {
  /// The lines that each panel would like to show.
  ///
  /// - Parameter columns: of all panels.
  func panelContents(_ state: State, _ arrangement: PanelLayout, columns: Int) -> PanelContents {
    let widths = arrangement.widths(columns)
    let explanation = audioExplanation(state, columns: widths.audio - 4)
    let room = widths.control - 4
    guard let headphone = state.headphones.selected else {
      let route = state.routeOfNobody
      return PanelContents(
        route: route,
        audio: state.audio.lines(
          route, others: state.otherOutputs, isPlaying: state.nowPlaying != nil, linkRows: 0,
          explanationRows: explanation.count),
        control: [.state, .space(0)]
          + invitation(state, columns: room).indices.map(ControlLine.invitation))
    }
    let route = state.route(of: headphone)
    return PanelContents(
      route: route,
      audio: state.audio.lines(
        route, others: state.otherOutputs, isPlaying: state.nowPlaying != nil,
        linkRows: audioLinkLines(state, columns: widths.audio - 4).count,
        explanationRows: explanation.count),
      control: headphone.controlLines(
        stateRows: stateText(headphone, columns: room).count,
        adviceRows: adviceLines(headphone, state.adapter, columns: room).count,
        bandRows: RowLayout.leastBandRows, columns: room))
  }

  /// Draws both panels, or the one with the focus where panels are tabs.
  ///
  /// | arrangement | drawn |
  /// | --- | --- |
  /// | beside | AUDIO ROUTE left, CONTROL LINK right |
  /// | stacked | AUDIO ROUTE above CONTROL LINK |
  /// | tabs | the one that has the focus; Tab leads to the next, which the border names |
  ///
  /// - Parameter upperRows: of the upper panel, where they are stacked.
  mutating func drawPanels(
    _ panels: PanelContents, _ arrangement: PanelLayout, _ state: State, _ area: Area,
    upperRows: Int
  ) {
    switch arrangement {
    case .beside:
      let (left, right) = area.split(left: arrangement.widths(area.columns).audio)
      audioBox(panels, state, left)
      controlBox(panels, state, right)
    case .stacked:
      let (upper, lower) = area.split(top: upperRows)
      audioBox(panels, state, upper)
      controlBox(panels, state, lower)
    case .tabs:
      switch state.focus {
      case .audio: audioBox(panels, state, area, nextPanel: "CONTROL LINK")
      case .control: controlBox(panels, state, area, nextPanel: "HEADPHONES")
      case .headphones: headphoneList(state, area, nextPanel: "AUDIO ROUTE")
      }
    }
  }

  /// The AUDIO ROUTE panel, with the keys that would do something in its lower border.
  private mutating func audioBox(
    _ panels: PanelContents, _ state: State, _ area: Area, nextPanel: String = ""
  ) {
    let box = Box(
      title: "AUDIO ROUTE", isFocused: state.focus == .audio, panel: .audio, note: nextPanel,
      noteKey: style.hint(for: .otherPanel), noteCommand: .otherPanel,
      hints: panels.route.commands.compactMap { hint($0, in: state) })
    let inner = frame(box, area)
    audioPanel(
      panels.audio.fitting(rows: inner.rows, keeping: AudioLine(state.audioCursor)), panels.route,
      state, inner)
  }

  /// The CONTROL LINK panel; the line of the cursor is the last to give way.
  private mutating func controlBox(
    _ panels: PanelContents, _ state: State, _ area: Area, nextPanel: String = ""
  ) {
    let headphone = state.headphones.selected
    let commands: [UserCommand] =
      switch headphone?.isAdvertisingOnly {
      case nil: []
      case true?: [.info]
      case false?: [.connectOrDisconnect, .info]
      }
    let box = Box(
      title: "CONTROL LINK", isFocused: state.focus == .control, panel: .control, note: nextPanel,
      noteKey: style.hint(for: .otherPanel), noteCommand: .otherPanel,
      hints: commands.compactMap { hint($0, in: state) })
    let inner = frame(box, area)
    guard let headphone else { return noHeadphone(state, inner) }
    controlPanel(
      panels.control.inOneLine(rows: inner.rows)
        .fitting(rows: inner.rows, keeping: panels.control.first { $0.holds(state.controlCursor) }),
      of: headphone, state, inner)
  }

  /// The panel before any headphone is known: what to do first.
  private mutating func noHeadphone(_ state: State, _ area: Area) {
    var pen = Cursor(row: area.row, from: area.column + 1, to: area.endColumn - 1)
    write(symbols.empty + " no headphone", .linkOff, &pen)
    let lines = invitation(state, columns: area.columns - 2)
    let rest = area.split(top: area.rows > lines.count + 1 ? 2 : 1).rest
    for (place, line) in lines.prefix(rest.rows).enumerated() {
      var pen = Cursor(row: rest.row + place, from: rest.column + 1, to: rest.endColumn - 1)
      write(line, .muted, &pen)
    }
  }

  /// What to do first, in lines of so many columns.
  ///
  /// The adapter's trouble with its remedy; else a permission that scanning lacks; else how to make
  /// a headphone advertise.
  private func invitation(_ state: State, columns: Int) -> [String] {
    let adapter = state.adapter
    let more = style.hint(for: .doctor).map { "; \($0) shows more" } ?? ""
    guard adapter.advice.isEmpty else {
      return wrapped(
        displayable(adapter.displayText.sentence + ": " + adapter.advice + more), columns: columns)
    }
    if case .denied(_, isBluetoothdGone: true) = state.scan {
      return wrapped(
        "Headphones are found once bluetoothd runs: sudo systemctl start bluetooth\(more)",
        columns: columns)
    }
    if case .failed(let error) = state.scan {
      return wrapped(
        displayable("\(error)".sentence + ": " + error.advice + more), columns: columns)
    }
    if case .denied(let capability, _) = state.scan {
      let advice = AdapterState.denied(capability: capability).advice
      return wrapped(
        displayable("Scanning needs \(capability): \(advice)\(more)"),
        columns: columns)
    }
    let next = state.scan == .scanning ? "They appear below." : "Then scan."
    return wrapped(
      "Take the headphones out of their case and switch them on. \(next)", columns: columns)
  }
}

extension State {
  /// The route of the sound while there is no headphone.
  fileprivate var routeOfNobody: RouteState {
    switch audio {
    case .unavailable(let reason): .unknown(reason)
    case .running: .none(elsewhere: output)
    }
  }
}
