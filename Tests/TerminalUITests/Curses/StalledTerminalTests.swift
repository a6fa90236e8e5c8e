import CTerminalGuard
import EventLoop
import Glibc
import Testing

@testable import TerminalUI

extension `A terminal` {
  /// Terminals that are stalled, stopped by ^S or busy.
  @MainActor
  @Suite(.serialized) struct `and nobody who reads it` {
    private let size = Size(columns: 200, rows: 60)

    init() { setenv("LC_ALL", "C.UTF-8", 1) }

    /// Returns a screen full of a letter, so that two of them share no cell.
    private func screen(_ letter: Character) -> Screen {
      var screen = Screen(size: size)
      let text = String(repeating: letter, count: size.columns)
      for row in 0..<size.rows { screen.write(text, column: 0, row: row, role: .plain) }
      return screen
    }

    /// Writes more than the kernel buffers for a terminal.
    private func fill(_ terminal: CursesTerminal) {
      for letter in "abcdefghijklmnopqrstuvw" { terminal.present(screen(letter)) }
    }

    private func open(_ pty: PseudoTerminal) throws -> CursesTerminal {
      try pty.open { $0.hasMouse = true }
    }

    /// Returns the output until `displayText` has appeared.
    private func reading(_ pty: PseudoTerminal, until displayText: String) async throws -> String {
      var text = pty.written()
      while !text.contains(displayText) {
        try await PollLoop.shared.readable(pty.master)
        text += pty.written()
      }
      return text
    }

    @Test func `holds up nobody, and shows the newest screen in the end`() async throws {
      let pty = try PseudoTerminal(columns: 200, rows: 60)
      let terminal = try open(pty)
      defer { terminal.close() }
      fill(terminal)
      terminal.present(screen("x"))
      terminal.copy("first")
      terminal.copy("second")
      terminal.present(screen("y"))
      let text = try await reading(pty, until: "yyy")
      #expect(text.contains("aaa"))
      // None of those that the kernel could not keep.
      #expect(!text.contains("www") && !text.contains("xxx"))
      #expect(!text.contains(clipboardSequence("first")))
      #expect(text.contains(clipboardSequence("second")))
    }

    @Test func `is given back all the same`() throws {
      let pty = try PseudoTerminal(columns: 200, rows: 60)
      let modes = pty.modes()
      let terminal = try open(pty)
      fill(terminal)
      terminal.close()
      #expect(pty.modes() == modes)
      let end = pty.written()
      for code in ["\u{1B}[?1049l", "\u{1B}[?2004l", "1002l"] {
        #expect(end.contains(code), "\(code.debugDescription)")
      }
    }

    @Test func `is given back by the guard of a crash`() throws {
      let pty = try PseudoTerminal(columns: 200, rows: 60)
      let terminal = try open(pty)
      fill(terminal)
      terminal_guard_restore()
      #expect(pty.written().contains("\u{1B}[?1049l"))
      terminal.close()
    }

    @Test func `does not block for others that use it`() throws {
      let pty = try PseudoTerminal()
      let terminal = try open(pty)
      defer { terminal.close() }
      #expect(fcntl(pty.slave, F_GETFL) & O_NONBLOCK == 0)
    }
  }
}
