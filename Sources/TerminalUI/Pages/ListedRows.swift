internal import Companion

/// A page of lines that take one row or several, one of them with the cursor.
extension Drawing {
  /// The first row to show, so that all rows of the cursor's line are in sight, in the middle as far as
  /// there is more around them.
  ///
  /// - Parameter heights: the rows of each line.
  func firstRow(of heights: [Int], cursor: Int, rows: Int) -> Int {
    let before = heights.prefix(cursor).reduce(0, +)
    let chosen = heights.indices.contains(cursor) ? heights[cursor] : 0
    let top = max(0, min(before - (rows - chosen) / 2, heights.reduce(0, +) - rows))
    return chosen > rows ? before : min(top, before)
  }

  /// Draws the rows of all lines that are in sight; each is a target that takes the cursor there.
  ///
  /// - Parameters:
  ///   - lines: the rows of each line.
  ///   - draw: draws one row; the second argument is whether its line has the cursor.
  mutating func listed<Row>(
    _ lines: [[Row]], cursor: Int, _ area: Area,
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
  }
}
