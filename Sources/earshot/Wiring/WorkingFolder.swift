import Glibc

/// The folder that this process stands in.
enum WorkingFolder {
  /// Nil: it is gone, or may not be seen.
  static var path: String? {
    guard let path = realpath(".", nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }
}
