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

  /// Draws a page in a single box: as a sheet where it is one and fits, else filling the screen.
  mutating func page(
    _ state: State, _ box: Box, _ draw: (inout Drawing, Area) -> Void
  ) {
    guard let room = sheetRoom(state),
      let rows = contentRows(room.columns - 2, most: room.rows - 4, draw)
    else {
      return page(state) { drawing, area in draw(&drawing, drawing.frame(box, area)) }
    }
    self.draw(.main, state)
    screen.recede()
    let (above, footer) = screen.area.split(top: screen.size.rows - 1)
    screen.fill(footer, role: .plain)
    if state.problem != nil || state.notice != nil {
      let status = above.split(top: above.rows - statusRows(state)).rest
      screen.fill(status, role: .plain)
      self.status(state, status)
    }
    let area = room.centred(columns: room.columns, rows: rows + 4)
    screen.fill(area, role: .plain)
    let inner = frame(box, area)
    // All the room, because the content may depend on it; nothing is drawn below ``rows``.
    draw(
      &self, Area(column: inner.column, row: inner.row, columns: inner.columns, rows: room.rows - 4)
    )
    var pen = Cursor(row: inner.endRow - 1, from: inner.column + 1, to: inner.endColumn - 1)
    let keys = pageHints(state)
    write(fitting(keys, columns: pen.room, gap: 2, kept: 1), gap: 2, &pen)
  }

  /// Returns the room of a sheet, or nil for other pages and on small screens.
  private func sheetRoom(_ state: State) -> Area? {
    // The words of a screen reader fill the screen.
    guard let columns = sheetColumns, screen.size.columns >= 76, screen.size.rows >= 20,
      !symbols.areWords
    else { return nil }
    // The header and the overall state stay in sight, as do a problem or an answer to a key.
    let above = screen.area.split(top: screen.size.rows - 1 - statusRows(state)).top
    return above.split(top: 2).rest
      .centred(columns: min(columns, above.columns - 4), rows: .max)
  }

  /// Makes a sheet high enough for a row, which may be blank.
  mutating func reserve(row: Int, _ area: Area) {
    screen.fill(Area(column: area.column, row: row, columns: 1, rows: 1), role: .muted)
  }

  /// Returns the rows that `draw` uses, or nil if a list of it does not fit.
  private func contentRows(
    _ columns: Int, most: Int, _ draw: (inout Drawing, Area) -> Void
  ) -> Int? {
    var trial = self
    trial.screen = Screen(
      size: Size(columns: columns, rows: most), repertoire: symbols.repertoire)
    draw(&trial, trial.screen.area)
    return trial.hasHiddenLines ? nil : trial.screen.usedRows
  }
}
