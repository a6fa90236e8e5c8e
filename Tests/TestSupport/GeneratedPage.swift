internal import Foundation

/// A file that a test generates, or whose tables it generates; `UPDATE_SCREENS=1` rewrites it.
package struct GeneratedPage {
  private let file: URL

  /// Creates the page of a file relative to `docs`.
  package init(_ name: String) { self.init(ofProject: "docs/\(name)") }

  /// Creates the page of a file relative to the project.
  package init(ofProject path: String) {
    file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: path)
  }

  package func text() throws -> String { try String(contentsOf: file, encoding: .utf8) }

  /// Returns the present text, which becomes the wanted one with `UPDATE_SCREENS=1`.
  package func text(rewrittenTo wanted: String) throws -> String {
    if ProcessInfo.processInfo.environment["UPDATE_SCREENS"] != nil {
      try Data(wanted.utf8).write(to: file)
    }
    return try text()
  }
}

extension String {
  /// Replaces the first table after a text, up to the next empty line; returns false without
  /// either.
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
