internal import Companion

/// The style of results for people, with bars and colours only on a terminal.
package struct TextStyle: Hashable, Sendable {
  package enum Ink: String, Hashable, Sendable {
    /// For files, pipes and terminals without UTF-8.
    case plain
    /// For a terminal without colours (`NO_COLOR`).
    case monochrome
    case color
  }

  package let ink: Ink
  /// The width of the terminal to which tables are wrapped, or nil for no limit.
  package let columns: Int?

  /// Creates a style; `columns` has no effect on plain text.
  package init(_ ink: Ink, columns: Int? = nil) {
    self.ink = ink
    self.columns = ink == .plain ? nil : columns
  }

  package static let plain = TextStyle(.plain)
  package static let monochrome = TextStyle(.monochrome)
  package static let color = TextStyle(.color)
}

/// The meaning of a colour; the terminal's theme defines the colours.
enum Paint: Int {
  case bad = 31
  case good = 32
  case warning = 33
  case label = 2
  case chosen = 1
}

extension TextStyle {
  func paint(_ text: String, _ paint: Paint) -> String {
    ink == .color ? "\u{1B}[\(paint.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// Returns a bar of ten columns in steps of an eighth: "▕████████▍ ▏".
  func bar(_ percent: Int, _ paint: Paint) -> String {
    guard self != .plain else { return "" }
    let eighths = min(max(percent, 0), 100) * 80 / 100
    let full = String(repeating: "█", count: eighths / 8)
    let part = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8]
    let blank = String(repeating: " ", count: 10 - (eighths + 7) / 8)
    return "▕\(self.paint(full + part, paint))\(blank)▏"
  }

  func table(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.writtenColumns).max() ?? 0
    return rows.map { label, value in
      paint(label, .label) + String(repeating: " ", count: width - label.writtenColumns + 2) + value
    }.joined(separator: "\n")
  }

  /// Formats rows as a table with aligned columns; headings are added only for a terminal.
  ///
  /// The first column may hold marks. The last column is wrapped on a narrow terminal.
  ///
  /// - Parameter omitsEmpty: Whether a column without values is left out.
  func table(_ headings: [String], _ rows: [[String]], omitsEmpty: Bool = false) -> String {
    let lines = (self == .plain ? [] : [headings.map { $0.uppercased() }]) + rows
    let widths = headings.indices.map { column in
      let values = rows.map { $0[column].writtenColumns }.max() ?? 0
      return omitsEmpty && values == 0
        ? 0 : max(values, self == .plain ? 0 : headings[column].count)
    }
    func line(_ cells: [String]) -> String {
      var line = ""
      for (column, cell) in cells.enumerated() where widths[column] > 0 {
        line += cell + String(repeating: " ", count: widths[column] - cell.writtenColumns)
        line += widths[column] == 1 ? " " : "  "
      }
      while line.last == " " { line.removeLast() }
      return line
    }
    let before = widths.dropLast().reduce(0) { $0 + ($1 == 0 ? 0 : $1 == 1 ? 2 : $1 + 2) }
    let room = (columns ?? .max) - before
    let hasRoom = room >= 24
    return lines.enumerated().flatMap { index, cells in
      let last = cells.last ?? ""
      guard index > 0 || self == .plain else { return [paint(line(cells), .label)] }
      guard last.writtenColumns > room else { return [line(cells)] }
      let parts = last.wrapped(columns: hasRoom ? room : max(12, room + before - 4))
      let indent = String(repeating: " ", count: hasRoom ? before : 4)
      return [line(cells.dropLast() + [hasRoom ? parts[0] : ""])]
        + parts.dropFirst(hasRoom ? 1 : 0).map { indent + $0 }
    }.joined(separator: "\n")
  }

  func choices(_ names: [String], current: String) -> String {
    names.map { $0 == current ? paint("● \($0)", .chosen) : "  \($0)" }.joined(separator: "\n")
  }
}

extension String {
  /// Returns the text in lines, broken between words where possible.
  fileprivate func wrapped(columns: Int) -> [String] {
    guard writtenColumns > columns else { return [self] }
    var lines = [""]
    for word in split(separator: " ") {
      let last = lines[lines.count - 1]
      if last.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if last.writtenColumns + 1 + String(word).writtenColumns <= columns {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}
