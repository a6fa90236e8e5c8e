internal import Foundation

/// A file that is made by a test, or whose tables are: `UPDATE_SCREENS=1` rewrites it.
///
/// ```swift
/// #expect(try GeneratedPage("keys.md").text(rewrittenTo: wanted) == wanted)
/// ```
package struct GeneratedPage {
  private let file: URL

  /// - Parameter name: relative to `docs`.
  package init(_ name: String) { self.init(ofProject: "docs/\(name)") }

  /// - Parameter path: relative to the project.
  package init(ofProject path: String) {
    file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: path)
  }

  package func text() throws -> String { try String(contentsOf: file, encoding: .utf8) }

  /// The text that it has, with `UPDATE_SCREENS=1` the wanted one from now on.
  package func text(rewrittenTo wanted: String) throws -> String {
    if ProcessInfo.processInfo.environment["UPDATE_SCREENS"] != nil {
      try Data(wanted.utf8).write(to: file)
    }
    return try text()
  }
}

extension String {
  /// Replaces the first table behind a text, up to the empty line behind it.
  ///
  /// - Returns: whether there are the text and a table.
  package mutating func replaceTable(after start: String, with table: String) -> Bool {
    guard let before = firstRange(of: start),
      let line = self[before.upperBound...].firstRange(of: "\n| ")
    else { return false }
    let rest = self[index(after: line.lowerBound)...]
    let end = rest.firstRange(of: "\n\n")?.lowerBound ?? rest.endIndex
    replaceSubrange(rest.startIndex..<end, with: table)
    return true
  }
}
