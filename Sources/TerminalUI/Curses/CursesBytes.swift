internal import CNcurses
internal import Glibc

/// A memory file that receives the output of curses.
///
/// Curses would block the program on a terminal that reads nothing, so an anonymous file
/// (`memfd_create`) replaces its descriptor. Each frame is read from the file, translated and
/// passed to ``TerminalWriter``; `ftruncate` then keeps the file small.
struct CursesBytes {
  private let file: Int32

  /// Replaces `descriptor`, to which curses writes, with a memory file.
  ///
  /// Curses can then no longer set the terminal's modes; ``LineModes`` does.
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
