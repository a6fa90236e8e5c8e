internal import Glibc

/// A small file that only its owner reads, and that is never seen half written.
public struct PrivateFile: Hashable, Sendable {
  /// As open(2) takes it.
  public var path: String

  public init(path: String) { self.path = path }

  /// The whole file; nil: there is none.
  public func read(atMost limit: Int = 1 << 20) throws(FileError) -> [UInt8]? {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw failure("open")
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("read") }
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
      guard bytes.count <= limit else {
        throw .malformed(path: path, reason: "longer than \(limit) bytes")
      }
    }
  }

  /// Replaces the file at once, or leaves it as it is (0600; its folder 0700).
  ///
  /// What is precious is on the disk when this returns, for which the disk is waited.
  ///
  /// - Parameter makesFolder: false where a person has named the file: a folder that is not there
  ///   is a slip then.
  public func replace(
    with bytes: [UInt8], isPrecious: Bool = true, makesFolder: Bool = true
  ) throws(FileError) {
    if makesFolder { try makeFolder() } else { try needFolder() }
    let temporary = "\(path).\(getpid())"
    let descriptor = Glibc.open(
      temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure("open") }
    do throws(FileError) {
      try write(bytes, to: descriptor)
      guard !isPrecious || fsync(descriptor) == 0 else { throw failure("fsync") }
    } catch {
      close(descriptor)
      unlink(temporary)
      throw error
    }
    close(descriptor)
    guard rename(temporary, path) == 0 else {
      let error = failure("rename")
      unlink(temporary)
      throw error
    }
  }

  /// Removes the file; not being there is no error.
  public func remove() throws(FileError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw failure("unlink") }
  }

  /// Makes the folders above the file that do not exist.
  func makeFolder() throws(FileError) {
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/").dropLast() {
      made += "\(part)/"
      guard mkdir(made, 0o700) == 0 || errno == EEXIST else { throw failure("mkdir") }
    }
  }

  private func needFolder() throws(FileError) {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
    let folder = String(path[..<slash])
    guard access(folder, F_OK) == 0 || errno != ENOENT else {
      throw .malformed(path: path, reason: "there is no folder \(folder): make it first")
    }
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure("write") }
      rest = rest.dropFirst(count)
    }
  }

  private func failure(_ call: String) -> FileError {
    .system(errno: errno, during: call, path: path)
  }
}
