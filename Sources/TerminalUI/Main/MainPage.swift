internal import AudioRoute
internal import Companion
internal import Headphones

extension Drawing {
  /// The page with both panels, arranged as the size allows.
  mutating func mainPage(_ state: State) {
    guard screen.size.columns >= 20, screen.size.rows >= 5 else { return oneLine(state) }
    guard screen.size.rows >= 9 else { return frameless(state) }
    let headphone = state.headphones.selected
    let arrangement = Arrangement(columns: screen.size.columns)
    let status = statusRows(state)
    var panels = panelContents(state, headphone, arrangement, bandRows: 1)
    var plan = RowPlan(
      rows: screen.size.rows, statusRows: status, arrangement: arrangement, panels: panels,
      headphones: state.headphones.count)
    if plan.bandRows > 1 {
      panels = panelContents(state, headphone, arrangement, bandRows: plan.bandRows)
      plan = RowPlan(
        rows: screen.size.rows, statusRows: status, arrangement: arrangement, panels: panels,
        headphones: state.headphones.count)
    }
    draw(plan, panels, arrangement, state, headphone)
  }

  private mutating func draw(
    _ plan: RowPlan, _ panels: PanelContents, _ arrangement: Arrangement, _ state: State,
    _ headphone: HeadphoneState?
  ) {
    var rest = screen.area
    var part: Area
    (part, rest) = rest.split(top: 1)
    header(state, part)
    (part, rest) = rest.split(top: plan.situation)
    if plan.situation > 0 { situation(state, part) }
    (part, rest) = rest.split(top: plan.panels.reduce(0, +))
    drawPanels(plan, panels, arrangement, state, headphone, part)
    (part, rest) = rest.split(top: plan.list)
    if plan.list > 0 { headphoneList(state, part) }
    (part, rest) = rest.split(top: plan.events)
    if plan.events > 0 { events(state, part) }
    (part, rest) = rest.split(top: rest.rows - plan.footer)
    // Where all events are in sight, the last one needs no line of its own.
    if plan.events == 0 || state.problem != nil || state.notice != nil { status(state, part) }
    if plan.footer > 0 { footer(state, rest) }
  }

  /// The lines that each panel would like to show.
  private func panelContents(
    _ state: State, _ headphone: HeadphoneState?, _ arrangement: Arrangement, bandRows: Int
  ) -> PanelContents {
    let widths = arrangement.widths(screen.size.columns)
    let route = headphone.map { state.route(of: $0) } ?? state.routeOfNobody
    let explanation = audioExplanation(state.audio, columns: widths.audio - 4)
    let room = widths.control - 4
    return PanelContents(
      route: route, audio: state.audio.lines(route, explanationRows: explanation.count),
      control: headphone?.controlLines(
        stateRows: stateWords(headphone?.link ?? .idle, columns: room).count,
        adviceRows: adviceLines(headphone?.link ?? .idle, state.adapter, columns: room).count,
        bandRows: bandRows)
        ?? [.state, .space(0)]
        + invitation(state, columns: room).indices.map(ControlLine.invitation))
  }

  private mutating func drawPanels(
    _ plan: RowPlan, _ panels: PanelContents, _ arrangement: Arrangement, _ state: State,
    _ headphone: HeadphoneState?, _ area: Area
  ) {
    switch arrangement {
    case .beside:
      let (left, right) = area.split(left: arrangement.widths(area.columns).audio)
      audioBox(panels, state, left)
      controlBox(panels, state, headphone, right)
    case .stacked:
      let (upper, lower) = area.split(top: plan.panels[0])
      audioBox(panels, state, upper)
      controlBox(panels, state, headphone, lower)
    case .tabs:
      if state.focus == .audio {
        audioBox(panels, state, area, otherPanel: "CONTROL LINK")
      } else {
        controlBox(panels, state, headphone, area, otherPanel: "AUDIO ROUTE")
      }
    }
  }

  private mutating func audioBox(
    _ panels: PanelContents, _ state: State, _ area: Area, otherPanel: String = ""
  ) {
    let box = Box(
      title: "AUDIO ROUTE", isFocused: state.focus == .audio, note: otherPanel,
      noteKey: style.keys.hint(for: .otherPanel),
      hints: panels.route.commands.compactMap { hint($0, in: state) })
    let inner = frame(box, area)
    audioPanel(panels.audio.fitting(rows: inner.rows), panels.route, state, inner)
  }

  private mutating func controlBox(
    _ panels: PanelContents, _ state: State, _ headphone: HeadphoneState?, _ area: Area,
    otherPanel: String = ""
  ) {
    let box = Box(
      title: "CONTROL LINK", isFocused: state.focus == .control, note: otherPanel,
      noteKey: style.keys.hint(for: .otherPanel),
      hints: headphone == nil
        ? [] : [.connectOrDisconnect, .info].compactMap { hint($0, in: state) })
    let inner = frame(box, area)
    guard let headphone else { return noHeadphone(state, inner) }
    let lines = panels.control.fitting(rows: inner.rows)
    controlPanel(lines, of: headphone, state, inner)
  }

  private mutating func noHeadphone(_ state: State, _ area: Area) {
    var pen = Pen(row: area.row, from: area.column + 1, to: area.endColumn - 1)
    write(symbols.empty + " no headphone", .linkOff, &pen)
    let lines = invitation(state, columns: area.columns - 2)
    let rest = area.split(top: area.rows > lines.count + 1 ? 2 : 1).rest
    for (place, line) in lines.prefix(rest.rows).enumerated() {
      var pen = Pen(row: rest.row + place, from: rest.column + 1, to: rest.endColumn - 1)
      write(line, .muted, &pen)
    }
  }

  /// What to do first, in lines of so many columns.
  private func invitation(_ state: State, columns: Int) -> [String] {
    let adapter = state.adapter
    guard adapter.advice.isEmpty else {
      return wrapped(displayable(adapter.words.sentence + ": " + adapter.advice), columns: columns)
    }
    let next = state.scan == .scanning ? "they appear below." : "then look for them."
    return wrapped(
      "Take the headphones out of their case and switch them on; \(next)", columns: columns)
  }

  /// What happened last, newest below.
  private mutating func events(_ state: State, _ area: Area) {
    let box = Box(title: "EVENTS", hints: [.log].compactMap { hint($0, in: state) })
    let inner = frame(box, area)
    let lines = state.log.lines.reversed().lazy.filter { $0.level >= .info }.prefix(inner.rows)
    for (place, line) in lines.reversed().enumerated() {
      var pen = Pen(
        row: inner.row + place, from: inner.column + 1, to: inner.endColumn - 1)
      logLine(line, state, &pen)
    }
  }
}

/// What the panels would show if there were rows for all of it.
struct PanelContents {
  var route: RouteState
  var audio: [AudioLine]
  var control: [ControlLine]
}

extension State {
  /// Where the sound goes while there is no headphone.
  fileprivate var routeOfNobody: RouteState {
    switch audio {
    case .unavailable(let reason): .unknown(reason)
    case .running: .none(elsewhere: output)
    }
  }
}
