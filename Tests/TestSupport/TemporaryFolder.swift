internal import Foundation

/// A folder that is removed with the object; it is not made by it.
public final class TemporaryFolder: Sendable {
  /// Absolute.
  public let path: String

  public init() {
    path =
      FileManager.default.temporaryDirectory.path
      + "/earshot-tests-\(UUID().uuidString)/state"
  }

  deinit {
    try? FileManager.default.removeItem(
      atPath: URL(filePath: path).deletingLastPathComponent().path)
  }
}
