internal import EventLoop
internal import Glibc

/// Reads what was appended to a log since the last time.
public struct LogTail: Sendable {
  private let path: String
  private var offset = 0
  private var file: ino_t = 0
  private var rest: [UInt8] = []

  /// Begins at the file's start; it need not be there yet.
  public init(_ file: PrivateFile) { path = file.path }

  /// The whole lines that are new; a file that was begun anew is read from its start.
  public mutating func newLines() throws(FileError) -> [String] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return [] }
      throw .system(errno: errno, during: "open", path: path)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw .system(errno: errno, during: "fstat", path: path)
    }
    if status.st_ino != file || Int(status.st_size) < offset { (offset, rest) = (0, []) }
    file = status.st_ino
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      switch systemCall({ pread(descriptor, &buffer, buffer.count, offset) }) {
      case .done(0), .wouldBlock: return takeLines()
      case .done(let count):
        rest += buffer[..<count]
        offset += count
      case .failed(let code): throw .system(errno: code, during: "read", path: path)
      }
    }
  }

  private mutating func takeLines() -> [String] {
    guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    let lines = rest[..<end].split(separator: UInt8(ascii: "\n"))
    rest.removeSubrange(...end)
    return lines.map { String(decoding: $0, as: UTF8.self) }
  }
}
