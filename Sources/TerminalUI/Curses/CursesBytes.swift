internal import CNcurses
internal import Glibc

/// The bytes that curses writes, kept in memory until they are taken.
///
/// Curses itself would wait for a terminal that reads nothing, and with it the whole program.
///
/// An anonymous file (`memfd_create`) takes the place of curses' descriptor; each frame is read
/// from it, translated and handed to ``TerminalWriter``. `ftruncate` after each frame keeps it
/// small.
struct CursesBytes {
  private let file: Int32

  /// Puts a file in memory in the place of the terminal that curses writes to by `descriptor`.
  ///
  /// Curses has set the terminal's modes then, and can no more: ``LineModes`` does.
  ///
  /// - Parameter descriptor: The one that curses' output stream stands on.
  /// - Throws: ``TerminalError/system(errno:during:)``.
  init(insteadOf descriptor: Int32) throws(TerminalError) {
    let memory = memfd_create("earshot-screen", 0)
    guard memory >= 0 else { throw .system(errno: errno, during: "memfd_create") }
    defer { close(memory) }
    guard dup2(memory, descriptor) >= 0 else { throw .system(errno: errno, during: "dup2") }
    // The last step: where this descriptor is replaced, curses can no longer restore the terminal.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    file = descriptor
  }

  /// The bytes that curses has written since the last call.
  func drain() -> [UInt8] {
    let count = lseek(file, 0, SEEK_CUR)
    guard count > 0 else { return [] }
    let bytes = [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
      filled = max(0, pread(file, buffer.baseAddress, buffer.count, 0))
    }
    lseek(file, 0, SEEK_SET)
    ftruncate(file, 0)
    return bytes
  }
}
