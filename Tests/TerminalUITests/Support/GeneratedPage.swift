import Foundation
import Testing

/// A page of `docs` that is made from the program: `UPDATE_SCREENS=1` rewrites it.
///
/// - Parameters:
///   - name: Its file in `docs`.
///   - text: What the program says that it should contain.
func expectPage(_ name: String, _ text: String) throws {
  let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/\(name)")
  if ProcessInfo.processInfo.environment["UPDATE_SCREENS"] != nil {
    return try Data(text.utf8).write(to: file)
  }
  #expect(try String(contentsOf: file, encoding: .utf8) == text)
}
