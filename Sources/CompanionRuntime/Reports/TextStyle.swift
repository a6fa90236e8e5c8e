/// How results may be written for people: bars and colours only where standard output is a terminal.
public enum TextStyle: String, Hashable, Sendable, CaseIterable {
  /// For files, pipes and terminals without UTF-8.
  case plain
  /// A terminal on which colours are not wanted (`NO_COLOR`).
  case monochrome
  case color
}

/// What a colour means; those of the terminal's own theme are used.
enum Paint: Int {
  case bad = 31
  case good = 32
  case warning = 33
  case label = 2
  case chosen = 1
}

extension TextStyle {
  func paint(_ text: String, _ paint: Paint) -> String {
    self == .color ? "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// A bar of ten columns in steps of an eighth: "▕████████▍ ▏".
  func bar(_ percent: Int, _ paint: Paint) -> String {
    guard self != .plain else { return "" }
    let eighths = min(max(percent, 0), 100) * 80 / 100
    let full = String(repeating: "█", count: eighths / 8)
    let part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    let blank = String(repeating: " ", count: 10 - (eighths + 7) / 8)
    return "▕\(self.paint(full + part, paint))\(blank)▏"
  }

  /// Rows of a label and a value; the labels step back.
  func table(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { label, value in
      paint(label, .label) + String(repeating: " ", count: width - label.count + 2) + value
    }.joined(separator: "\n")
  }

  /// Rows of cells in aligned columns; a terminal gets their headings.
  ///
  /// The cells of the first column may be marks.
  ///
  /// - Parameter omitsEmpty: whether a column without values has no heading.
  func table(_ headings: [String], _ rows: [[String]], omitsEmpty: Bool = false) -> String {
    let lines = (self == .plain ? [] : [headings.map { $0.uppercased() }]) + rows
    let widths = headings.indices.map { column in
      let values = rows.map { $0[column].count }.max() ?? 0
      return omitsEmpty && values == 0
        ? 0 : max(values, self == .plain ? 0 : headings[column].count)
    }
    return lines.enumerated().map { index, cells in
      var line = ""
      for (column, cell) in cells.enumerated() where widths[column] > 0 {
        line += cell + String(repeating: " ", count: widths[column] - cell.count)
        // A mark stands close to what it marks.
        line += widths[column] == 1 ? " " : "  "
      }
      while line.last == " " { line.removeLast() }
      return index == 0 && self != .plain ? paint(line, .label) : line
    }.joined(separator: "\n")
  }

  /// The names of a choice, one a line, with a mark at the current one.
  func choices(_ names: [String], current: String) -> String {
    names.map { $0 == current ? paint("● \($0)", .chosen) : "  \($0)" }.joined(separator: "\n")
  }
}
