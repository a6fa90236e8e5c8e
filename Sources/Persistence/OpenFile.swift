internal import EventLoop
internal import Glibc

/// An open file, which is closed when the value is destroyed.
///
/// All of its calls go through ``/EventLoop/systemCall(_:)``, and their errors name the path.
struct OpenFile: ~Copyable, Sendable {
  /// The path that errors name.
  private let path: String
  /// The path that it was opened by.
  let name: String
  private let descriptor: Int32

  /// Opens a file, with the flags that a child process does not inherit it and that a named pipe
  /// does not block.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - flags: those of open(2), for example `O_RDONLY`.
  ///   - meant: the path that errors name, where it is another one.
  /// - Throws: ``FileError/system(errno:during:path:)``.
  init(_ path: String, _ flags: Int32, for meant: String? = nil) throws(FileError) {
    name = path
    self.path = meant ?? path
    descriptor = Int32(
      try fileCall("open", meant ?? path) {
        Int(open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o600))
      })
  }

  /// Between the name of a file and the random end of the one that is to replace it.
  static let temporaryMark = ".new-"

  /// Creates a file with a random name beside `path`, which no other process can have created
  /// before (mode 0600); errors name `path`, which is what the user knows.
  ///
  /// - Throws: ``FileError/system(errno:during:path:)``.
  init(temporaryBeside path: String) throws(FileError) {
    let ending = String(UInt64.random(in: .min ... .max), radix: 36)
    try self.init(
      "\(path)\(Self.temporaryMark)\(ending)", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, for: path)
  }

  deinit { close(descriptor) }

  /// Device, inode, length and times (fstat(2)).
  func status() throws(FileError) -> stat {
    var status = stat()
    _ = try fileCall("fstat", path) { Int(fstat(descriptor, &status)) }
    return status
  }

  /// Reads the whole of a regular file.
  ///
  /// - Throws: ``FileError/notAFile(path:kind:)`` for a directory, a pipe or a device;
  ///   ``FileError/malformed(path:reason:)`` for a file of more than `limit` bytes.
  func readAll(atMost limit: Int) throws(FileError) -> [UInt8] {
    let status = try status()
    if let kind = FileKind(status) { throw .notAFile(path: path, kind: kind) }
    // Files in /proc report a size of 0: only reading shows their length.
    guard status.st_size <= limit else { throw tooLong(limit) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: min(max(Int(status.st_size) + 1, 4096), 1 << 20))
    while true {
      let count = try read(into: &buffer, at: bytes.count)
      guard count > 0 else { return bytes }
      bytes += buffer[..<count]
      guard bytes.count <= limit else { throw tooLong(limit) }
    }
  }

  /// Reads at an offset.
  ///
  /// - Returns: the number of bytes that were read; 0 at the end.
  func read(into buffer: inout [UInt8], at offset: Int) throws(FileError) -> Int {
    let size = buffer.count
    return try fileCall("read", path) { pread(descriptor, &buffer, size, offset) }
  }

  /// Writes all bytes at the descriptor's offset.
  func write(_ bytes: [UInt8]) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try fileCall("write", path) {
        rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Truncates the file to a length.
  func truncate(to length: Int = 0) throws(FileError) {
    _ = try fileCall("ftruncate", path) { Int(ftruncate(descriptor, length)) }
  }

  /// Waits until the contents are on the disk; for a directory, the names in it.
  func synchronize() throws(FileError) {
    do {
      _ = try fileCall("fsync", path) { Int(fsync(descriptor)) }
    } catch .system(errno: EINVAL, during: _, path: _) {
      // The file system does not support it, as some do not for directories.
    }
  }

  /// Acquires the lock of the file (flock(2)), which ends with this value.
  ///
  /// - Returns: false if another process, or another value of this one, has it.
  func lock() throws(FileError) -> Bool {
    switch systemCall({ Int(flock(descriptor, LOCK_EX | LOCK_NB)) }) {
    case .done: true
    case .wouldBlock: false
    case .failed(let code): throw .system(errno: code, during: "flock", path: path)
    }
  }

  /// Whether the path still refers to this file, which another process may have replaced or
  /// removed.
  var hasName: Bool {
    var named = stat()
    guard let own = try? status(), stat(name, &named) == 0 else { return false }
    return own.st_dev == named.st_dev && own.st_ino == named.st_ino
  }

  private func tooLong(_ limit: Int) -> FileError {
    .malformed(path: path, reason: "longer than \(limit) bytes")
  }
}

extension FileKind {
  /// The kind of a file; `nil` for a regular one.
  init?(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: return nil
    case S_IFDIR: self = .directory
    case S_IFIFO: self = .pipe
    case S_IFSOCK: self = .socket
    default: self = .device
    }
  }
}

/// Makes a system call for a path.
///
/// - Throws: ``FileError/system(errno:during:path:)``; with EAGAIN if it would have to wait.
func fileCall(
  _ name: String, _ path: String, _ body: () -> Int
) throws(FileError) -> Int {
  switch systemCall(body) {
  case .done(let result): result
  case .wouldBlock: throw .system(errno: EAGAIN, during: name, path: path)
  case .failed(let code): throw .system(errno: code, during: name, path: path)
  }
}
