internal import Glibc

/// A lock among the processes of one user, on a file that has no other purpose.
///
/// The kernel releases it when the process ends in whatever way, so the file may stay.
final class FileLock: Sendable {
  private let file: OpenFile

  /// Opens the file; ``take()`` takes the lock.
  ///
  /// - Throws: ``FileError/system(errno:during:path:)``.
  init(_ file: PrivateFile) throws(FileError) {
    try file.makeFolder()
    self.file = try OpenFile(file.path, O_RDWR | O_CREAT | O_NOFOLLOW)
  }

  /// Takes the lock until the end of this object's life.
  ///
  /// - Returns: false if another process or object has it.
  func take() throws(FileError) -> Bool { try file.lock() }
}

extension PrivateFile {
  /// Runs a body while an exclusive lock is held; blocks the thread until it is free.
  ///
  /// - Parameter timeout: for a lock whose holder may be stopped (^Z).
  /// - Returns: what `body` returns.
  /// - Throws: ``FileError/locked(path:)`` after the timeout, without running `body`; what `body`
  ///   throws.
  func withLock<Value>(
    timeout: Duration = .seconds(1), _ body: () throws(FileError) -> Value
  ) throws(FileError) -> Value {
    let lock = try FileLock(PrivateFile(path: "\(path).lock"))
    defer { withExtendedLifetime(lock) {} }
    let end = ContinuousClock.now + timeout
    // flock(2) has no timeout; a holder needs some milliseconds at most.
    var pause: Int32 = 1
    while try !lock.take() {
      guard .now < end else { throw .locked(path: path) }
      poll(nil, 0, pause)
      pause = min(2 * pause, 32)
    }
    return try body()
  }
}
