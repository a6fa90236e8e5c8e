internal import Companion
internal import HeadphoneProtocols

extension Drawing {
  /// What keeps the program from working, and the command that fixes it.
  mutating func doctorPage(_ state: State, line: Int) {
    page(state) { drawing, area in
      let note = state.findings.map(drawing.doctorNote) ?? ""
      let box = Box(
        title: "DOCTOR", isFocused: true,
        note: state.filter.isEmpty ? note : drawing.searchNote(state))
      let inner = drawing.frame(box, area)
      guard let findings = state.findings else {
        var pen = Cursor(row: inner.row, from: inner.column + 1, to: inner.endColumn - 1)
        return drawing.write("Checking\(drawing.symbols.ellipsis)", .muted, &pen)
      }
      // The check stands in a column of its own, or before what was seen where that is too narrow.
      let indent = inner.columns < 60 ? 0 : Self.titleColumns
      let rows = findings.map { finding in
        drawing.doctorRows(finding, state, indent: indent, columns: inner.columns - 4)
      }
      drawing.listed(rows, cursor: line, inner) { drawing, row, isChosen, pen in
        drawing.write(row.mark + " ", row.markRole, &pen)
        let start = pen.column + indent
        if indent > 0 { drawing.write(row.title, isChosen ? .rowSelected : .label, &pen) }
        pen.column = min(pen.end, start)
        drawing.writeTrailing(row.slug, .muted, &pen)
        drawing.write(row.text, row.role, &pen)
      }
    }
  }

  private struct DoctorRow {
    var mark = " "
    var markRole = Role.plain
    var title = ""
    /// As scripts know the check; where there is room for it.
    var slug = ""
    var text: String
    var role: Role
  }

  private func doctorNote(_ findings: [Finding]) -> String {
    let counts = [Finding.State.problem, .warning].compactMap { state -> String? in
      let count = findings.count { $0.state == state }
      return count == 0 ? nil : "\(count) \(state.rawValue)\(count == 1 ? "" : "s")"
    }
    return counts.isEmpty ? "nothing to fix" : counts.joined(separator: ", ")
  }

  private func doctorRows(
    _ finding: Finding, _ state: State, indent: Int, columns: Int
  ) -> [DoctorRow] {
    let room = columns - indent
    let title = finding.check.title
    let seen = displayable(indent == 0 ? "\(title): \(finding.what)" : finding.what.sentence)
    let role: Role = state.isMatch(finding.text) ? .rowSelected : .value
    var rows = wrapped(seen, columns: room).map { DoctorRow(text: $0, role: role) }
    if rows.isEmpty { rows = [DoctorRow(text: "", role: role)] }
    rows[0].mark = mark(finding.state)
    rows[0].markRole = finding.state.role
    rows[0].title = title
    let slug = finding.check.rawValue
    if rows[0].text.columns + slug.columns + 4 <= room { rows[0].slug = slug }
    rows += wrapped(displayable(finding.remedy ?? ""), columns: room - 2)
      .filter { !$0.isEmpty }.map { DoctorRow(text: "  " + $0, role: .key) }
    return rows
  }

  private static let titleColumns = 2 + (Check.allCases.map(\.title.count).max() ?? 0)

  private func mark(_ state: Finding.State) -> String {
    switch state {
    case .ok: symbols.full
    case .warning: "!"
    case .problem: symbols.failed
    case .unknown: "?"
    }
  }
}

extension Finding.State {
  fileprivate var role: Role {
    switch self {
    case .ok: .success
    case .warning: .warning
    case .problem: .error
    case .unknown: .unknown
    }
  }
}
