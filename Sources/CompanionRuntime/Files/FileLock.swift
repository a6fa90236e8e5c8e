internal import Glibc

/// A lock among the programs of one person, on a file that is for nothing else.
///
/// The kernel gives it back with the process, however that ends; so its file may stay.
final class FileLock: Sendable {
  private let file: PrivateFile
  private let descriptor: Int32

  /// Does not take it yet.
  init(_ file: PrivateFile) throws(FileError) {
    self.file = file
    try file.makeFolder()
    descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw .system(errno: errno, during: "open", path: file.path)
    }
  }

  deinit { close(descriptor) }

  /// Takes it, to be given back with the object; false: somebody else has it.
  func take() throws(FileError) -> Bool {
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
    guard errno == EWOULDBLOCK else {
      throw .system(errno: errno, during: "flock", path: file.path)
    }
    return false
  }
}

extension PrivateFile {
  /// Runs `body` while no other program changes the file: what is read, changed and written again
  /// would else undo what the other one wrote meanwhile.
  ///
  /// Blocks the thread, but a program that is stopped in the middle of a change keeps nobody for
  /// longer than `timeout`.
  func alone<Value, Failure>(
    timeout: Duration = .seconds(1), _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    // A folder where no lock can be made takes no change either, and that is told.
    let lock = try? FileLock(PrivateFile(path: "\(path).lock"))
    defer { withExtendedLifetime(lock) {} }
    let end = ContinuousClock.now + timeout
    while let lock, (try? lock.take()) == false, .now < end { usleep(5_000) }
    return try body()
  }
}
