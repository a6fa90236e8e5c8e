internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  /// All that is known of the selected headphone, from a line on.
  mutating func infoPage(_ state: State, line: Int) {
    page(state) { drawing, area in
      let lines = state.infoLines
      let inner = drawing.frame(Box(title: "INFORMATION", isFocused: true), area)
      guard !lines.isEmpty else {
        var pen = Cursor(row: inner.row, from: inner.column + 1, to: inner.endColumn - 1)
        return drawing.write("No headphone is chosen.", .muted, &pen)
      }
      let first = min(line, max(0, lines.count - inner.rows))
      var row = inner.row
      for entry in lines.dropFirst(first) where row < inner.endRow {
        row += drawing.infoLine(entry, inner, row: row)
      }
    }
  }

  /// A step for each strength, as far as there is room for the newest.
  private mutating func history(_ strengths: [Int8], _ pen: inout Cursor) {
    guard symbols.steps.count == 8, strengths.count > 1 else { return }
    skip(2, &pen)
    for strength in strengths.suffix(pen.room) {
      write(symbols.steps[step(of: strength)], times: 1, .muted, &pen)
    }
  }

  /// The lowest step is -100 dBm and below, the highest -44 dBm and above.
  private func step(of strength: Int8) -> Int { min(max(0, (Int(strength) + 100) / 8), 7) }

  /// - Returns: the rows that it took; a long value takes several.
  private mutating func infoLine(_ line: InfoLine, _ area: Area, row: Int) -> Int {
    let labelColumns = area.columns < 44 ? 15 : 18
    var label = Cursor(
      row: row, from: area.column + 1, to: min(area.endColumn, area.column + labelColumns))
    write(line.label, .label, &label)
    let start = area.column + 1 + labelColumns
    let columns = area.endColumn - 1 - start
    guard let value = line.value.map(displayable), !value.isEmpty else {
      var pen = Cursor(row: row, from: start, to: area.endColumn - 1)
      write("--", .unknown, &pen)
      return 1
    }
    let lines = wrapped(value, columns: columns).prefix(area.endRow - row)
    for (place, text) in lines.enumerated() {
      var pen = Cursor(row: row + place, from: start, to: area.endColumn - 1)
      write(text, .value, &pen)
      if lines.count == 1 { history(line.strengths, &pen) }
    }
    return max(1, lines.count)
  }
}
