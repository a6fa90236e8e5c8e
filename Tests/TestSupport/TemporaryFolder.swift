internal import Foundation

/// A folder that is removed with the object; it is not made by it.
package final class TemporaryFolder: Sendable {
  /// Absolute.
  package let path: String

  package init() {
    path =
      FileManager.default.temporaryDirectory.path
      + "/earshot-tests-\(UUID().uuidString)/state"
  }

  deinit {
    try? FileManager.default.removeItem(
      atPath: URL(filePath: path).deletingLastPathComponent().path)
  }
}
