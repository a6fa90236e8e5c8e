internal import Companion
internal import Headphones

extension Drawing {
  /// All that has happened, newest below; `line` counts from the newest.
  mutating func logPage(_ state: State, line: Int) {
    page(state) { drawing, area in
      let lines = state.logLines
      let box = Box(
        title: state.filter.isEmpty ? "LOG" : "LOG with \"\(displayable(state.filter))\"",
        isFocused: true, note: drawing.logNote(state, line: line, count: lines.count))
      let inner = drawing.frame(box, area)
      guard !lines.isEmpty else {
        var pen = Pen(row: inner.row, from: inner.column + 1, to: inner.endColumn - 1)
        let words = state.filter.isEmpty ? "Nothing has happened yet." : "No line has this text."
        return drawing.write(words, .muted, &pen)
      }
      // The line of the cursor is the lowest, as far as there are older ones above it.
      let skipped = min(line, max(0, lines.count - inner.rows))
      let shown = lines.dropFirst(skipped).prefix(inner.rows).reversed()
      for (place, entry) in shown.enumerated() {
        var pen = Pen(
          row: inner.row + place, from: inner.column + 1, to: inner.endColumn - 1)
        drawing.logLine(entry, state, &pen)
      }
    }
  }

  private func logNote(_ state: State, line: Int, count: Int) -> String {
    let following = line == 0 ? "following" : "\(line) newer below"
    return "\(count) lines \(symbols.separator) \(following)"
  }

  /// A page of its own: header, a frame, status and footer.
  mutating func page(_ state: State, _ draw: (inout Drawing, Area) -> Void) {
    var (part, rest) = screen.area.split(top: screen.size.rows >= 6 ? 1 : 0)
    if part.rows > 0 { header(state, part) }
    let footerRows = rest.rows >= 5 ? 1 : 0
    let statusRows = state.problem == nil && state.notice == nil ? 0 : statusRows(state)
    (part, rest) = rest.split(top: rest.rows - footerRows - min(statusRows, rest.rows / 4))
    draw(&self, part)
    (part, rest) = rest.split(top: rest.rows - footerRows)
    if part.rows > 0 { status(state, part) }
    if rest.rows > 0 { footer(state, rest) }
  }
}
