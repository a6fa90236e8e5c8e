/// A line of a panel, which is dropped before more important ones where rows are few.
protocol PanelLine: Hashable {
  var importance: Importance { get }
}

/// The importance of a line; the least important are dropped first.
enum Importance: Int, Comparable {
  case space, others, identity, explanation, event, detail, sensing, choice, state, always

  static func < (a: Importance, b: Importance) -> Bool { a.rawValue < b.rawValue }
}

extension Array where Element: PanelLine {
  /// Returns the lines without the least important ones, so that they fit.
  ///
  /// Among equally important lines, the last is dropped first.
  ///
  /// - Parameter kept: The line of the cursor, dropped only if nothing else is left.
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
