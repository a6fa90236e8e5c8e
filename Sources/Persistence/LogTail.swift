internal import Glibc

/// A reader of a log's lines: first all, including the rotated log, then those that are new.
package struct LogTail: Sendable {
  private let path: String
  private var offset = 0
  private var inode: ino_t = 0
  private var rest: [UInt8] = []

  /// Starts at the beginning of the log, which need not exist yet.
  package init(_ file: PrivateFile) { path = file.path }

  /// Returns the new whole lines; after a rotation, first those that are left in `.1`.
  package mutating func newLines() throws(FileError) -> [String] {
    do throws(FileError) {
      let file = try OpenFile(path, O_RDONLY)
      let status = try file.status()
      if let kind = FileKind(status) { throw .notAFile(path: path, kind: kind) }
      var lines: [String] = []
      if status.st_ino != inode || Int(status.st_size) < offset {
        if status.st_ino != inode { lines = try restOfRotated() }
        (offset, rest) = (0, [])
      }
      inode = status.st_ino
      try readOn(file)
      return lines + removeWholeLines()
    } catch {
      if error.isAbsence { return [] }
      throw error
    }
  }

  /// Returns the unread lines of the rotated log; at the start, all of them.
  private mutating func restOfRotated() throws(FileError) -> [String] {
    do throws(FileError) {
      let file = try OpenFile("\(path).1", O_RDONLY)
      let status = try file.status()
      guard inode == 0 || status.st_ino == inode else { return [] }
      try readOn(file)
    } catch {
      guard error.isAbsence else { throw error }
    }
    return removeWholeLines()
  }

  private mutating func readOn(_ file: borrowing OpenFile) throws(FileError) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = try file.read(into: &buffer, at: offset)
      guard count > 0 else { return }
      rest += buffer[..<count]
      offset += count
    }
  }

  private mutating func removeWholeLines() -> [String] {
    guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    let lines = rest[..<end].split(separator: UInt8(ascii: "\n"))
    rest.removeSubrange(...end)
    return lines.map { String(decoding: $0, as: UTF8.self) }
  }
}
