/// A grid of styled cells: what a view makes, and what a terminal shows.
///
/// A view draws on a blank one and returns it; nothing here knows a terminal. Two screens compare
/// cell by cell, which is how only the rows that changed are sent.
///
/// ```swift
/// var screen = Screen(size: Size(columns: 20, rows: 1))
/// screen.write("Nothing Ear (2)", column: 0, row: 0, role: .headline)
/// screen.text(row: 0)          // "Nothing Ear (2)     "
/// screen[0, 0].role            // .headline
/// ```
///
/// Text is drawn by `GlyphSequence`: every cell holds a character that any terminal draws in the
/// same number of columns, and no control character ever reaches the terminal.
public struct Screen: Hashable, Sendable {
  /// Never changes: another size is another screen.
  public let size: Size
  /// The characters that may come out.
  let repertoire: CharacterSet
  /// Row after row.
  private(set) var cells: [Cell]
  /// What can be clicked; of several in one place the last counts.
  private(set) var targets: [Target] = []

  /// Characters that a terminal can show.
  public enum CharacterSet: Hashable, Sendable {
    case unicode
    /// Every other character comes out as "?".
    case ascii
  }

  /// A blank screen; a negative size counts as none.
  public init(size: Size, repertoire: CharacterSet = .unicode) {
    self.size = Size(columns: max(0, size.columns), rows: max(0, size.rows))
    self.repertoire = repertoire
    cells = Array(repeating: .blank, count: self.size.columns * self.size.rows)
  }

  /// All cells of the screen.
  var area: Area { Area(column: 0, row: 0, columns: size.columns, rows: size.rows) }

  /// The cell at a place on the screen; a blank one elsewhere.
  public subscript(column: Int, row: Int) -> Cell {
    guard contains(column, row) else { return .blank }
    return cells[row * size.columns + column]
  }

  /// The cells of a row from left to right.
  ///
  /// - Parameter row: Must lie on the screen.
  func row(_ row: Int) -> ArraySlice<Cell> {
    cells[row * size.columns..<(row + 1) * size.columns]
  }

  /// The text of a row, as wide as the screen.
  public func text(row: Int) -> String {
    var text = ""
    for column in 0..<size.columns { text += self[column, row].text }
    return text
  }

  /// Writes a text from a place on, cut at the right edge of `limits` and of the screen.
  ///
  /// A wide character that does not fit whole is left out.
  /// - Returns: the column after the last one written.
  /// - Parameters:
  ///   - text: Any text; only what a terminal can show comes out.
  ///   - column: Where it begins; may lie left of `limits`, whose part then is cut off.
  ///   - row: Where it stands; outside `limits` nothing is drawn.
  ///   - role: What the text means.
  ///   - limits: The cells that may change; nil: the whole screen.
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

  /// Fills an area with one narrow character.
  ///
  /// - Parameters:
  ///   - area: Clipped to the screen.
  ///   - scalar: One column wide; a wide one draws nothing.
  ///   - role: What the cells mean.
  mutating func fill(_ area: Area, with scalar: Unicode.Scalar = " ", role: Role) {
    let glyph = Glyph(scalar)
    guard glyph.columns == 1 else { return }
    for row in area.row..<max(area.row, area.endRow) {
      for column in area.column..<max(area.column, area.endColumn) {
        put(glyph, columns: 1, column: column, row: row, role: role)
      }
    }
  }

  /// Puts all that is drawn so far behind: it cannot be clicked, and loses its colours.
  ///
  /// - Parameter isDimmed: False: it keeps its colours.
  mutating func recede(isDimmed: Bool = true) {
    if isDimmed { for index in cells.indices { cells[index].role = .muted } }
    targets.removeAll()
  }

  /// Makes an area ask for something when it is clicked.
  ///
  /// Later targets lie over earlier ones: a button in a panel gets the click, the panel the rest.
  mutating func add(_ target: Target) {
    if !target.isEmpty { targets.append(target) }
  }

  /// Whether a place lies on the screen.
  private func contains(_ column: Int, _ row: Int) -> Bool {
    column >= 0 && row >= 0 && column < size.columns && row < size.rows
  }

  /// Sets one character; a wide one whose half is overwritten loses its other half too.
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

  /// The half of a wide character that has lost its other half.
  private func blanked(_ cell: Cell) -> Cell { Cell(glyph: .space, role: cell.role, columns: 1) }
}

extension Glyph {
  var isASCII: Bool { base.isASCII && !hasMarks }
}

extension Screen {
  /// Whether a row looks different there; of a screen of another size every row does.
  func differs(from other: Screen, row: Int) -> Bool {
    size != other.size || self.row(row) != other.row(row)
  }
}
