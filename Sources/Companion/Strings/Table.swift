/// Lines of a label and a value each, the values in one column.
public func table(_ rows: [(String, String)]) -> String {
  let width = rows.map(\.0.count).max() ?? 0
  return rows.map { label, value in
    label + String(repeating: " ", count: width - label.count + 2) + value
  }.joined(separator: "\n")
}
