internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  /// Draws a dialog for typing a line; where rows are few, the keys go first, then the explanation.
  mutating func entry(_ entry: TextEntry) {
    let columns = min(54, screen.size.columns)
    let inner = dialog(entry.purpose.title, columns: columns, lines: 5)
    guard inner.rows > 0 else { return }
    let isRoomy = inner.rows >= 5
    var field = Cursor(
      row: inner.row + (isRoomy ? 1 : 0), from: inner.column + 2, to: inner.endColumn - 2)
    drawField(entry, &field)
    guard inner.rows >= 2 else { return }
    var note = Cursor(
      row: inner.row + (isRoomy ? 2 : 1), from: inner.column + 2, to: inner.endColumn - 2)
    if let complaint = entry.complaint {
      write(symbols.failed + " " + displayable(complaint), .error, &note)
    } else if !entry.names.isEmpty {
      write(displayable(entry.names.joined(separator: "  ")), .muted, &note)
    } else {
      write(entry.purpose.explanation, .muted, &note)
    }
    guard isRoomy else { return }
    var keys = Cursor(row: inner.row + 4, from: inner.column + 2, to: inner.endColumn - 2)
    write(fitting(keyHints(entry), columns: keys.room, gap: 3), gap: 3, &keys)
  }

  private func keyHints(_ entry: TextEntry) -> [KeyHint] {
    let completing: [(UserCommand, String)] =
      entry.purpose.isPath ? [(.otherPanel, "Complete")] : []
    let labels = [(.accept, "OK"), (.back, "Cancel")] + completing
    return labels.compactMap { command, label in
      style.hint(for: command).map { KeyHint(key: $0, label: label, command: command) }
    } + [KeyHint(key: "^U", label: "Clear", action: .typed(.clear))]
  }

  mutating func drawField(_ entry: TextEntry, _ pen: inout Cursor) {
    screen.fill(
      Area(column: pen.column, row: pen.row, columns: pen.room, rows: 1), role: .entry)
    var before = Substring(displayable(String(entry.text.prefix(entry.cursor))))
    let after = displayable(String(entry.text.dropFirst(entry.cursor)))
    while String(before).columns > max(0, pen.room - 2) { before.removeFirst() }
    skip(1, &pen)
    // The row of the cursor says what is asked.
    if symbols.areWords { write(words(entry.purpose.title.lowercased().sentence), .label, &pen) }
    write(String(before), .entry, &pen)
    moveCursor(to: pen)
    write(symbols.cursor, .cursor, &pen)
    screen.write(
      after, column: pen.column, row: pen.row, role: .entry,
      limits: Area(column: pen.column, row: pen.row, columns: pen.room, rows: 1))
  }
}
