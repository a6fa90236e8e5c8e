import CNcurses
import Glibc
import TerminalUI
import Testing

/// A terminal of a given size, whose other end the test holds.
final class PseudoTerminal {
  let slave: Int32
  private(set) var master: Int32

  init(columns: UInt16 = 20, rows: UInt16 = 4) throws {
    var ends: (Int32, Int32) = (-1, -1)
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    try #require(openpty(&ends.0, &ends.1, nil, nil, &size) == 0)
    (master, slave) = ends
    // So that what has been written can be read to its end.
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
  }

  deinit {
    hangUp()
    close(slave)
  }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(write(master, bytes, bytes.count) == bytes.count)
  }

  func resize(columns: UInt16, rows: UInt16) {
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    #expect(ioctl(master, UInt(TIOCSWINSZ), &size) == 0)
  }

  func hangUp() {
    if master >= 0 { close(master) }
    master = -1
  }

  /// Returns the output since the last call.
  func written() -> String {
    var bytes = [UInt8](repeating: 0, count: 65536)
    var text: [UInt8] = []
    while true {
      let count = read(master, &bytes, bytes.count)
      guard count > 0 else { return String(decoding: text, as: UTF8.self) }
      text += bytes.prefix(count)
    }
  }

  /// Returns the terminal modes that a shell would find.
  func modes() -> [UInt32] {
    var modes = termios()
    #expect(tcgetattr(slave, &modes) == 0)
    return [modes.c_iflag, modes.c_oflag, modes.c_cflag, modes.c_lflag]
  }

  @MainActor
  func open(
    _ type: String = "xterm-256color", _ change: (inout TerminalOptions) -> Void = { _ in }
  ) throws -> CursesTerminal {
    var options = TerminalOptions()
    options.type = type
    options.input = slave
    options.output = slave
    change(&options)
    return try CursesTerminal(options)
  }
}

/// Returns curses' characters of a row.
@MainActor
func shownText(row: Int32) -> String {
  var text = ""
  var column: Int32 = 0
  while column < cn_cols() {
    var cell = cchar_t()
    mvwin_wch(cn_stdscr(), row, column, &cell)
    let scalars = withUnsafeBytes(of: cell.chars) { bytes in
      bytes.bindMemory(to: wchar_t.self).prefix { $0 != 0 }.compactMap {
        Unicode.Scalar(UInt32($0))
      }
    }
    text.unicodeScalars.append(contentsOf: scalars)
    column += max(1, scalars.first.map { wcwidth(wchar_t($0.value)) } ?? 1)
  }
  while text.last == " " { text.removeLast() }
  return text
}
