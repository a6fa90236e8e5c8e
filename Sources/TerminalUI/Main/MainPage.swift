internal import Companion
internal import HeadphoneProtocols

extension PageView {
  static let main = PageView(.main) { drawing, state, _ in drawing.mainPage(state) }
}

extension Drawing {
  /// Draws the main page in the arrangement that fits the size.
  ///
  /// | rows × columns | content |
  /// | --- | --- |
  /// | below 5 × 20 | one line: charges and mode |
  /// | below 9 rows | header, controls, status, without frames |
  /// | 44 columns | one panel at a time, with Tab between them |
  /// | 76 columns | panels below each other |
  /// | wider | panels side by side, list and events where rows allow |
  ///
  /// The layout depends on the size alone, so that nothing moves when values change. Words in place
  /// of symbols take one column.
  mutating func mainPage(_ state: State) {
    guard screen.size.columns >= 20, screen.size.rows >= 5 else { return oneLine(state) }
    guard screen.size.rows >= 9 else { return frameless(state) }
    let sideColumns = symbols.areWords ? 0 : PanelLayout.sideColumns(screen.size)
    let columns = screen.size.columns - sideColumns
    let arrangement =
      symbols.areWords
      ? PanelLayout.inOneColumn(screen.size) : PanelLayout(columns: columns)
    let plan = RowLayout(
      rows: screen.size.rows - 1 - statusRows(state), arrangement: arrangement,
      hasSide: sideColumns > 0)

    var (part, rest) = screen.area.split(top: 1)
    header(state, part)
    (part, rest) = rest.split(top: plan.situation)
    situation(state, part)
    var side = rest.split(left: columns).rest
    side.rows = plan.panels[0] + plan.details
    (part, rest) = rest.split(top: plan.panels.reduce(0, +))
    part.columns = columns
    if plan.list == 0, side.isEmpty, state.focus == .headphones {
      // There is no room for the list beside the panels.
      headphoneList(state, part, nextPanel: "AUDIO ROUTE")
    } else {
      drawPanels(arrangement, state, part, upperRows: plan.panels[0])
    }
    (part, rest) = rest.split(top: plan.details)
    part.columns = columns
    details(state, arrangement, part)
    beside(state, side)
    (part, rest) = rest.split(top: plan.list)
    headphoneList(state, part)
    (part, rest) = rest.split(top: plan.events)
    eventsAndBattery(state, part)
    (part, rest) = rest.split(top: rest.rows - plan.footer)
    // Where all events are visible, the last one needs no status line.
    if plan.events == 0 && side.isEmpty || state.problem != nil || state.notice != nil {
      status(state, part)
    }
    footer(state, rest)
  }

  /// Draws the list above the events: as high as it needs, from two fifths to three quarters.
  private mutating func beside(_ state: State, _ area: Area) {
    guard !area.isEmpty else { return }
    let rows = min(max(area.rows * 2 / 5, listRows), area.rows * 3 / 4)
    let (list, rest) = area.split(top: rows)
    headphoneList(state, list)
    events(state, rest)
  }

  private mutating func details(_ state: State, _ arrangement: PanelLayout, _ area: Area) {
    let (left, right) = area.split(left: arrangement.widths(area.columns).audio)
    batteryHistory(state, left)
    informationBox(state, right)
  }

  private mutating func eventsAndBattery(_ state: State, _ area: Area) {
    guard area.columns >= 100, area.rows >= 8, !symbols.areWords else { return events(state, area) }
    let (left, right) = area.split(left: area.columns * 3 / 5)
    events(state, left)
    batteryHistory(state, right)
  }

  private mutating func events(_ state: State, _ area: Area) {
    guard !area.isEmpty else { return }
    let inner = frame(
      Box(title: "EVENTS", hints: [hint(.log, in: state)].compactMap { $0 }), area)
    screen.add(Target(area: inner, aim: .actions([.pressed(.log)])))
    for (place, event) in state.log.lastEvents(inner.rows).enumerated() {
      var pen = Cursor(row: inner.row + place, from: inner.column + 1, to: inner.endColumn - 1)
      self.event(event, state, &pen)
    }
  }
}
