internal import Glibc
internal import Synchronization

/// A file that grows by whole lines, and is begun anew when it is large.
///
/// It is written on the thread of files, and at the end of the program by whoever ends it.
final class AppendedFile: Sendable {
  /// Bytes, after which the file is begun anew; and of what a slow disk lets wait.
  private static let limit = 1 << 20

  private struct Open {
    weak var file: AppendedFile?
  }

  private static let all = Mutex<[Open]>([])
  private static let isWrittenAtExit: Void = { atexit { AppendedFile.writeAll() } }()

  private let file: PrivateFile
  private let descriptor: Mutex<Int32>
  private let waiting = Mutex<[UInt8]>([])

  init(_ file: PrivateFile) throws(FileError) {
    self.file = file
    try file.makeFolder()
    var descriptor = Self.open(file)
    guard descriptor >= 0 else {
      throw .system(errno: errno, during: "open", path: file.path)
    }
    Self.rotateIfLarge(file, &descriptor)
    self.descriptor = Mutex(descriptor)
    Self.isWrittenAtExit
    Self.all.withLock { all in
      all.removeAll { $0.file == nil }
      all.append(Open(file: self))
    }
  }

  deinit { descriptor.withLock { _ = close($0) } }

  /// Returns at once.
  func append(_ line: String) {
    let isFirst = waiting.withLock { bytes in
      defer { if bytes.count < Self.limit { bytes += line.utf8 } }
      return bytes.isEmpty
    }
    if isFirst { Task { await FileIO.shared.write(self) } }
  }

  /// Writes what has been appended so far.
  func write() {
    descriptor.withLock { descriptor in
      let bytes = waiting.withLock { bytes in
        defer { bytes = [] }
        return bytes
      }
      guard !bytes.isEmpty else { return }
      Self.rotateIfLarge(file, &descriptor)
      // One write, so that lines of several processes do not mix; a full disk loses lines, not more.
      bytes.withUnsafeBytes { _ = Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }
  }

  static func writeAll() {
    for open in all.withLock({ $0 }) { open.file?.write() }
  }

  private static func open(_ file: PrivateFile) -> Int32 {
    Glibc.open(file.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
  }

  /// Of several processes one renames the file; the others find another one in its place.
  private static func rotateIfLarge(_ file: PrivateFile, _ descriptor: inout Int32) {
    var (own, current) = (stat(), stat())
    guard fstat(descriptor, &own) == 0, own.st_size > limit,
      flock(descriptor, LOCK_EX | LOCK_NB) == 0
    else { return }
    if stat(file.path, &current) == 0, current.st_ino == own.st_ino {
      rename(file.path, "\(file.path).1")
    }
    let new = open(file)
    guard new >= 0 else {
      flock(descriptor, LOCK_UN)
      return
    }
    close(descriptor)
    descriptor = new
  }
}
