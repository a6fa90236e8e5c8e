internal import Glibc

/// A small file that only its owner can read, and that is replaced as a whole.
///
/// The calls block on the disk: an app with a screen or a link makes them on ``/EventLoop/FileIO``.
package struct PrivateFile: Hashable, Sendable {
  package var path: String

  package init(path: String) { self.path = path }

  /// Reads the whole file, or returns nil if it does not exist.
  ///
  /// - Throws: ``FileError/notAFile(path:kind:)`` at once for a pipe, a device or a directory, so
  ///   that no path makes the caller wait; ``FileError/malformed(path:reason:)`` for a file of more
  ///   than `limit` bytes.
  package func read(atMost limit: Int = 1 << 20) throws(FileError) -> [UInt8]? {
    do throws(FileError) {
      return try OpenFile(path, O_RDONLY).readAll(atMost: limit)
    } catch {
      if error.isAbsence { return nil }
      throw error
    }
  }

  /// Replaces the file as a whole, or leaves it unchanged (mode 0600, its folder 0700).
  ///
  /// - Parameters:
  ///   - isPrecious: Whether to wait until contents and name are on the disk.
  ///   - makesFolder: False for a path that a user has typed, where a missing folder is a mistake.
  package func replace(
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

  /// Removes temporary files of interrupted replacements; the caller has the lock.
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

  /// Creates a file that must not exist (else EEXIST), in a folder that must (mode 0600).
  package func create(with bytes: [UInt8]) throws(FileError) {
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

  /// The file that symbolic links lead to, which need not exist, or this one if it is not a link.
  package var destination: PrivateFile {
    var file = self
    // The number of links that Linux follows.
    for _ in 0..<40 {
      var target = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlink(file.path, &target, Int(PATH_MAX))
      guard count > 0 else { return file }
      let path = String(decoding: target[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
      file = PrivateFile(path: path.hasPrefix("/") ? path : "\(file.folder)/\(path)")
    }
    return self
  }

  /// Replaces the contents of a user's file, or nothing; mode, owner and hard links stay.
  ///
  /// A missing file is created (mode 0600, its folder 0700).
  package func rewrite(with bytes: [UInt8]) throws(FileError) {
    guard let old = try read(), let status = try? OpenFile(path, O_RDONLY).status() else {
      return try replace(with: bytes)
    }
    let temporary = try OpenFile(temporaryBeside: path)
    do throws(FileError) {
      try temporary.write(bytes)
      if status.st_nlink == 1, temporary.adopt(status) {
        try temporary.synchronize()
        _ = try fileCall("rename", path) { Int(rename(temporary.name, path)) }
        return try OpenFile(folder, O_RDONLY | O_DIRECTORY).synchronize()
      }
    } catch {
      unlink(temporary.name)
      throw error
    }
    // The file has other names or belongs to another user, so it is overwritten in place.
    unlink(temporary.name)
    let file = try OpenFile(path, O_WRONLY)
    do throws(FileError) {
      try file.overwrite(with: bytes)
    } catch {
      try? OpenFile(path, O_WRONLY).overwrite(with: old)
      throw error
    }
  }

  /// Writes to a path that a user has typed, as a shell's ">" does, but with mode 0600.
  ///
  /// Links are followed, a pipe or a device takes the bytes, and no folder is created. After an
  /// error the file may contain a part.
  package func write(_ bytes: [UInt8]) throws(FileError) {
    try needFolder()
    let file = try OpenFile(output: path)
    try file.makePrivate()
    try file.write(bytes)
  }

  package func remove() throws(FileError) {
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

  var folder: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private func needFolder() throws(FileError) {
    guard access(folder, F_OK) == 0 || errno != ENOENT else {
      throw .malformed(path: path, reason: "the folder \(folder) does not exist; create it first")
    }
  }
}
