internal import EventLoop
internal import Glibc
internal import Locking

/// A log file to which whole lines are appended, and which is rotated when it is large.
///
/// A separate thread writes the file, so that a stalling disk delays neither the file access of
/// links nor the end of the process. Several processes may append to the same file.
final class AppendedFile: Sendable {
  /// The limit in bytes for the file, and for lines that wait for the disk.
  private static let limit = 1 << 20
  static let thread = FileIO(threadName: "earshot-log")

  private struct Open {
    weak var file: AppendedFile?
  }

  private static let all = Mutex<[Open]>([])
  private static let isWrittenAtExit: Void = { atexit { AppendedFile.writeAll() } }()

  private let file: PrivateFile
  private let output: Mutex<OpenFile>
  private let waiting = Mutex<[UInt8]>([])

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

  func append(_ line: String) {
    let isFirst = waiting.withLock { bytes in
      defer { if bytes.count < Self.limit { bytes += line.utf8 } }
      return bytes.isEmpty
    }
    if isFirst { Task { await Self.thread.run { self.write() } } }
  }

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

  /// Writes the waiting lines of all logs; those that the disk does not take within 2 s are lost.
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
