import CNcurses
import CTerminalGuard
import Glibc
import Testing

@testable import TerminalUI

/// Curses and signal handlers belong to the process, so only one test runs at a time.
@MainActor
@Suite(.serialized) struct `A terminal` {
  init() {
    setenv("LC_ALL", "C.UTF-8", 1)
    // The test runner sets it when its own output is no terminal.
    unsetenv("NO_COLOR")
  }

  private func screen(_ text: String, role: Role = .plain, rows: Int = 4) -> Screen {
    var screen = Screen(size: Size(columns: 20, rows: rows))
    screen.write(text, column: 1, row: 1, role: role)
    return screen
  }

  @Test(arguments: [
    "xterm-256color", "xterm", "vt100", "linux", "screen-256color", "tmux-256color",
    "foot-unknown-here",
  ])
  func `shows a screen, whatever its type`(type: String) throws {
    let pty = try PseudoTerminal()
    let terminal = try pty.open(type)
    defer { terminal.close() }
    #expect(terminal.size == Size(columns: 20, rows: 4))
    terminal.present(screen("Hë 音🎧e\u{301}x", role: .batteryCritical))
    #expect(shownText(row: 1) == " Hë 音🎧e\u{301}x")
    #expect(pty.written().contains("Hë 音🎧e\u{301}x"))
  }

  @Test func `that cannot be opened is left as it was`() throws {
    let pty = try PseudoTerminal()
    let modes = pty.modes()
    var options = TerminalOptions()
    (options.type, options.input, options.output) = ("xterm", pty.slave, pty.slave)
    var lines = try LineModes(of: pty.slave)
    let error = TerminalError.system(errno: EMFILE, during: "memfd_create")
    #expect(throws: error) {
      _ = try CursesTerminal.open(options, &lines) { _ throws(TerminalError) in
        #expect(pty.modes() != modes)
        throw error
      }
    }
    #expect(pty.modes() == modes)
    #expect(error.description == "no screen: memfd_create: Too many open files")
  }

  @Test func `is refused where nothing can be put at a place, and left as it was`() throws {
    let pty = try PseudoTerminal()
    #expect(throws: TerminalError.cannotPlace("dumb")) { try pty.open("dumb") }
    #expect(!pty.written().contains { !$0.isNewline })
    let terminal = try pty.open("xterm")
    defer { terminal.close() }
    terminal.present(screen("battery 80"))
    #expect(shownText(row: 1) == " battery 80")
  }

  @Test func `keeps its size and type while the doctor looks`() throws {
    let pty = try PseudoTerminal()
    let terminal = try pty.open("xterm")
    defer { terminal.close() }
    let type = TerminalType()
    #expect(type.name == "xterm" && type.isKnown && type.colors == 8)
    #expect(terminal.size == Size(columns: 20, rows: 4))
  }

  @Test func `writes only what has changed`() throws {
    let pty = try PseudoTerminal()
    let terminal = try pty.open()
    defer { terminal.close() }
    terminal.present(screen("battery 80"))
    _ = pty.written()
    terminal.present(screen("battery 80"))
    #expect(pty.written() == "")
    terminal.present(screen("battery 79"))
    let change = pty.written()
    #expect(change.contains("79") && !change.contains("battery") && change.utf8.count < 24)
    terminal.redraw()
    #expect(pty.written().contains("battery"))
  }

  @Test func `keeps the row aligned where the C library is too old for a character`() throws {
    let pty = try PseudoTerminal()
    let terminal = try pty.open()
    defer { terminal.close() }
    // Wide for us; curses is told a narrow stand-in twice.
    terminal.present(screen("a\u{1FAE9}b\u{FFFD}"))
    let shown = shownText(row: 1)
    #expect(shown == " a\u{1FAE9}b\u{FFFD}" || shown == " a? b\u{FFFD}")
  }

  @Test(arguments: [(true, "", true), (false, "", false), (true, "1", false)])
  func `sets no colour when none is wanted`(
    wanted: Bool, variable: String, isColored: Bool
  ) throws {
    setenv("NO_COLOR", variable, 1)
    defer { unsetenv("NO_COLOR") }
    let pty = try PseudoTerminal()
    let terminal = try pty.open { $0.hasColors = wanted }
    terminal.present(screen("low", role: .batteryCritical))
    terminal.close()
    #expect(pty.written().contains("\u{1B}[38;5;") == isColored)
  }

  @Test func `draws in letters where the locale has nothing else`() throws {
    setenv("LC_ALL", "C", 1)
    let pty = try PseudoTerminal()
    let terminal = try pty.open()
    defer { terminal.close() }
    #expect(terminal.symbols == .ascii)
  }

  @Test(arguments: [("xterm-256color", Symbols.unicode), ("linux", .console)])
  func `knows what its fonts can show`(type: String, symbols: Symbols) throws {
    let pty = try PseudoTerminal()
    let terminal = try pty.open(type)
    defer { terminal.close() }
    #expect(terminal.symbols == symbols)
  }

  @Test(arguments: ["no-such-terminal", ""])
  func `is refused if its type is unknown, and stays as it was`(type: String) throws {
    let pty = try PseudoTerminal()
    let modes = pty.modes()
    #expect(throws: TerminalError.unknownType(type)) { try pty.open(type) }
    #expect(pty.modes() == modes)
    #expect(TerminalError.unknownType(type).description.contains("TERM"))
  }

  @Test func `must be a terminal`() throws {
    var options = TerminalOptions()
    let file = Glibc.open("/dev/null", O_RDWR)
    defer { close(file) }
    options.input = file
    options.output = file
    #expect(throws: TerminalError.notATerminal) { try CursesTerminal(options) }
  }

  @Test func `is given back as it was`() throws {
    let pty = try PseudoTerminal()
    let modes = pty.modes()
    let terminal = try pty.open { $0.hasMouse = true }
    terminal.present(screen("x"))
    #expect(pty.modes() != modes)
    #expect(pty.written().contains("\u{1B}[?1049h"))
    terminal.close()
    let end = pty.written()
    for code in ["\u{1B}[?1049l", "\u{1B}[?25h", "\u{1B}[?2004l", "\u{1B}[?1006l", "\u{1B}[?1002l"]
    {
      #expect(end.contains(code), "\(code.debugDescription)")
    }
    #expect(pty.modes() == modes)
    // And once only.
    terminal.close()
    terminal.present(screen("y"))
    #expect(pty.written() == "")
  }

  @Test func `is given back by the guard of a crash, once`() throws {
    let pty = try PseudoTerminal()
    let modes = pty.modes()
    let terminal = try pty.open()
    terminal.present(screen("x"))
    _ = pty.written()
    terminal_guard_restore()
    let end = pty.written()
    #expect(end.contains("\u{1B}[?1049l") && end.contains("\u{1B}[?2004l"))
    #expect(!end.contains("$<"))
    #expect(pty.modes() == modes)
    terminal_guard_restore()
    #expect(pty.written() == "")
    terminal.close()
  }

  @Test func `lets a crash be a crash`() async {
    await #expect(processExitsWith: .signal(SIGABRT)) {
      try await MainActor.run {
        let pty = try PseudoTerminal()
        _ = try pty.open()
        _ = try PseudoTerminal().open()
        abort()
      }
    }
  }

  @Test func `ends at the second request even if nobody listens`() async {
    await #expect(processExitsWith: .signal(SIGTERM)) {
      try await MainActor.run {
        let pty = try PseudoTerminal()
        _ = try pty.open()
        // Two that are pending at once count as one.
        while true { kill(getpid(), SIGTERM) }
      }
    }
  }
}
