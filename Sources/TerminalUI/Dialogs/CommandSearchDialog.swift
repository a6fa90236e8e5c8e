internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  /// Draws the search of commands: the words typed, and the lines that have them, with their keys.
  ///
  /// A line that would do nothing now is dimmed, and the frame says why while the cursor is on it.
  mutating func commandSearch(_ search: CommandSearch, _ state: State) {
    let found = state.foundCommands(search.entry.text)
    screen.recede()
    let area = screen.area.centred(
      columns: min(76, screen.size.columns), rows: min(20, screen.size.rows))
    screen.fill(area, role: .plain)
    let rows = max(0, area.rows - 3)
    let first = min(max(0, search.line - rows / 2), max(0, found.count - rows))
    let labels: [(UserCommand, String)] = [(.accept, "Run"), (.back, "Close")]
    var box = Box(
      title: "COMMANDS", note: found.count == 1 ? "1 line" : "\(found.count) lines",
      hints: labels.compactMap { command, label in
        style.hint(for: command).map { KeyHint(key: $0, label: label, command: command) }
      },
      more: more(above: first, below: found.count - first - rows), border: .overlayBorder,
      titleRole: .overlayTitle)
    if found.indices.contains(search.line),
      case .refused(let why, _) = found[search.line].availability
    {
      box.note = displayable(why).sentence
    }
    let inner = frame(box, area)
    guard inner.rows > 0 else { return }
    guard !found.isEmpty else {
      var pen = Cursor(row: inner.row + 1, from: inner.column + 2, to: inner.endColumn - 1)
      if inner.rows > 1 { write("No command has these words.", .muted, &pen) }
      return commandField(search, inner)
    }
    for (place, line) in found.dropFirst(first).prefix(rows).enumerated() {
      let row = inner.row + 1 + place
      foundCommand(line, isChosen: first + place == search.line, row: row, inner)
      screen.add(
        Target(
          area: Area(column: inner.column, row: row, columns: inner.columns, rows: 1),
          aim: .actions([.pointed(.line(first + place)), .pressed(.accept)])))
    }
    // Last, so that the terminal's cursor is where the words are typed.
    commandField(search, inner)
  }

  private mutating func commandField(_ search: CommandSearch, _ inner: Area) {
    var field = Cursor(row: inner.row, from: inner.column + 1, to: inner.endColumn - 1)
    drawField(search.entry, &field)
  }

  private mutating func foundCommand(
    _ line: FoundCommand, isChosen: Bool, row: Int, _ inner: Area
  ) {
    var pen = Cursor(row: row, from: inner.column, to: inner.endColumn - 1)
    pointer(isChosen, &pen)
    let keyColumns = inner.columns < 50 ? 6 : 9
    var keyPen = Cursor(row: row, from: pen.column, to: min(pen.end, pen.column + keyColumns - 1))
    write(key(of: line.target), .key, &keyPen)
    skip(keyColumns, &pen)
    if let value = line.value { writeTrailing(displayable(value), .muted, &pen) }
    let isAvailable = line.availability == .available
    write(displayable(line.text), isChosen ? .rowSelected : isAvailable ? .value : .stale, &pen)
  }

  private func key(of target: FoundCommand.Target) -> String {
    if case .command(let command) = target { style.hint(for: command) ?? "" } else { "" }
  }
}
