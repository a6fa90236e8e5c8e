internal import Foundation

/// A folder path that is removed with the object, but not created by it.
package final class TemporaryFolder: Sendable {
  /// The absolute path.
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
