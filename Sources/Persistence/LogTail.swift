internal import Glibc

/// A reader of the lines that were appended to a log since the last call.
///
/// ```swift
/// var tail = LogTail(StateFolder().file("earshot.log"))
/// for line in try tail.newLines() { print(line) }
/// ```
public struct LogTail: Sendable {
  private let path: String
  private var offset = 0
  private var inode: ino_t = 0
  private var rest: [UInt8] = []

  /// Starts at the beginning of the file, which need not exist yet.
  public init(_ file: PrivateFile) { path = file.path }

  /// The new whole lines; of a log that was rotated first what is left of the one before, which is now
  /// `.1`.
  ///
  /// - Throws: ``FileError``; an absent file has no lines instead.
  public mutating func newLines() throws(FileError) -> [String] {
    do throws(FileError) {
      let file = try OpenFile(path, O_RDONLY)
      let status = try file.status()
      if let kind = FileKind(status) { throw .notAFile(path: path, kind: kind) }
      var lines: [String] = []
      if status.st_ino != inode || Int(status.st_size) < offset {
        if inode != 0, status.st_ino != inode { lines = try restOfRotated() }
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

  /// What was written to the log before it was rotated, and is not read yet.
  private mutating func restOfRotated() throws(FileError) -> [String] {
    do throws(FileError) {
      let file = try OpenFile("\(path).1", O_RDONLY)
      guard try file.status().st_ino == inode else { return [] }
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

  /// Removes the whole lines from the bytes read so far.
  private mutating func removeWholeLines() -> [String] {
    guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
    let lines = rest[..<end].split(separator: UInt8(ascii: "\n"))
    rest.removeSubrange(...end)
    return lines.map { String(decoding: $0, as: UTF8.self) }
  }
}
