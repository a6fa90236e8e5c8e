internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  /// The box with the charge of each part over the last hours, and how long it will last.
  ///
  /// ```
  /// ╭─ BATTERY ─────────────── last 2 h ─╮
  /// │ Left 80%  about 2 h 40 min left    │
  /// │ ███▇▇▇▆▆▆▅▅▅▄▄▄·····▇▇▇▆▆▆▅▅▅▄▄    │
  /// │ 12:03                        14:03 │
  /// ╰────────────────────────────────────╯
  /// ```
  ///
  /// A dot stands where nothing is known; columns are in the colour of their charge, or of
  /// charging. Without rows for graphs only the titles stay; a click opens the information page.
  mutating func batteryHistory(_ state: State, _ area: Area) {
    guard !area.isEmpty else { return }
    let headphone = state.headphones.selected
    let history = headphone?.charges ?? BatteryHistory()
    let end = headphone?.battery?.seenAt
    let hours = end.map(history.hours) ?? 0
    let parts = headphone.map { headphone in
      headphone.shownParts.filter { headphone.battery?.value[$0]?.level != nil }
    }
    let isKnown = parts?.isEmpty == false && history.samples.isEmpty == false
    let inner = frame(
      Box(title: "BATTERY", note: isKnown ? "last \(hours) h" : ""), area)
    screen.add(Target(area: inner, aim: .actions([.pressed(.info)])))
    guard let headphone, let parts, let end, isKnown else {
      var pen = Cursor(row: inner.row, from: inner.column + 1, to: inner.endColumn - 1)
      return write("The history begins with the first charge.", .muted, &pen)
    }
    let graph = GraphLayout(parts: parts.count, rows: inner.rows, hasSteps: !symbols.steps.isEmpty)
    var row = inner.row
    for part in parts.prefix(inner.rows) {
      var pen = Cursor(row: row, from: inner.column + 1, to: inner.endColumn - 1)
      chargeTitle(of: part, headphone, &pen)
      let levels = history.levels(
        of: part, count: inner.columns - 2, minutes: hours * 60, until: end)
      for line in 0..<graph.rows {
        var pen = Cursor(row: row + 1 + line, from: inner.column + 1, to: inner.endColumn - 1)
        chargeRow(levels, line: line, of: graph.rows, &pen)
      }
      row += graph.rows + 1 + graph.gap
    }
    guard graph.hasAxis else { return }
    var start = end
    start.milliseconds -= Int64(hours) * 3_600_000
    var pen = Cursor(row: row - graph.gap, from: inner.column + 1, to: inner.endColumn - 1)
    writeTrailing(String(end.clock.prefix(5)), .muted, &pen)
    write(String(start.clock.prefix(5)), .muted, &pen)
  }

  /// The part's name, its charge, and its trend where that is known.
  private mutating func chargeTitle(
    of part: Part, _ headphone: HeadphoneState, _ pen: inout Cursor
  ) {
    let battery = headphone.battery?.value[part] ?? Battery(level: nil)
    let isLive = headphone.isLive
    write(headphone.name(of: part).sentence, .label, &pen)
    skip(1, &pen)
    write(battery.displayText, isLive ? .value : .stale, &pen)
    guard let trend = headphone.batteryTrend(of: part) else { return }
    skip(2, &pen)
    write(trend.displayText, .muted, &pen)
  }

  /// One row of a graph whose columns fill it from below.
  ///
  /// Where nothing is known, the lowest row has a dot. Without block characters a column is a
  /// digit: tens of percent.
  private mutating func chargeRow(
    _ levels: [ChargeSample.Charge?], line: Int, of rows: Int, _ pen: inout Cursor
  ) {
    let steps = symbols.steps
    let below = (rows - 1 - line) * 8
    for charge in levels {
      guard let charge else {
        write(below == 0 ? symbols.separator : " ", .barEmpty, &pen)
        continue
      }
      guard !steps.isEmpty else {
        write("\(min(9, charge.level / 10))", .value, &pen)
        continue
      }
      let height = max(1, Int(charge.level) * rows * 8 / 100)
      let role: Role = charge.isCharging ? .batteryCharging : .gauge(atPercent: Int(charge.level))
      switch height - below {
      case ...0: write(" ", .plain, &pen)
      case let eighths: write(steps[min(eighths, 8) - 1], times: 1, role, &pen)
      }
    }
  }
}

/// How the rows of a box are shared among the graphs of several parts.
private struct GraphLayout {
  /// Rows of each graph, without its title; 0: titles only.
  let rows: Int
  /// Blank rows after each graph.
  let gap: Int
  /// Whether the times of both ends stand below.
  let hasAxis: Bool

  init(parts: Int, rows room: Int, hasSteps: Bool) {
    let each = (room - 1) / max(1, parts)
    gap = each >= 5 ? 1 : 0
    rows = max(0, min(each - 1 - gap, hasSteps ? 8 : 1))
    hasAxis = rows > 0
  }
}
