/// A rectangle of cells; column and row 0 are the upper left corner of the screen.
///
/// Areas are split from the outside in, as a layout proceeds: a row off the top, a column off the
/// left, the rest for what follows. Sizes never become negative, so a terminal of one cell needs no
/// special case.
///
/// ```swift
/// let (header, body) = screen.area.split(top: 1)
/// let (audio, control) = body.split(left: body.columns / 2)
/// ```
struct Area: Hashable, Sendable {
  var column: Int
  var row: Int
  var columns: Int
  var rows: Int

  /// The column right of the last one.
  var endColumn: Int { column + columns }

  /// The row below the last one.
  var endRow: Int { row + rows }

  /// Whether no cell lies in it.
  var isEmpty: Bool { columns <= 0 || rows <= 0 }

  /// What is left after so many cells are taken off each side.
  ///
  /// - Parameters:
  ///   - dx: Columns off the left and as many off the right.
  ///   - dy: Rows off the top and as many off the bottom.
  func inset(columns dx: Int, rows dy: Int) -> Area {
    Area(
      column: column + dx, row: row + dy, columns: max(0, columns - 2 * dx),
      rows: max(0, rows - 2 * dy))
  }

  /// Splits off the upper rows.
  ///
  /// - Parameter rows: Clamped to what there is.
  func split(top rows: Int) -> (top: Area, rest: Area) {
    let height = min(max(0, rows), self.rows)
    return (
      Area(column: column, row: row, columns: columns, rows: height),
      Area(column: column, row: row + height, columns: columns, rows: self.rows - height)
    )
  }

  /// Splits off the left columns.
  ///
  /// - Parameter columns: Clamped to what there is.
  func split(left columns: Int) -> (left: Area, rest: Area) {
    let width = min(max(0, columns), self.columns)
    return (
      Area(column: column, row: row, columns: width, rows: rows),
      Area(column: column + width, row: row, columns: self.columns - width, rows: rows)
    )
  }

  /// An area around the same middle, at most so large.
  func centred(columns wanted: Int, rows height: Int) -> Area {
    let columns = min(wanted, self.columns)
    let rows = min(height, self.rows)
    return Area(
      column: column + (self.columns - columns) / 2, row: row + (self.rows - rows) / 2,
      columns: columns, rows: rows)
  }
}

/// Columns and rows of a terminal or of a part of it.
public struct Size: Hashable, Sendable {
  /// 0 or more; a wide character takes two.
  public var columns: Int
  /// 0 or more.
  public var rows: Int

  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}
