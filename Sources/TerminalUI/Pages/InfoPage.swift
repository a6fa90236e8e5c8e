internal import Companion
internal import Headphones

extension Drawing {
  /// All that is known of the selected headphone, from a line on.
  mutating func infoPage(_ state: State, line: Int) {
    page(state) { drawing, area in
      let lines = state.infoLines
      let box = Box(title: "INFORMATION", isFocused: true, note: drawing.searchNote(state))
      let inner = drawing.frame(box, area)
      guard !lines.isEmpty else {
        var pen = Cursor(row: inner.row, from: inner.column + 1, to: inner.endColumn - 1)
        return drawing.write("No headphone is chosen.", .muted, &pen)
      }
      let first = min(line, max(0, lines.count - inner.rows))
      var row = inner.row
      for (place, entry) in lines.enumerated().dropFirst(first) where row < inner.endRow {
        drawing.match(state.isMatch(entry.text), isCurrent: place == line, inner, row: row)
        row += drawing.infoLine(entry, isMatch: state.isMatch(entry.text), inner, row: row)
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
  private mutating func infoLine(
    _ line: InfoLine, isMatch: Bool, _ area: Area, row: Int
  ) -> Int {
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
      write(text, isMatch ? .rowSelected : .value, &pen)
      if lines.count == 1 { history(line.strengths, &pen) }
    }
    return max(1, lines.count)
  }
}

extension Drawing {
  /// What is searched for on a page, for its upper border.
  func searchNote(_ state: State) -> String {
    state.filter.isEmpty ? "" : "\"\(displayable(state.filter))\""
  }

  /// Marks the line that a search has come to.
  mutating func match(_ isMatch: Bool, isCurrent: Bool, _ area: Area, row: Int) {
    guard isMatch, isCurrent else { return }
    var pen = Cursor(row: row, from: area.column, to: area.column + 1)
    write(symbols.pointer, .titleFocused, &pen)
  }
}
