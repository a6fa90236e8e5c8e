/// A line of a panel, one row high, which gives way to more important ones where rows are few.
///
/// ```swift
/// let shown = lines.fitting(rows: area.rows, keeping: lineOfCursor)
/// ```
protocol PanelLine: Hashable {
  /// Compared with the other lines of the panel.
  var importance: Importance { get }
}

/// What gives way to what, the first before the second.
///
/// Blank rows go first; charge and noise mode stay to the last.
enum Importance: Int, Comparable {
  case space, others, identity, explanation, event, detail, sensing, choice, state, always

  static func < (a: Importance, b: Importance) -> Bool { a.rawValue < b.rawValue }
}

extension Array where Element: PanelLine {
  /// The same lines without the least important ones, so that they fit; of equals the last goes.
  ///
  /// - Parameter kept: the line of the cursor, which goes only if it does not fit alone.
  /// - Parameter limit: The rows that there are.
  /// - Returns: The remaining lines in their order.
  func fitting(rows limit: Int, keeping kept: Element? = nil) -> [Element] {
    var lines = self
    while lines.count > limit {
      let others = lines.indices.filter { lines[$0] != kept }
      guard let first = others.first ?? lines.indices.first else { return lines }
      let least = others.reduce(first) {
        lines[$1].importance <= lines[$0].importance ? $1 : $0
      }
      lines.remove(at: least)
    }
    return lines
  }
}
