internal import Companion

extension Drawing {
  /// Draws a page other than the main one: header, content, status and footer.
  ///
  /// The status has rows only while there is a problem or a notice, at most a quarter; with words
  /// it always has one. The header needs six rows, the footer five.
  mutating func page(_ state: State, _ draw: (inout Drawing, Area) -> Void) {
    var (part, rest) = screen.area.split(top: screen.size.rows >= 6 ? 1 : 0)
    if part.rows > 0 { header(state, part) }
    let footerRows = rest.rows >= 5 ? 1 : 0
    let isQuiet = state.problem == nil && state.notice == nil && !symbols.areWords
    let statusRows = isQuiet ? 0 : statusRows(state)
    (part, rest) = rest.split(top: rest.rows - footerRows - min(statusRows, rest.rows / 4))
    draw(&self, part)
    (part, rest) = rest.split(top: rest.rows - footerRows)
    if part.rows > 0 { status(state, part) }
    if rest.rows > 0 { footer(state, rest) }
  }

  /// Draws a page in a single box: as a sheet where it is one and has room, else filling the screen.
  mutating func page(
    _ state: State, _ box: Box, _ draw: (inout Drawing, Area) -> Void
  ) {
    guard let columns = sheetColumns, hasRoomForSheets else {
      return page(state) { drawing, area in draw(&drawing, drawing.frame(box, area)) }
    }
    sheet(state, box, columns: columns, draw)
  }

  /// Whether a sheet fits the size; the words of a screen reader fill the screen.
  private var hasRoomForSheets: Bool {
    screen.size.columns >= 76 && screen.size.rows >= 20 && !symbols.areWords
  }

  /// Draws a box as high as its content over the dimmed main page, with the keys of the page in it.
  private mutating func sheet(
    _ state: State, _ box: Box, columns: Int, _ draw: (inout Drawing, Area) -> Void
  ) {
    self.draw(.main, state)
    screen.recede()
    // The header and the overall state stay in sight, as do a problem or an answer to a key.
    let (above, footer) = screen.area.split(top: screen.size.rows - 1)
    screen.fill(footer, role: .plain)
    let (room, status) = above.split(top: above.rows - statusRows(state))
    if state.problem != nil || state.notice != nil {
      screen.fill(status, role: .plain)
      self.status(state, status)
    }
    let most = room.split(top: 2).rest.centred(columns: min(columns, room.columns - 4), rows: .max)
    let rows = contentRows(most.columns - 2, most: most.rows - 4, draw)
    let area = most.centred(columns: most.columns, rows: rows + 4)
    screen.fill(area, role: .plain)
    let inner = frame(box, area)
    // All the room, because the content may depend on it; nothing is drawn below ``rows``.
    draw(
      &self, Area(column: inner.column, row: inner.row, columns: inner.columns, rows: most.rows - 4)
    )
    var pen = Cursor(row: inner.endRow - 1, from: inner.column + 1, to: inner.endColumn - 1)
    let keys = pageHints(state)
    write(fitting(keys, columns: pen.room, gap: 2, kept: 1), gap: 2, &pen)
  }

  /// Makes a sheet high enough for a row, which may be blank.
  mutating func reserve(row: Int, _ area: Area) {
    screen.fill(Area(column: area.column, row: row, columns: 1, rows: 1), role: .muted)
  }

  /// Returns the rows that `draw` uses.
  private func contentRows(
    _ columns: Int, most: Int, _ draw: (inout Drawing, Area) -> Void
  ) -> Int {
    var trial = self
    trial.screen = Screen(
      size: Size(columns: columns, rows: most), repertoire: symbols.repertoire)
    draw(&trial, trial.screen.area)
    return trial.screen.usedRows
  }
}
