internal import EventLoop
internal import Glibc
internal import Locking

/// A log file to which whole lines are appended, and which is rotated when it is large.
///
/// It is written on a thread of its own: a disk that stalls with a line of the log must not keep
/// what the links need of the disk waiting, nor the end of the process. Several processes may append
/// to the same file.
final class AppendedFile: Sendable {
  /// The size in bytes at which the file is rotated, and at which lines that wait for a slow disk
  /// are dropped.
  private static let limit = 1 << 20
  /// The thread that all logs of the process share.
  static let thread = FileIO(threadName: "earshot-log")

  /// An open log, as long as something uses it.
  private struct Open {
    weak var file: AppendedFile?
  }

  /// All open logs, which are written at exit.
  private static let all = Mutex<[Open]>([])
  private static let isWrittenAtExit: Void = { atexit { AppendedFile.writeAll() } }()

  private let file: PrivateFile
  private let output: Mutex<OpenFile>
  /// The lines that wait for the disk.
  private let waiting = Mutex<[UInt8]>([])

  /// Opens or creates the file, and the folders above it.
  ///
  /// - Throws: ``FileError/system(errno:during:path:)``; ``FileError/notAFile(path:kind:)`` for a
  ///   pipe or a device.
  init(_ file: PrivateFile) throws(FileError) {
    self.file = file
    try file.makeFolder()
    var output = try Self.open(file)
    Self.rotateIfLarge(file, &output)
    self.output = Mutex(output)
    Self.isWrittenAtExit
    Self.all.withLock { all in
      all.removeAll { $0.file == nil }
      all.append(Open(file: self))
    }
  }

  /// Appends a line soon; returns at once.
  func append(_ line: String) {
    let isFirst = waiting.withLock { bytes in
      defer { if bytes.count < Self.limit { bytes += line.utf8 } }
      return bytes.isEmpty
    }
    if isFirst { Task { await Self.thread.run { self.write() } } }
  }

  /// Writes the lines so far; a full disk loses them.
  private func write() {
    output.withLock { output in
      let bytes = waiting.withLock { bytes in
        defer { bytes = [] }
        return bytes
      }
      guard !bytes.isEmpty else { return }
      Self.rotateIfLarge(file, &output)
      // One call, so that the lines of several processes do not mix.
      try? output.write(bytes)
    }
  }

  /// Writes the lines so far of all logs; a disk that does not take them in two seconds loses them.
  static func writeAll() {
    FileIO.runLast(within: .seconds(2)) {
      for open in all.withLock({ $0 }) { open.file?.write() }
    }
  }

  private static func open(_ file: PrivateFile) throws(FileError) -> OpenFile {
    let output = try OpenFile(file.path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW)
    if let kind = FileKind(try output.status()) { throw .notAFile(path: file.path, kind: kind) }
    return output
  }

  /// Renames a large file to `.1` and opens a new one; of several processes only one renames it.
  private static func rotateIfLarge(_ file: PrivateFile, _ output: inout OpenFile) {
    guard let status = try? output.status(), status.st_size > limit,
      (try? output.lock()) == true
    else { return }
    if output.hasName { rename(file.path, "\(file.path).1") }
    // If a new file cannot be created, the old one continues to grow.
    guard let new = try? open(file) else { return }
    output = new
  }
}
