internal import Bluetooth
internal import Companion
internal import HeadphoneProtocols

extension PageView {
  static let doctor = PageView(.doctor) { $0.doctorPage($1, line: $2.line ?? 0) }
}

extension Drawing {
  /// Draws the problems that were found, with the command that fixes each one.
  ///
  /// Each result is one line of the cursor, over as many rows as it needs: what was seen, and below
  /// it the remedy. Enter runs the remedy after a question, `y` copies it.
  mutating func doctorPage(_ state: State, line: Int) {
    page(state) { drawing, area in
      var note = state.diagnosis.map(drawing.doctorNote) ?? ""
      // Virtual headphones need no adapter.
      if case .ready(let adapter) = state.adapter, adapter.isVirtual, area.columns >= 60 {
        note = note.isEmpty ? "real adapter" : "real adapter: \(note)"
      }
      let box = Box(
        title: "DOCTOR", isFocused: true,
        note: state.filter.isEmpty ? note : drawing.searchNote(state))
      let inner = drawing.frame(box, area)
      guard let results = state.diagnosis else {
        var pen = Cursor(row: inner.row, from: inner.column + 1, to: inner.endColumn - 1)
        return drawing.write("Checking\(drawing.symbols.ellipsis)", .muted, &pen)
      }
      let indent = inner.columns < 60 ? 0 : Self.titleColumns
      let columns = min(Self.mostColumns, inner.columns - 4)
      let rows = results.map { result in
        drawing.doctorRows(result, state, indent: indent, columns: columns)
      }
      drawing.listed(rows, cursor: line, inner) { drawing, row, isChosen, pen in
        drawing.write(row.mark + " ", row.markRole, &pen)
        let start = pen.column + indent
        if indent > 0 { drawing.write(row.title, isChosen ? .rowSelected : .label, &pen) }
        let end = min(pen.end, inner.column + columns + 3)
        pen = Cursor(row: pen.row, from: min(end, start), to: end)
        drawing.writeTrailing(row.slug, .muted, &pen)
        drawing.write(row.text, row.role, &pen)
      }
    }
  }

  private struct DoctorRow {
    var mark = " "
    var markRole = Role.plain
    var title = ""
    var slug = ""
    var text: String
    var role: Role
  }

  private func doctorNote(_ results: [DiagnosticResult]) -> String {
    let counts = [DiagnosticResult.State.problem, .warning].compactMap { state -> String? in
      let count = results.count { $0.state == state }
      return count == 0 ? nil : "\(count) \(state.rawValue)\(count == 1 ? "" : "s")"
    }
    return counts.isEmpty ? "nothing to fix" : counts.joined(separator: ", ")
  }

  private func doctorRows(
    _ result: DiagnosticResult, _ state: State, indent: Int, columns: Int
  ) -> [DoctorRow] {
    let room = columns - indent
    let title = result.check.title
    let seen = displayable(indent == 0 ? "\(title): \(result.what)" : result.what.sentence)
    let role: Role = state.isMatch(result.text) ? .rowSelected : .value
    var rows = wrapped(seen, columns: room).map { DoctorRow(text: $0, role: role) }
    if rows.isEmpty { rows = [DoctorRow(text: "", role: role)] }
    rows[0].mark = mark(result.state)
    rows[0].markRole = result.state.role
    rows[0].title = title
    let slug = result.check.rawValue
    if rows[0].text.columns + slug.columns + 4 <= room { rows[0].slug = slug }
    rows += wrapped(displayable(result.remedy ?? ""), columns: room - 2)
      .filter { !$0.isEmpty }.map { DoctorRow(text: "  " + $0, role: .key) }
    return rows
  }

  /// The maximum width of a result, so that both ends of a row stay close together.
  private static let mostColumns = 110
  private static let titleColumns = 2 + (Check.allCases.map(\.title.count).max() ?? 0)

  private func mark(_ state: DiagnosticResult.State) -> String {
    guard !symbols.areWords else { return state.rawValue + ":" }
    return switch state {
    case .ok: symbols.full
    case .warning: "!"
    case .problem: symbols.failed
    case .unknown: "?"
    }
  }
}

extension DiagnosticResult.State {
  fileprivate var role: Role {
    switch self {
    case .ok: .success
    case .warning: .warning
    case .problem: .error
    case .unknown: .unknown
    }
  }
}
