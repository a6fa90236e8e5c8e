internal import Companion
internal import HeadphoneProtocols

extension PageView {
  static let info = PageView(.info, sheetColumns: 84) { $0.infoPage($1, line: $2.line ?? 0) }
}

extension Drawing {
  /// Draws everything that is known about the selected headphone.
  ///
  /// Enter chooses the sound device, `i` and Tab open the inspector, `y` copies the value under the
  /// cursor.
  mutating func infoPage(_ state: State, line: Int) {
    let box = Box(title: "INFORMATION", isFocused: true, note: searchNote(state))
    page(state, box) { drawing, inner in
      guard !state.infoLines.isEmpty else { return drawing.noInformation(inner) }
      let (columns, rows) = drawing.infoRows(state.infoLines, state, columns: inner.columns)
      drawing.listed(rows, cursor: line, inner) { drawing, row, isChosen, pen in
        drawing.write(row, labelColumns: columns, isChosen: isChosen, &pen)
      }
    }
  }

  mutating func informationBox(_ state: State, _ area: Area) {
    guard !area.isEmpty else { return }
    let room = area.inset(columns: 1, rows: 1)
    let (columns, rows) = infoRows(state.furtherInfoLines, state, columns: room.columns)
    var ends = 0
    let whole = rows.count { line in
      ends += line.count
      return ends <= room.rows
    }
    let inner = frame(
      Box(
        title: "INFORMATION", hints: hint(.info, in: state).map { [$0] } ?? [],
        more: more(above: 0, below: rows.count - whole)), area)
    screen.add(Target(area: inner, aim: .actions([.pressed(.info)])))
    guard !state.infoLines.isEmpty else { return noInformation(inner) }
    for (place, row) in rows.joined().prefix(inner.rows).enumerated() {
      var pen = Cursor(row: inner.row + place, from: inner.column + 1, to: inner.endColumn - 1)
      write(row, labelColumns: columns, isChosen: false, &pen)
    }
  }

  private mutating func noInformation(_ area: Area) {
    var pen = Cursor(row: area.row, from: area.column + 1, to: area.endColumn - 1)
    write("No headphone selected.", .muted, &pen)
  }

  private func infoRows(
    _ lines: [InfoLine], _ state: State, columns: Int
  ) -> (labelColumns: Int, [[InfoRow]]) {
    let labelColumns = columns < 44 ? 15 : 18
    let room = columns - 2 - labelColumns
    return (labelColumns, lines.map { infoRows($0, state, columns: room) })
  }

  private mutating func write(
    _ row: InfoRow, labelColumns: Int, isChosen: Bool, _ pen: inout Cursor
  ) {
    let start = pen.column + labelColumns
    write(row.label, isChosen ? .rowSelected : row.isHeading ? .title : .label, &pen)
    pen.column = min(pen.end, start)
    write(row.text, row.role, &pen)
    switch row.trail {
    case .strengths(let strengths): sparkline(strengths, &pen)
    case .charges(let charges, let hours): sparkline(charges, hours: hours, &pen)
    case nil: break
    }
  }

  private struct InfoRow {
    var label = ""
    var text: String
    var role: Role
    var trail: InfoLine.Trail?
    var isHeading = false
  }

  private func infoRows(_ line: InfoLine, _ state: State, columns: Int) -> [InfoRow] {
    guard !line.isHeading else {
      return [InfoRow(label: line.label, text: "", role: .title, isHeading: true)]
    }
    let role: Role = state.isMatch(line.text) ? .rowSelected : .value
    let texts = wrapped(displayable(line.value ?? ""), columns: columns)
    var rows = texts.map { InfoRow(text: $0, role: role) }
    if rows.isEmpty { rows = [InfoRow(text: "--", role: .unknown)] }
    rows[0].label = line.label
    if rows.count == 1 { rows[0].trail = line.trail }
    return rows
  }

  func searchNote(_ state: State) -> String {
    state.filter.isEmpty ? "" : "\"\(displayable(state.filter))\""
  }
}
