internal import Companion
internal import Headphones

extension Drawing {
  /// The page with both panels, arranged as the size allows.
  mutating func mainPage(_ state: State) {
    guard screen.size.columns >= 20, screen.size.rows >= 5 else { return oneLine(state) }
    guard screen.size.rows >= 9 else { return frameless(state) }
    let arrangement = PanelLayout(columns: screen.size.columns)
    var panels = panelContents(state, arrangement)
    let plan = RowLayout(
      rows: screen.size.rows - 1 - statusRows(state), arrangement: arrangement)
    panels.give(bandRows: plan.bandRows)

    var (part, rest) = screen.area.split(top: 1)
    header(state, part)
    (part, rest) = rest.split(top: plan.situation)
    situation(state, part)
    (part, rest) = rest.split(top: plan.panels.reduce(0, +))
    if plan.list == 0, state.focus == .headphones {
      // There is no room for it beside the panels.
      headphoneList(state, part, nextPanel: "AUDIO ROUTE")
    } else {
      drawPanels(panels, arrangement, state, part, upperRows: plan.panels[0])
    }
    (part, rest) = rest.split(top: plan.list)
    headphoneList(state, part)
    (part, rest) = rest.split(top: plan.events)
    events(state, part)
    (part, rest) = rest.split(top: rest.rows - plan.footer)
    // Where all events are in sight, the last one needs no line of its own.
    if plan.events == 0 || state.problem != nil || state.notice != nil { status(state, part) }
    footer(state, rest)
  }

  /// What happened last, newest below.
  private mutating func events(_ state: State, _ area: Area) {
    guard !area.isEmpty else { return }
    let inner = frame(
      Box(title: "EVENTS", hints: [hint(.log, in: state)].compactMap { $0 }), area)
    screen.add(Target(area: inner, aim: .actions([.pressed(.log)])))
    let lines = state.log.lines.reversed().lazy.filter { $0.level >= .info }.prefix(inner.rows)
    for (place, line) in lines.reversed().enumerated() {
      var pen = Cursor(row: inner.row + place, from: inner.column + 1, to: inner.endColumn - 1)
      logLine(line, state, &pen)
    }
  }
}
