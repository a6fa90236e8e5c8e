/// Lines of a label and a value each, the values in one column.
///
/// Two spaces separate the columns. The width counts characters, so labels should be ASCII.
///
/// - Parameter rows: In the order of their lines.
/// - Returns: The lines without a final newline.
public func table(_ rows: [(String, String)]) -> String {
  let width = rows.map(\.0.count).max() ?? 0
  return rows.map { label, value in
    label + String(repeating: " ", count: width - label.count + 2) + value
  }.joined(separator: "\n")
}
