internal import Companion
internal import Glibc
internal import Persistence

/// The entries of a folder, for completing a path.
///
/// Reading waits for the disk: to be called on ``/EventLoop/FileIO``.
enum FolderListing {
  /// The entries that are looked at; a folder with more is completed by these alone.
  private static let most = 10_000

  /// Completes a path that is being typed.
  ///
  /// - Parameter path: a leading "~/" is the home directory, as in a shell.
  /// - Returns: nil: there is no such folder, or no entry begins so.
  static func completion(of path: String) -> PathCompletion? {
    let typed = PathCompletion.folder(of: path)
    let folder = typed.hasPrefix("~/") ? (variable("HOME") ?? "~") + typed.dropFirst() : typed
    return PathCompletion(of: path, among: entries(of: folder.isEmpty ? "." : folder))
  }

  /// The entries with names in UTF-8; empty where the folder cannot be read.
  private static func entries(of folder: String) -> [PathCompletion.Entry] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var entries: [PathCompletion.Entry] = []
    while entries.count < most, let entry = readdir(stream) {
      let bytes = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      guard let name = String(validating: bytes, as: UTF8.self) else { continue }
      entries.append(
        PathCompletion.Entry(
          name: name, isFolder: isFolder(Int32(entry.pointee.d_type), "\(folder)/\(name)")))
    }
    return entries
  }

  /// Whether an entry is a folder, or a link to one.
  ///
  /// Some file systems do not report a type, which is then looked up.
  private static func isFolder(_ type: Int32, _ path: String) -> Bool {
    guard type != Int32(DT_DIR) else { return true }
    guard type == Int32(DT_LNK) || type == Int32(DT_UNKNOWN) else { return false }
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
