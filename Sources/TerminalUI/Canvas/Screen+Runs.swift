package struct Run: Hashable, Sendable {
  package var role: Role
  /// The characters of one or more whole cells.
  package var text: String

  package init(_ role: Role, _ text: String) {
    self.role = role
    self.text = text
  }
}

extension Screen {
  /// Returns the numbers of the rows that differ from `earlier`, or all for nil or another size.
  package func changedRows(since earlier: Screen?) -> [Int] {
    (0..<size.rows).filter { row in earlier.map { differs(from: $0, row: row) } ?? true }
  }

  /// Returns a row from left to right, in as few runs as its roles allow.
  package func runs(row: Int) -> [Run] {
    var runs: [Run] = []
    for cell in self.row(row) {
      if runs.last?.role == cell.role {
        runs[runs.count - 1].text += cell.text
      } else {
        runs.append(Run(cell.role, cell.text))
      }
    }
    return runs
  }

  /// Redraws a row with `runs`, cut or filled with blanks; rows outside the screen are ignored.
  package mutating func replace(row: Int, with runs: [Run]) {
    guard (0..<size.rows).contains(row) else { return }
    fill(Area(column: 0, row: row, columns: size.columns, rows: 1), role: .plain)
    var column = 0
    for run in runs { column = write(run.text, column: column, row: row, role: run.role) }
  }
}

extension Role {
  private static let named = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

  package init?(name: String) {
    guard let role = Self.named[name] else { return nil }
    self = role
  }
}
