internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  /// Draws the charge of each part over the last hours, and how long it will last.
  ///
  /// Until there is a day of history the hours are words alone. Dots mark times without data. Where
  /// rows are few only the titles stay.
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
    let hasGraph = isKnown && end.map(history.coversDay) == true
    let inner = frame(
      Box(title: "BATTERY", note: hasGraph ? "last \(hours) h" : ""), area)
    screen.add(Target(area: inner, aim: .actions([.pressed(.info)])))
    guard let headphone, let parts, let end, isKnown else {
      var pen = Cursor(row: inner.row, from: inner.column + 1, to: inner.endColumn - 1)
      return write("No battery history yet.", .muted, &pen)
    }
    guard hasGraph else { return chargeWords(of: parts, headphone, inner) }
    let graph = GraphLayout(parts: parts.count, rows: inner.rows, hasSteps: !symbols.steps.isEmpty)
    let columns = inner.columns - 2
    var row = inner.row
    for part in parts.prefix(inner.rows) {
      var pen = Cursor(row: row, from: inner.column + 1, to: inner.endColumn - 1)
      chargeTitle(of: part, headphone, &pen)
      var levels = history.levels(of: part, count: columns * 2, minutes: hours * 60, until: end)
      if headphone.isLive, let now = headphone.battery?.value[part], let level = now.level {
        levels[levels.count - 1] = ChargeSample.Charge(
          level: level, isCharging: now.isCharging == true)
      }
      charges(
        levels, rows: graph.rows,
        Cursor(row: row + 1, from: inner.column + 1, to: inner.endColumn - 1))
      row += graph.rows + 1 + graph.gap
    }
    guard graph.hasAxis else { return }
    hourAxis(
      hours, until: end,
      Cursor(row: row - graph.gap, from: inner.column + 1, to: inner.endColumn - 1))
  }

  private mutating func chargeWords(of parts: [Part], _ headphone: HeadphoneState, _ area: Area) {
    let names = parts.map { headphone.name(of: $0).sentence }
    let labelColumns = names.map(\.columns).max() ?? 0
    let step = area.rows >= parts.count * 2 + 1 ? 2 : 1
    var row = area.row
    for (part, name) in zip(parts, names).prefix(area.rows) {
      let battery = headphone.battery?.value[part] ?? Battery(level: nil)
      let role = battery.role(isLive: headphone.isLive, thresholds)
      var pen = Cursor(row: row, from: area.column + 1, to: area.endColumn - 1)
      write(name, .label, &pen)
      skip(labelColumns - name.columns + 1, &pen)
      write(percentage(battery.level.map(Int.init)), role == .batteryGood ? .value : role, &pen)
      skip(1, &pen)
      let trend = headphone.batteryTrend(of: part)?.displayText
      let words = trend ?? (battery.isCharging == true ? "charging" : "")
      gauge(
        battery.level.map(Int.init), columns: min(30, pen.room - Self.trendColumns), role, &pen)
      skip(2, &pen)
      write(words, .muted, &pen)
      row += step
    }
    guard row < area.endRow else { return }
    var pen = Cursor(row: area.endRow - 1, from: area.column + 1, to: area.endColumn - 1)
    write("Graphs begin after a day of use.", .muted, &pen)
  }

  /// The columns of "full in about 2 h 40 min" and a gap.
  private static let trendColumns = 26

  private mutating func chargeTitle(
    of part: Part, _ headphone: HeadphoneState, _ pen: inout Cursor
  ) {
    let battery = headphone.battery?.value[part] ?? Battery(level: nil)
    let role = battery.role(isLive: headphone.isLive, thresholds)
    write(headphone.name(of: part).sentence, .label, &pen)
    skip(1, &pen)
    write(battery.displayText, role == .batteryGood ? .value : role, &pen)
    guard let trend = headphone.batteryTrend(of: part) else { return }
    skip(2, &pen)
    write(trend.displayText, .muted, &pen)
  }

  /// Draws the curve of a part's charges, two for each column; without braille, tens of percent.
  private mutating func charges(
    _ levels: [ChargeSample.Charge?], rows: Int, _ place: Cursor
  ) {
    let columns = levels.count / 2
    let curve = Curve(
      heights: levels.map { $0.map { Double($0.level) / 100 } }, columns: columns, rows: rows)
    for (number, cells) in curve.rows.enumerated() {
      var pen = Cursor(row: place.row + number, from: place.column, to: place.end)
      for (column, dots) in cells.enumerated() {
        guard let charge = levels[column * 2 + 1] ?? levels[column * 2] else {
          write(number == rows - 1 ? symbols.separator : " ", .barEmpty, &pen)
          continue
        }
        let role = Battery(level: charge.level, isCharging: charge.isCharging)
          .role(isLive: true, thresholds)
        if symbols.steps.isEmpty {
          write("\(min(9, charge.level / 10))", role, &pen)
        } else {
          let dot = role == .batteryCritical ? .gaugeCritical : role
          write(dots == 0 ? " " : Self.braille(dots), times: 1, dot, &pen)
        }
      }
    }
  }

  private mutating func hourAxis(_ hours: Int, until end: Timestamp, _ place: Cursor) {
    let time = end.clock.split(separator: ":").prefix(2).compactMap { Int($0) }
    guard time.count == 2 else { return }
    let step = [1, 2, 4, 6].first { hours / $0 * 8 <= place.room } ?? 12
    let newest = Cursor(row: place.row, from: place.end - 3, to: place.end)
    var back = time[0] % step
    while back <= hours {
      let minutes = back * 60 + time[1]
      let column = place.end - 1 - minutes * place.room / (hours * 60)
      let start = column - 2
      if start >= place.column, start + 6 <= newest.column {
        var pen = Cursor(row: place.row, from: start, to: place.end)
        let hour = (time[0] - back % 24 + 24) % 24
        write((hour < 10 ? "0" : "") + "\(hour):00", .muted, &pen)
      }
      back += step
    }
    var pen = newest
    write("now", .muted, &pen)
  }
}

private struct GraphLayout {
  let rows: Int
  let gap: Int
  let hasAxis: Bool

  init(parts: Int, rows room: Int, hasSteps: Bool) {
    let each = (room - 1) / max(1, parts)
    gap = each >= 5 ? 1 : 0
    rows = max(0, min(each - 1 - gap, hasSteps ? 6 : 1))
    hasAxis = rows > 0
  }
}
