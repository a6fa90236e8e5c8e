/// A text in one role, as a part of a row.
///
/// Runs are the wire format of a row for a screen in another process.
public struct Run: Hashable, Sendable {
  /// What the text means, which a theme gives its look.
  public var role: Role
  /// One or more whole cells' characters.
  public var text: String

  public init(_ role: Role, _ text: String) {
    self.role = role
    self.text = text
  }
}

extension Screen {
  /// The rows that differ from an earlier screen; of one of another size, all.
  ///
  /// - Parameter earlier: The screen that is shown now; nil: none is, so every row changed.
  /// - Returns: Row numbers in ascending order.
  public func changedRows(since earlier: Screen?) -> [Int] {
    (0..<size.rows).filter { row in earlier.map { differs(from: $0, row: row) } ?? true }
  }

  /// A row from left to right, in as few parts as its roles allow.
  public func runs(row: Int) -> [Run] {
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

  /// Redraws a row; excess text is cut.
  ///
  /// - Parameters:
  ///   - row: From 0; a row outside the screen is ignored, as hostile input may name one.
  ///   - runs: From left to right; they need not fill the row.
  public mutating func replace(row: Int, with runs: [Run]) {
    guard (0..<size.rows).contains(row) else { return }
    fill(Area(column: 0, row: row, columns: size.columns, rows: 1), role: .plain)
    var column = 0
    for run in runs { column = write(run.text, column: column, row: row, role: run.role) }
  }
}

extension Role {
  private static let named = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

  /// The role of a name such as "battery.low"; nil: there is none.
  public init?(name: String) {
    guard let role = Self.named[name] else { return nil }
    self = role
  }
}
