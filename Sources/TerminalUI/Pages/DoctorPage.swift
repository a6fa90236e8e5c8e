internal import Companion
internal import Headphones

extension Drawing {
  /// What keeps the program from its work, from a finding on, and what mends it.
  mutating func doctorPage(_ state: State, line: Int) {
    page(state) { drawing, area in
      let box = Box(
        title: "DOCTOR", isFocused: true,
        note: state.filter.isEmpty
          ? state.findings.map(drawing.doctorNote) ?? "" : drawing.searchNote(state))
      let inner = drawing.frame(box, area)
      guard let findings = state.findings else {
        var pen = Cursor(row: inner.row, from: inner.column + 1, to: inner.endColumn - 1)
        return drawing.write("Looking\(drawing.symbols.ellipsis)", .muted, &pen)
      }
      var row = inner.row
      for finding in findings.dropFirst(line) where row < inner.endRow {
        // The line of the search is the first one.
        drawing.match(state.isMatch(finding.text), isCurrent: row == inner.row, inner, row: row)
        row += drawing.finding(finding, inner, row: row)
      }
    }
  }

  private func doctorNote(_ findings: [Finding]) -> String {
    let counts = [Finding.State.problem, .warning].compactMap { state -> String? in
      let count = findings.count { $0.state == state }
      return count == 0 ? nil : "\(count) \(state.rawValue)\(count == 1 ? "" : "s")"
    }
    return counts.isEmpty ? "nothing to mend" : counts.joined(separator: ", ")
  }

  /// - Returns: the rows that it took.
  private mutating func finding(_ finding: Finding, _ area: Area, row: Int) -> Int {
    let start = area.column + 3
    // The check stands in a column of its own, or before what was seen where that is too narrow.
    let label = finding.check.rawValue
    let indent = area.columns < 60 ? 0 : Self.checkColumns
    let seen = displayable(indent == 0 ? "\(label): \(finding.what)" : finding.what)
    let columns = area.endColumn - 1 - start - indent
    let what = wrapped(seen, columns: columns).map { ($0, Role.value) }
    let remedy = wrapped(displayable(finding.remedy ?? ""), columns: columns - 2)
      .filter { !$0.isEmpty }.map { ("  " + $0, Role.muted) }
    var pen = Cursor(row: row, from: area.column + 1, to: area.endColumn - 1)
    write(mark(finding.state), finding.state.role, &pen)
    if indent > 0 {
      var pen = Cursor(row: row, from: start, to: start + indent)
      write(label, .label, &pen)
    }
    let lines = (what + remedy).prefix(area.endRow - row)
    for (place, line) in lines.enumerated() {
      var pen = Cursor(row: row + place, from: start + indent, to: area.endColumn - 1)
      write(line.0, line.1, &pen)
    }
    return lines.count
  }

  private static let checkColumns = 2 + (Check.allCases.map(\.rawValue.count).max() ?? 0)

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
