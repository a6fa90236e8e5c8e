internal import Glibc

/// A small file that only its owner can read, replaced as a whole so that no reader sees a part of
/// it.
///
/// The calls block on the disk: an app with a screen or a link makes them on ``/EventLoop/FileIO``.
///
/// ```swift
/// let file = StateFolder().file("notes.json")
/// try file.replace(with: Array("{}\n".utf8))
/// let bytes = try file.read() ?? []
/// ```
public struct PrivateFile: Hashable, Sendable {
  /// The path, as open(2) takes it.
  public var path: String

  public init(path: String) { self.path = path }

  /// Reads the whole file.
  ///
  /// - Parameter limit: the largest file in bytes; a larger one is not read.
  /// - Returns: `nil` if there is no file.
  /// - Throws: ``FileError/notAFile(path:kind:)`` at once for a pipe, a device or a directory, so
  ///   that no path makes the caller wait for another process;
  ///   ``FileError/malformed(path:reason:)`` for a larger file;
  ///   ``FileError/system(errno:during:path:)``.
  public func read(atMost limit: Int = 1 << 20) throws(FileError) -> [UInt8]? {
    do throws(FileError) {
      return try OpenFile(path, O_RDONLY).readAll(atMost: limit)
    } catch {
      if error.isAbsence { return nil }
      throw error
    }
  }

  /// Replaces the file as a whole, or leaves it as it is (mode 0600, its folder 0700).
  ///
  /// - Parameters:
  ///   - bytes: the new contents.
  ///   - isPrecious: whether to wait until both the contents and the name are on the disk, so that
  ///     they survive a power failure after this returns.
  ///   - makesFolder: false for a path that a person has typed, where a missing folder is a typing
  ///     error.
  /// - Throws: ``FileError``; the file is then unchanged.
  public func replace(
    with bytes: [UInt8], isPrecious: Bool = true, makesFolder: Bool = true
  ) throws(FileError) {
    if makesFolder { try makeFolder() } else { try needFolder() }
    let temporary = try OpenFile(temporaryBeside: path)
    do throws(FileError) {
      try temporary.write(bytes)
      if isPrecious { try temporary.synchronize() }
      _ = try fileCall("rename", path) { Int(rename(temporary.name, path)) }
    } catch {
      unlink(temporary.name)
      throw error
    }
    if isPrecious { try OpenFile(folder, O_RDONLY | O_DIRECTORY).synchronize() }
  }

  /// Removes what replacements have left behind that were cut off, for example by a power failure.
  ///
  /// The caller has the lock, so that no replacement is under way.
  func removeLeftovers() {
    guard let name = path.split(separator: "/").last, let stream = opendir(folder) else { return }
    defer { closedir(stream) }
    let beginning = name + OpenFile.temporaryMark
    while let entry = readdir(stream) {
      let bytes = withUnsafeBytes(of: entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      guard let name = String(validating: bytes, as: UTF8.self), name.hasPrefix(beginning) else {
        continue
      }
      unlink("\(folder)/\(name)")
    }
  }

  /// Creates a file that must not exist, in a folder that must (mode 0600).
  ///
  /// - Throws: ``FileError/system(errno:during:path:)`` with EEXIST if the name is taken.
  func create(with bytes: [UInt8]) throws(FileError) {
    try needFolder()
    let file = try OpenFile(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
    do throws(FileError) {
      try file.write(bytes)
      try file.synchronize()
      try OpenFile(folder, O_RDONLY | O_DIRECTORY).synchronize()
    } catch {
      unlink(path)
      throw error
    }
  }

  /// Adds bytes at the end, or leaves the file as it is; one that is not there is made (mode 0600,
  /// its folder 0700).
  ///
  /// Unlike ``replace(with:isPrecious:makesFolder:)`` it keeps mode and owner of a file that the user
  /// keeps, and a link stays one.
  ///
  /// - Throws: ``FileError``.
  public func append(_ bytes: [UInt8]) throws(FileError) {
    try makeFolder()
    let file = try OpenFile(path, O_WRONLY | O_CREAT | O_APPEND)
    let length = try file.status().st_size
    do throws(FileError) {
      try file.write(bytes)
    } catch {
      // A disk that is full may have taken a part.
      try? file.truncate(to: length)
      throw error
    }
  }

  /// Removes the file, if it exists.
  ///
  /// - Throws: ``FileError/system(errno:during:path:)``.
  public func remove() throws(FileError) {
    do throws(FileError) {
      _ = try fileCall("unlink", path) { Int(unlink(path)) }
    } catch {
      guard error.isAbsence else { throw error }
    }
  }

  /// Creates the missing folders above the file (mode 0700).
  package func makeFolder() throws(FileError) {
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/").dropLast() {
      made += "\(part)/"
      do throws(FileError) {
        _ = try fileCall("mkdir", path) { Int(mkdir(made, 0o700)) }
      } catch {
        guard case .system(errno: EEXIST, during: _, path: _) = error else { throw error }
      }
    }
  }

  /// The path of the folder.
  private var folder: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Verifies that the folder exists.
  private func needFolder() throws(FileError) {
    guard access(folder, F_OK) == 0 || errno != ENOENT else {
      throw .malformed(path: path, reason: "the folder \(folder) does not exist; create it first")
    }
  }
}
