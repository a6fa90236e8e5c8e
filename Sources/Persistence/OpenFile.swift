internal import EventLoop
internal import Glibc

/// An open file, which is closed when the value is destroyed.
struct OpenFile: ~Copyable, Sendable {
  private let path: String
  let name: String
  private let descriptor: Int32

  /// Opens a file that is not inherited and does not block on a pipe; errors name `meant`, if any.
  init(_ path: String, _ flags: Int32, for meant: String? = nil) throws(FileError) {
    name = path
    self.path = meant ?? path
    descriptor = Int32(
      try fileCall("open", meant ?? path) {
        Int(open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o600))
      })
  }

  /// The mark between the name of a file and the random suffix of its replacement.
  static let temporaryMark = ".new-"

  /// Creates a file with a random name beside `path` (mode 0600); errors name `path`.
  init(temporaryBeside path: String) throws(FileError) {
    let ending = String(UInt64.random(in: .min ... .max), radix: 36)
    try self.init(
      "\(path)\(Self.temporaryMark)\(ending)", O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, for: path)
  }

  /// Creates or truncates a file for output; opening a pipe blocks until it has a reader.
  init(output path: String) throws(FileError) {
    name = path
    self.path = path
    descriptor = Int32(
      try fileCall("open", path) {
        Int(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600))
      })
  }

  deinit { close(descriptor) }

  func status() throws(FileError) -> stat {
    var status = stat()
    _ = try fileCall("fstat", path) { Int(fstat(descriptor, &status)) }
    return status
  }

  /// Reads a whole regular file; throws `notAFile` or, above `limit` bytes, `malformed`.
  func readAll(atMost limit: Int) throws(FileError) -> [UInt8] {
    let status = try status()
    if let kind = FileKind(status) { throw .notAFile(path: path, kind: kind) }
    // Files in /proc report a size of 0, and only reading reveals their length.
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

  func read(into buffer: inout [UInt8], at offset: Int) throws(FileError) -> Int {
    let size = buffer.count
    return try fileCall("read", path) { pread(descriptor, &buffer, size, offset) }
  }

  func write(_ bytes: [UInt8]) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try fileCall("write", path) {
        rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      }
      rest = rest.dropFirst(count)
    }
  }

  func truncate(to length: Int = 0) throws(FileError) {
    _ = try fileCall("ftruncate", path) { Int(ftruncate(descriptor, length)) }
  }

  func overwrite(with bytes: [UInt8]) throws(FileError) {
    try write(bytes)
    try truncate(to: bytes.count)
    try synchronize()
  }

  /// Adopts the owner and the mode of another file; returns false if that is not permitted.
  func adopt(_ other: stat) -> Bool {
    fchown(descriptor, other.st_uid, other.st_gid) == 0
      && fchmod(descriptor, other.st_mode & 0o7777) == 0
  }

  /// Withdraws other users' permissions for the file, unless it is a pipe or a device.
  func makePrivate() throws(FileError) {
    if FileKind(try status()) == nil { fchmod(descriptor, 0o600) }
  }

  /// Waits until the contents, or for a directory the names in it, are on the disk.
  func synchronize() throws(FileError) {
    do {
      _ = try fileCall("fsync", path) { Int(fsync(descriptor)) }
    } catch .system(errno: EINVAL, during: _, path: _) {
      // The file system does not support it, as some do not for directories.
    }
  }

  /// Acquires the lock of the file (flock(2)) with this value, or returns false if it is taken.
  func lock() throws(FileError) -> Bool {
    switch systemCall({ Int(flock(descriptor, LOCK_EX | LOCK_NB)) }) {
    // NFS cannot lock folders.
    case .done, .failed(EBADF): true
    case .wouldBlock: false
    case .failed(let code): throw .system(errno: code, during: "flock", path: path)
    }
  }

  /// Whether the path still refers to this file; another process may have replaced or removed it.
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

/// Makes a system call for a path; throws `system`, with EAGAIN if the call would block.
func fileCall(
  _ name: String, _ path: String, _ body: () -> Int
) throws(FileError) -> Int {
  switch systemCall(body) {
  case .done(let result): result
  case .wouldBlock: throw .system(errno: EAGAIN, during: name, path: path)
  case .failed(let code): throw .system(errno: code, during: name, path: path)
  }
}
