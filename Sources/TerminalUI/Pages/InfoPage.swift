internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  /// All that is known of the selected headphone.
  mutating func infoPage(_ state: State, line: Int) {
    page(state) { drawing, area in
      let box = Box(title: "INFORMATION", isFocused: true, note: drawing.searchNote(state))
      let inner = drawing.frame(box, area)
      guard !state.infoLines.isEmpty else {
        var pen = Cursor(row: inner.row, from: inner.column + 1, to: inner.endColumn - 1)
        return drawing.write("No headphone selected.", .muted, &pen)
      }
      let labelColumns = inner.columns < 44 ? 15 : 18
      let rows = state.infoLines.map { line in
        drawing.infoRows(line, state, columns: inner.columns - 2 - labelColumns)
      }
      drawing.listed(rows, cursor: line, inner) { drawing, row, isChosen, pen in
        let start = pen.column + labelColumns
        drawing.write(row.label, isChosen ? .rowSelected : .label, &pen)
        pen.column = min(pen.end, start)
        drawing.write(row.text, row.role, &pen)
        drawing.sparkline(row.strengths, &pen)
      }
    }
  }

  private struct InfoRow {
    var label = ""
    var text: String
    var role: Role
    var strengths: [Int8] = []
  }

  private func infoRows(_ line: InfoLine, _ state: State, columns: Int) -> [InfoRow] {
    let role: Role = state.isMatch(line.text) ? .rowSelected : .value
    let texts = wrapped(displayable(line.value ?? ""), columns: columns)
    var rows = texts.map { InfoRow(text: $0, role: role) }
    if rows.isEmpty { rows = [InfoRow(text: "--", role: .unknown)] }
    rows[0].label = line.label
    if rows.count == 1 { rows[0].strengths = line.strengths }
    return rows
  }

  /// What is searched for on a page, for its upper border.
  func searchNote(_ state: State) -> String {
    state.filter.isEmpty ? "" : "\"\(displayable(state.filter))\""
  }
}
