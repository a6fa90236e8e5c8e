internal import Companion
internal import HeadphoneProtocols

extension PageView {
  static let help = PageView(.help) { drawing, state, page in
    drawing.draw(page.behind, state)
    drawing.help(state, line: page.line ?? 0)
  }
}

extension Drawing {
  /// Draws all keys over the page behind, whose keys come first.
  ///
  /// From 100 columns on, the list has two columns. Enter on a line, or a click, runs its command;
  /// `/` searches. A command that would do nothing now is dimmed, and the border says why while the
  /// cursor is on it.
  mutating func help(_ state: State, line: Int) {
    screen.recede()
    if symbols.areWords { screen.fill(screen.area, role: .plain) }
    let (room, below) = screen.area.split(
      top: screen.size.rows >= 8 ? screen.size.rows - 1 : screen.size.rows)
    screen.fill(below, role: .plain)
    let columnCount = screen.size.columns >= 100 && !symbols.areWords ? 2 : 1
    let width = min(room.columns, columnCount == 2 ? 120 : 76)
    let rows = helpRows(state, columns: (width - 2) / columnCount - 2)
    // The list is split between groups if all of it fits, else where the first column ends.
    let whole = columnCount == 2 ? helpBreak(rows) : rows.count
    let height = max(whole, rows.count - whole) + 2
    let area =
      symbols.areWords ? room.split(top: height).top : room.centred(columns: width, rows: height)
    screen.fill(area, role: .plain)
    let fits = max(whole, rows.count - whole) <= area.rows - 2
    hasHiddenLines = !fits
    footer(state, below)
    let shownRows = max(0, area.rows - 2) * columnCount
    let first = fits ? 0 : firstHelpRow(line, rows, shownRows)
    let last = min(rows.count, first + shownRows)
    let part = fits ? "" : "\(first + 1)\(symbols.dash)\(last) of \(rows.count)"
    var box = Box(
      title: "KEYS", note: state.filter.isEmpty ? part : searchNote(state),
      hints: below.isEmpty ? [hint(.back, in: state)].compactMap { $0 } : [],
      more: fits ? "" : more(above: first, below: rows.count - last), border: .overlayBorder,
      titleRole: .overlayTitle)
    if case .refused(let why, let remedy)? = availability(ofLine: line, state) {
      box.note = displayable(why).sentence
      box.noteKey = remedy.flatMap(style.hint)
      box.noteCommand = remedy
    }
    let inner = frame(box, area)
    let (left, right) = inner.split(left: inner.columns / columnCount)
    let split = fits ? whole : min(last, first + inner.rows)
    column(rows[first..<split], state, line: line, columnCount == 2 ? left : inner)
    column(rows[split..<last], state, line: line, right)
  }

  private func availability(ofLine line: Int, _ state: State) -> Availability? {
    let lines = state.helpLines
    return lines.indices.contains(line) ? state.helpAvailability(of: lines[line].command) : nil
  }

  private struct HelpRow {
    var keys = ""
    var text: String
    var command: Int?
    var summary = ""
  }

  private func helpRows(_ state: State, columns: Int) -> [HelpRow] {
    let isNarrow = columns < 50
    var commands = 0
    return state.helpSections.flatMap { section in
      [HelpRow(text: section.title)]
        + section.lines.flatMap { line in
          defer { commands += 1 }
          let names = style.keys.keys(for: line.command).map(\.name)
          let keys = names.isEmpty ? "--" : names.prefix(isNarrow ? 1 : 3).joined(separator: " ")
          let text = wrapped(line.summary, columns: columns - helpKeyColumns(columns))
          return text.enumerated().map { place, text in
            HelpRow(
              keys: place == 0 ? keys : "", text: text, command: commands, summary: line.summary)
          }
        }
    }
  }

  private func helpKeyColumns(_ columns: Int) -> Int { columns < 50 ? 8 : 14 }

  private func helpBreak(_ rows: [HelpRow]) -> Int {
    rows.indices.filter { $0 > 0 && rows[$0].command == nil }
      .min { max($0, rows.count - $0) < max($1, rows.count - $1) } ?? rows.count
  }

  /// Returns the first row to show: that of the cursor, unless the last page begins before it.
  private func firstHelpRow(_ line: Int, _ rows: [HelpRow], _ shown: Int) -> Int {
    let place = line == 0 ? 0 : rows.firstIndex { $0.command == line } ?? 0
    return min(place, max(0, rows.count - shown))
  }

  private mutating func column(
    _ rows: ArraySlice<HelpRow>, _ state: State, line: Int, _ area: Area
  ) {
    for (place, entry) in rows.prefix(area.rows).enumerated() {
      let row = area.row + place
      var pen = Cursor(row: row, from: area.column + 1, to: area.endColumn - 1)
      guard let command = entry.command else {
        write(entry.text, .title, &pen)
        continue
      }
      let isMatch = state.isMatch(entry.summary)
      if command == line, !entry.keys.isEmpty {
        var mark = Cursor(row: row, from: area.column, to: area.endColumn)
        pointer(true, &mark)
      }
      skip(1, &pen)
      let keyColumns = helpKeyColumns(area.columns - 2)
      var keyPen = Cursor(row: row, from: pen.column, to: min(pen.end, pen.column + keyColumns - 2))
      write(entry.keys, .key, &keyPen)
      skip(keyColumns - 1, &pen)
      let isAvailable = availability(ofLine: command, state) == .available
      write(entry.text, isMatch ? .rowSelected : isAvailable ? .value : .stale, &pen)
      screen.add(
        Target(
          area: Area(column: area.column, row: row, columns: area.columns, rows: 1),
          aim: .actions([.pointed(.line(command)), .pressed(.accept)])))
    }
  }
}
