internal import Companion
internal import Glibc
internal import Persistence

/// The entries of a folder; reading may wait for the disk, so it belongs on ``/EventLoop/FileIO``.
package enum FolderListing {
  private static let most = 10_000

  /// Completes a path that is being typed, or returns nil if no folder or entry matches.
  static func completion(of path: String) -> PathCompletion? {
    let typed = PathCompletion.folder(of: path)
    let folder = typed.hasPrefix("~/") ? (variable("HOME") ?? "~") + typed.dropFirst() : typed
    return PathCompletion(of: path, among: entries(of: folder.isEmpty ? "." : folder))
  }

  /// Returns the paths that begin with a typed one, for a shell.
  package static func paths(from typed: String) -> [String] {
    guard let completion = completion(of: typed) else { return [] }
    let folder = PathCompletion.folder(of: typed)
    return completion.names.isEmpty ? [completion.text] : completion.names.map { folder + $0 }
  }

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

  /// Looks up the type where the file system does not report it.
  private static func isFolder(_ type: Int32, _ path: String) -> Bool {
    guard type != Int32(DT_DIR) else { return true }
    guard type == Int32(DT_LNK) || type == Int32(DT_UNKNOWN) else { return false }
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }
}
