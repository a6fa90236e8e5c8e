internal import Companion

extension Drawing {
  /// Returns the first row to show, so that the cursor's line is visible and, if possible, centred.
  func firstRow(of heights: [Int], cursor: Int, rows: Int) -> Int {
    let before = heights.prefix(cursor).reduce(0, +)
    let chosen = heights.indices.contains(cursor) ? heights[cursor] : 0
    let top = max(0, min(before - (rows - chosen) / 2, heights.reduce(0, +) - rows))
    return chosen > rows ? before : min(top, before)
  }

  /// Draws the visible rows of all lines; a click on a row moves the cursor to its line.
  ///
  /// - Parameters:
  ///   - isFramed: Whether a border below the area shows how many lines are out of sight.
  ///   - draw: Draws one row; the second argument is whether its line has the cursor.
  mutating func listed<Row>(
    _ lines: [[Row]], cursor: Int, _ area: Area, isFramed: Bool = true,
    _ draw: (inout Drawing, Row, Bool, inout Cursor) -> Void
  ) {
    let first = firstRow(of: lines.map(\.count), cursor: cursor, rows: area.rows)
    let rows = lines.enumerated().flatMap { line, rows in
      rows.enumerated().map { (line: line, isFirst: $0 == 0, row: $1) }
    }
    for (place, entry) in rows.dropFirst(first).prefix(area.rows).enumerated() {
      let row = area.row + place
      var pen = Cursor(row: row, from: area.column, to: area.endColumn - 1)
      if entry.isFirst { pointer(entry.line == cursor, &pen) } else { skip(1, &pen) }
      draw(&self, entry.row, entry.line == cursor, &pen)
      screen.add(
        Target(
          area: Area(column: area.column, row: row, columns: area.columns, rows: 1),
          aim: .actions([.pointed(.line(entry.line))])))
    }
    hasHiddenLines = rows.count > area.rows
    guard isFramed, area.rows > 0 else { return }
    let above = first > 0 ? rows[first - 1].line + 1 : 0
    let below = rows.count > first + area.rows ? lines.count - rows[first + area.rows].line : 0
    let words = more(above: above, below: below)
    guard !words.isEmpty, words.columns + 4 <= area.columns else { return }
    var pen = Cursor(
      row: area.endRow, from: area.endColumn - words.columns - 3, to: area.endColumn - 1)
    write(" \(words) ", .muted, &pen)
  }
}
