internal import Companion
internal import HeadphoneProtocols

/// A line of a page that lists the results of checks.
struct CheckLine {
  enum Mark { case passed, unknown, doubtful, failed }

  var mark: Mark
  var word: String
  var title: String
  var slug: String
  /// The finding, as a clause.
  var what: String
  /// The remedy, or nil if there is nothing to do.
  var remedy: String?
  /// The source of the finding, or nil if there is none to show.
  var evidence: String?
  var text: String
}

extension Drawing {
  /// Draws results, each as one line of the cursor: the finding, and below it the remedy.
  mutating func checkLines(
    _ lines: [CheckLine], titles: [String], _ state: State, cursor: Int, _ area: Area
  ) {
    let indent = area.columns < 60 ? 0 : 2 + (titles.map(\.count).max() ?? 0)
    let columns = min(Self.mostColumns, area.columns - 4)
    let rows = lines.map { checkRows($0, state, indent: indent, columns: columns) }
    listed(rows, cursor: cursor, area) { drawing, row, isChosen, pen in
      drawing.write(row.mark + " ", row.markRole, &pen)
      let start = pen.column + indent
      if indent > 0 { drawing.write(row.title, isChosen ? .rowSelected : .label, &pen) }
      let end = min(pen.end, area.column + columns + 3)
      pen = Cursor(row: pen.row, from: min(end, start), to: end)
      drawing.writeTrailing(row.slug, .muted, &pen)
      drawing.write(row.text, row.role, &pen)
    }
  }

  mutating func checking(_ area: Area) {
    var pen = Cursor(row: area.row, from: area.column + 1, to: area.endColumn - 1)
    write("Checking\(symbols.ellipsis)", .muted, &pen)
  }

  private struct CheckRow {
    var mark = " "
    var markRole = Role.plain
    var title = ""
    var slug = ""
    var text: String
    var role: Role
  }

  /// The maximum width of a result, which keeps both ends of a row close together.
  private static let mostColumns = 110

  private func checkRows(
    _ line: CheckLine, _ state: State, indent: Int, columns: Int
  ) -> [CheckRow] {
    let room = columns - indent
    let seen = displayable(indent == 0 ? "\(line.title): \(line.what)" : line.what.sentence)
    let role: Role = state.isMatch(line.text) ? .rowSelected : .value
    var rows = wrapped(seen, columns: room).map { CheckRow(text: $0, role: role) }
    if rows.isEmpty { rows = [CheckRow(text: "", role: role)] }
    rows[0].mark = symbols.areWords ? line.word + ":" : symbol(line.mark)
    rows[0].markRole = line.mark.role
    rows[0].title = line.title
    if rows[0].text.columns + line.slug.columns + 4 <= room { rows[0].slug = line.slug }
    for (text, role) in [(line.remedy, .key), (line.evidence, .muted)] as [(String?, Role)] {
      rows += wrapped(displayable(text ?? ""), columns: room - 2)
        .filter { !$0.isEmpty }.map { CheckRow(text: "  " + $0, role: role) }
    }
    return rows
  }

  private func symbol(_ mark: CheckLine.Mark) -> String {
    switch mark {
    case .passed: symbols.full
    case .doubtful: "!"
    case .failed: symbols.failed
    case .unknown: "?"
    }
  }
}

extension CheckLine.Mark {
  fileprivate var role: Role {
    switch self {
    case .passed: .success
    case .doubtful: .warning
    case .failed: .error
    case .unknown: .unknown
    }
  }
}
