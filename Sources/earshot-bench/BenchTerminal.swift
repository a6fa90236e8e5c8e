internal import EventLoop
internal import Glibc
internal import Locking
internal import TerminalUI

/// A terminal whose other end a thread reads, so that output never stalls.
@MainActor
final class BenchTerminal {
  let curses: CursesTerminal
  private let outer: Int32
  private let reader: TerminalReader

  init(columns: UInt16, rows: UInt16) throws {
    var inner: Int32 = -1
    var outer: Int32 = -1
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&outer, &inner, nil, nil, &size) == 0 else {
      throw SystemCallError.system(errno: errno, during: "openpty")
    }
    self.outer = outer
    reader = TerminalReader(outer)
    var options = TerminalOptions()
    options.type = "xterm-256color"
    options.input = inner
    options.output = inner
    options.symbols = .unicode
    curses = try CursesTerminal(options)
  }

  /// Waits until all output is read, and returns the number of bytes since the last call.
  func readBytes() -> Int {
    var queued: Int32 = 1
    while ioctl(outer, UInt(FIONREAD), &queued) == 0, queued > 0 { sched_yield() }
    return reader.drain()
  }
}

private final class TerminalReader: Sendable {
  private let count = Mutex(0)

  init(_ descriptor: Int32) {
    Thread.start {
      var room = [UInt8](repeating: 0, count: 65536)
      while true {
        let bytes = read(descriptor, &room, room.count)
        guard bytes > 0 else { return }
        self.count.withLock { $0 += bytes }
      }
    }
  }

  func drain() -> Int {
    count.withLock { count in
      defer { count = 0 }
      return count
    }
  }
}
