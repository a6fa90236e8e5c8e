internal import Glibc

/// A lock among processes, on a file that has no other purpose (flock(2)).
///
/// The kernel releases it when the process ends in any way, so the file may stay.
final class FileLock: Sendable {
  private let file: OpenFile

  /// Opens or creates the file without locking it.
  ///
  /// - Throws: ``FileError/system(errno:during:path:)``.
  init(_ file: PrivateFile) throws(FileError) {
    try file.makeFolder()
    self.file = try OpenFile(file.path, O_RDWR | O_CREAT | O_NOFOLLOW)
  }

  /// Acquires the lock until this object is released.
  ///
  /// - Returns: false if another process or object has it.
  /// - Throws: ``FileError/system(errno:during:path:)``.
  func acquire() throws(FileError) -> Bool { try file.lock() }
}

extension PrivateFile {
  /// Runs a body while an exclusive lock is held on "PATH.lock"; blocks the thread until it is
  /// free.
  ///
  /// - Parameters:
  ///   - timeout: the time to wait, since the holder may be a stopped process (^Z).
  ///   - body: reads and writes the file.
  /// - Returns: the result of `body`.
  /// - Throws: ``FileError/locked(path:)`` after the timeout, without running `body`; the error of
  ///   `body`.
  func withLock<Value>(
    timeout: Duration = .seconds(1), _ body: () throws(FileError) -> Value
  ) throws(FileError) -> Value {
    let lock = try FileLock(PrivateFile(path: "\(path).lock"))
    defer { withExtendedLifetime(lock) {} }
    let end = ContinuousClock.now + timeout
    // flock(2) has no timeout; a holder needs some milliseconds at most.
    var pause: Int32 = 1
    while try !lock.acquire() {
      guard .now < end else { throw .locked(path: path) }
      poll(nil, 0, pause)
      pause = min(2 * pause, 32)
    }
    return try body()
  }
}

/// A lock that keeps other processes of the user from updating the same headphone at the same time.
public final class FirmwareLock: Sendable {
  private let lock: FileLock

  /// Acquires the lock until this object is released.
  ///
  /// - Parameters:
  ///   - name: the identity of the headphone, as a part of a file's name.
  ///   - folder: the folder of the lock's file.
  /// - Returns: `nil` if another process has it.
  /// - Throws: ``FileError`` if the file cannot be created.
  public init?(_ name: String, in folder: StateFolder) throws(FileError) {
    lock = try FileLock(folder.file("updating-\(name).lock"))
    guard try lock.acquire() else { return nil }
  }
}
