internal import Glibc

/// A lock among processes, on a lock file or a folder (flock(2)), which ends with the process.
final class FileLock: Sendable {
  private let file: OpenFile

  init(_ file: PrivateFile) throws(FileError) {
    try file.makeFolder()
    self.file = try OpenFile(file.path, O_RDWR | O_CREAT | O_NOFOLLOW)
  }

  /// Opens the folder of `file` without locking it, for folders in which no lock file may appear.
  init(folderOf file: PrivateFile) throws(FileError) {
    try file.makeFolder()
    self.file = try OpenFile(file.folder, O_RDONLY | O_DIRECTORY)
  }

  func acquire() throws(FileError) -> Bool { try file.lock() }
}

extension PrivateFile {
  /// Runs `body` under an exclusive lock on "PATH.lock"; throws `locked` after `timeout`.
  func withLock<Value>(
    timeout: Duration = .seconds(1), _ body: () throws(FileError) -> Value
  ) throws(FileError) -> Value {
    try hold(try FileLock(PrivateFile(path: "\(path).lock")), timeout, body)
  }

  /// Runs `body` under an exclusive lock on the folder, without a lock file in it.
  package func withLockedFolder<Value>(
    timeout: Duration = .seconds(1), _ body: () throws(FileError) -> Value
  ) throws(FileError) -> Value {
    try hold(try FileLock(folderOf: self), timeout, body)
  }

  private func hold<Value>(
    _ lock: FileLock, _ timeout: Duration, _ body: () throws(FileError) -> Value
  ) throws(FileError) -> Value {
    defer { withExtendedLifetime(lock) {} }
    let end = ContinuousClock.now + timeout
    // flock(2) has no timeout, and a holder needs only a few milliseconds.
    var pause: Int32 = 1
    while try !lock.acquire() {
      guard .now < end else { throw .locked(path: path) }
      poll(nil, 0, pause)
      pause = min(2 * pause, 32)
    }
    return try body()
  }
}

/// A lock that keeps other processes of the user from updating the same headphone.
package final class FirmwareLock: Sendable {
  private let lock: FileLock

  /// Acquires the lock until this object is released; fails if another process has it.
  package init?(_ name: String, in folder: StateFolder) throws(FileError) {
    lock = try FileLock(folder.file("updating-\(name).lock"))
    guard try lock.acquire() else { return nil }
  }
}
