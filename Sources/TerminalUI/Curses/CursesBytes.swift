internal import CNcurses
internal import Glibc

/// A memory file that receives the output of curses.
///
/// Curses would block, and the whole program with it, on a terminal that reads nothing. So an
/// anonymous file (`memfd_create`) replaces curses' descriptor. Each frame is read from it,
/// translated and passed to ``TerminalWriter``. `ftruncate` after each frame keeps the file small.
struct CursesBytes {
  private let file: Int32

  /// Replaces `descriptor`, to which curses writes, with a memory file.
  ///
  /// Afterwards curses can no longer set the terminal's modes; ``LineModes`` does.
  ///
  /// - Throws: ``TerminalError/system(errno:during:)``.
  init(insteadOf descriptor: Int32) throws(TerminalError) {
    let memory = memfd_create("earshot-screen", 0)
    guard memory >= 0 else { throw .system(errno: errno, during: "memfd_create") }
    defer { close(memory) }
    guard dup2(memory, descriptor) >= 0 else { throw .system(errno: errno, during: "dup2") }
    // The last step: once the descriptor is replaced, curses cannot restore the terminal.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    file = descriptor
  }

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
