/// Returns lines of labels and values, with the values in one column after two spaces.
///
/// The width counts characters, so labels should be ASCII. There is no final newline.
package func table(_ rows: [(String, String)]) -> String {
  let width = rows.map(\.0.count).max() ?? 0
  return rows.map { label, value in
    label + String(repeating: " ", count: width - label.count + 2) + value
  }.joined(separator: "\n")
}
