/// A rectangle of cells; column and row 0 are the upper left corner of the screen.
struct Area: Hashable, Sendable {
  var column: Int
  var row: Int
  var columns: Int
  var rows: Int

  /// The column right of the last one.
  var endColumn: Int { column + columns }

  /// The row below the last one.
  var endRow: Int { row + rows }

  var isEmpty: Bool { columns <= 0 || rows <= 0 }

  /// What is left after so many cells are taken off each side.
  func inset(columns dx: Int, rows dy: Int) -> Area {
    Area(
      column: column + dx, row: row + dy, columns: max(0, columns - 2 * dx),
      rows: max(0, rows - 2 * dy))
  }

  /// Splits off the upper rows.
  func split(top rows: Int) -> (top: Area, rest: Area) {
    let height = min(max(0, rows), self.rows)
    return (
      Area(column: column, row: row, columns: columns, rows: height),
      Area(column: column, row: row + height, columns: columns, rows: self.rows - height)
    )
  }

  /// Splits off the left columns.
  func split(left columns: Int) -> (left: Area, rest: Area) {
    let width = min(max(0, columns), self.columns)
    return (
      Area(column: column, row: row, columns: width, rows: rows),
      Area(column: column + width, row: row, columns: self.columns - width, rows: rows)
    )
  }

  /// The same middle, at most so large.
  func centred(columns wanted: Int, rows height: Int) -> Area {
    let columns = min(wanted, self.columns)
    let rows = min(height, self.rows)
    return Area(
      column: column + (self.columns - columns) / 2, row: row + (self.rows - rows) / 2,
      columns: columns, rows: rows)
  }
}
