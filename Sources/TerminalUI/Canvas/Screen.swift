/// A cell of a screen; the column and the row count from 0.
package struct CellPosition: Hashable, Sendable {
  package var column: Int
  package var row: Int

  package init(column: Int, row: Int) {
    self.column = column
    self.row = row
  }
}

/// A grid of styled cells: what a view makes, and what a terminal shows.
///
/// Text is drawn by `GlyphSequence`: every terminal draws each cell in the same number of columns,
/// and no control character ever reaches a terminal.
package struct Screen: Hashable, Sendable {
  package let size: Size
  /// The characters that may appear; others become "?".
  let repertoire: CharacterSet
  private(set) var cells: [Cell]
  /// The clickable parts; where several overlap, the last wins.
  private(set) var targets: [Target] = []
  /// The terminal's cursor, which is hidden: the selected row, default button or typed text.
  ///
  /// Braille displays and input methods follow it. Nil where a page has none of these.
  package var cursor: CellPosition?
  package var window = WindowInfo()

  package enum CharacterSet: Hashable, Sendable {
    case unicode
    case ascii
  }

  /// Creates a blank screen; negative sizes count as 0.
  package init(size: Size, repertoire: CharacterSet = .unicode) {
    self.size = Size(columns: max(0, size.columns), rows: max(0, size.rows))
    self.repertoire = repertoire
    cells = Array(repeating: .blank, count: self.size.columns * self.size.rows)
  }

  var area: Area { Area(column: 0, row: 0, columns: size.columns, rows: size.rows) }

  /// The cell at a position, or a blank one outside the screen.
  package subscript(column: Int, row: Int) -> Cell {
    guard contains(column, row) else { return .blank }
    return cells[row * size.columns + column]
  }

  /// The rows down to the last one that is not blank.
  var usedRows: Int {
    cells.lastIndex { $0 != .blank }.map { $0 / size.columns + 1 } ?? 0
  }

  func row(_ row: Int) -> ArraySlice<Cell> {
    cells[row * size.columns..<(row + 1) * size.columns]
  }

  package func text(row: Int) -> String {
    var text = ""
    for column in 0..<size.columns { text += self[column, row].text }
    return text
  }

  /// Writes a text, cut at the right edge of `limits` and of the screen.
  ///
  /// A wide character that does not fit whole is omitted.
  ///
  /// - Parameters:
  ///   - column: The start of the text; the part to the left of `limits` is cut off.
  ///   - limits: The cells that may change, or nil for the whole screen.
  ///
  /// - Returns: The column after the last one written.
  @discardableResult
  mutating func write(
    _ text: String, column: Int, row: Int, role: Role, limits: Area? = nil
  ) -> Int {
    let limits = limits ?? area
    let end = min(limits.endColumn, size.columns)
    var column = column
    for glyph in GlyphSequence(text) {
      let columns = glyph.columns
      guard column + columns <= end else { return column }
      if column >= limits.column, row >= limits.row, row < limits.endRow {
        put(glyph, columns: columns, column: column, row: row, role: role)
      }
      column += columns
    }
    return column
  }

  /// Fills an area, clipped to the screen, with one narrow character; a wide one draws nothing.
  mutating func fill(_ area: Area, with scalar: Unicode.Scalar = " ", role: Role) {
    let glyph = Glyph(scalar)
    guard glyph.columns == 1 else { return }
    for row in area.row..<max(area.row, area.endRow) {
      for column in area.column..<max(area.column, area.endColumn) {
        put(glyph, columns: 1, column: column, row: row, role: role)
      }
    }
  }

  /// Puts everything drawn so far into the background: it cannot be clicked, and is dimmed.
  mutating func recede(isDimmed: Bool = true) {
    if isDimmed { for index in cells.indices { cells[index].role = .muted } }
    targets.removeAll()
    cursor = nil
  }

  mutating func add(_ target: Target) {
    if !target.isEmpty { targets.append(target) }
  }

  private func contains(_ column: Int, _ row: Int) -> Bool {
    column >= 0 && row >= 0 && column < size.columns && row < size.rows
  }

  /// Sets one character; overwriting half of a wide one blanks its other half.
  private mutating func put(_ glyph: Glyph, columns: Int, column: Int, row: Int, role: Role) {
    guard contains(column, row), contains(column + columns - 1, row) else { return }
    let index = row * size.columns + column
    if cells[index].columns == 0 { cells[index - 1] = blanked(cells[index - 1]) }
    let last = index + columns - 1
    if cells[last].columns == 2 { cells[last + 1] = blanked(cells[last + 1]) }
    if repertoire == .ascii, !glyph.isASCII {
      for place in index...last { cells[place] = Cell(glyph: Glyph("?"), role: role, columns: 1) }
      return
    }
    cells[index] = Cell(glyph: glyph, role: role, columns: UInt8(columns))
    if columns == 2 { cells[last] = Cell(glyph: .space, role: role, columns: 0) }
  }

  private func blanked(_ cell: Cell) -> Cell { Cell(glyph: .space, role: cell.role, columns: 1) }
}

extension Glyph {
  var isASCII: Bool { base.isASCII && !hasMarks }
}

extension Screen {
  func differs(from other: Screen, row: Int) -> Bool {
    size != other.size || self.row(row) != other.row(row)
  }
}
