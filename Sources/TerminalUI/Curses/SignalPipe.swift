internal import CTerminalGuard
internal import Glibc

/// A pipe that delivers signals as bytes, in order, written by a handler in C (self-pipe).
struct SignalPipe {
  let readEnd: Int32

  init() throws(TerminalError) {
    readEnd = terminal_guard_watch()
    guard readEnd >= 0 else { throw .system(errno: -readEnd, during: "pipe2") }
  }

  func restore() { _ = terminal_guard_watch() }

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

  func close() { terminal_guard_unwatch() }
}
