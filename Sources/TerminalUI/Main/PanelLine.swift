/// A line of a panel, which gives way to more important ones where rows are few.
protocol PanelLine: Hashable {
  /// How many rows it takes.
  var rows: Int { get }
  var importance: Importance { get }
}

/// What gives way to what, the first before the second.
enum Importance: Int, Comparable {
  case space, others, equaliserDetail, codec
  case identity, explanation, event, detail, sensing, choice, state
  case always

  static func < (a: Importance, b: Importance) -> Bool { a.rawValue < b.rawValue }
}

extension Array where Element: PanelLine {
  var rows: Int { reduce(0) { $0 + $1.rows } }

  /// The same lines without the least important ones, so that they fit; of equals the last goes.
  func fitting(rows limit: Int) -> [Element] {
    var lines = self
    while lines.rows > limit {
      var least = lines.startIndex
      for place in lines.indices where lines[place].importance <= lines[least].importance {
        least = place
      }
      guard least < lines.endIndex else { return lines }
      lines.remove(at: least)
    }
    return lines
  }
}
