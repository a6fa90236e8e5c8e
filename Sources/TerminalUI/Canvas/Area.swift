/// A rectangle of cells, counted from the upper left corner; its size is never negative.
struct Area: Hashable, Sendable {
  var column: Int
  var row: Int
  var columns: Int
  var rows: Int

  var endColumn: Int { column + columns }

  var endRow: Int { row + rows }

  var isEmpty: Bool { columns <= 0 || rows <= 0 }

  /// Removes `dx` columns at each side, and `dy` rows at the top and the bottom.
  func inset(columns dx: Int, rows dy: Int) -> Area {
    Area(
      column: column + dx, row: row + dy, columns: max(0, columns - 2 * dx),
      rows: max(0, rows - 2 * dy))
  }

  func split(top rows: Int) -> (top: Area, rest: Area) {
    let height = min(max(0, rows), self.rows)
    return (
      Area(column: column, row: row, columns: columns, rows: height),
      Area(column: column, row: row + height, columns: columns, rows: self.rows - height)
    )
  }

  func split(left columns: Int) -> (left: Area, rest: Area) {
    let width = min(max(0, columns), self.columns)
    return (
      Area(column: column, row: row, columns: width, rows: rows),
      Area(column: column + width, row: row, columns: self.columns - width, rows: rows)
    )
  }

  func centred(columns wanted: Int, rows height: Int) -> Area {
    let columns = min(wanted, self.columns)
    let rows = min(height, self.rows)
    return Area(
      column: column + (self.columns - columns) / 2, row: row + (self.rows - rows) / 2,
      columns: columns, rows: rows)
  }
}

package struct Size: Hashable, Sendable {
  package var columns: Int
  package var rows: Int

  package init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}
