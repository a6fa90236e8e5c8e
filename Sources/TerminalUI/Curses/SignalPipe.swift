internal import CTerminalGuard
internal import Glibc

/// Signals as bytes that can be waited for.
///
/// The handler, in C, only writes the signal's number into a pipe (the self-pipe technique), since
/// almost nothing else is allowed there. Signals become inputs in the order of their arrival.
struct SignalPipe {
  let readEnd: Int32

  /// Takes the signals of a terminal program; there is one such pipe in the process.
  init() throws(TerminalError) {
    readEnd = terminal_guard_watch()
    guard readEnd >= 0 else { throw .system(errno: -readEnd, during: "pipe2") }
  }

  /// Takes the handlers back from curses, which sets its own when it opens a terminal.
  func restore() { _ = terminal_guard_watch() }

  /// The signals that came since the last call, in order.
  func drain() -> [Int32] {
    var bytes = [UInt8](repeating: 0, count: 64)
    var signals: [Int32] = []
    while true {
      let count = read(readEnd, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return signals }
      signals += bytes.prefix(count).map(Int32.init)
    }
  }

  /// Puts the former handlers back.
  func close() { terminal_guard_unwatch() }
}
