import CNcurses
import Glibc
import Testing

@testable import TerminalUI

extension `A terminal` {
  @MainActor
  @Suite(.serialized) struct `and what is typed on it` {
    init() { setenv("LC_ALL", "C.UTF-8", 1) }

    @Test(arguments: [
      ("a", Key.character("a")), ("A", .character("A")), (" ", .character(" ")),
      ("é", .character("é")), ("音", .character("音")), ("\r", .enter), ("\n", .enter),
      ("\t", .tab), ("\u{1B}[Z", .backTab), ("\u{7F}", .backspace), ("\u{3}", .control("c")),
      ("\u{C}", .control("l")), ("\u{1A}", .control("z")), ("\u{1B}", .escape),
      ("\u{1B}[A", .up), ("\u{1B}[H", .home), ("\u{1B}[4~", .end), ("\u{1B}OA", .up),
      ("\u{1B}OB", .down), ("\u{1B}OC", .right), ("\u{1B}OD", .left),
      ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown), ("\u{1B}OH", .home), ("\u{1B}OF", .end),
      ("\u{1B}OP", .function(1)), ("\u{1B}[24~", .function(12)), ("\u{1B}[3~", .delete),
    ])
    func `comes as a key`(bytes: String, key: Key) async throws {
      let pty = try PseudoTerminal()
      let terminal = try pty.open()
      defer { terminal.close() }
      var inputs = terminal.inputs.makeAsyncIterator()
      pty.type(bytes)
      #expect(await inputs.next() == .key(key))
    }

    @Test func `keeps its order`() async throws {
      let pty = try PseudoTerminal()
      let terminal = try pty.open()
      defer { terminal.close() }
      var inputs = terminal.inputs.makeAsyncIterator()
      pty.type("ab\u{1B}[Aq")
      var keys: [Input?] = []
      for _ in 0..<4 { keys.append(await inputs.next()) }
      #expect(
        keys == [
          .key(.character("a")), .key(.character("b")), .key(.up), .key(.character("q")),
        ])
    }

    @Test func `is one text when it was pasted`() async throws {
      let pty = try PseudoTerminal()
      let terminal = try pty.open()
      defer { terminal.close() }
      var inputs = terminal.inputs.makeAsyncIterator()
      pty.type("\u{1B}[200~Hë q\u{1B}[201~x")
      #expect(await inputs.next() == .paste("Hë q"))
      #expect(await inputs.next() == .key(.character("x")))
    }

    @Test func `that was pasted without an end gives the keyboard back`() async throws {
      let pty = try PseudoTerminal()
      let terminal = try pty.open()
      defer { terminal.close() }
      var inputs = terminal.inputs.makeAsyncIterator()
      pty.type("\u{1B}[200~half")
      #expect(await inputs.next() == .paste("half"))
      pty.type("q")
      #expect(await inputs.next() == .key(.character("q")))
    }

    @Test func `may be the mouse`() async throws {
      let pty = try PseudoTerminal()
      let terminal = try pty.open { $0.hasMouse = true }
      defer { terminal.close() }
      var inputs = terminal.inputs.makeAsyncIterator()
      pty.type("\u{1B}[<0;5;3M")
      #expect(await inputs.next() == .mouse(Mouse(.press, column: 4, row: 2)))
      pty.type("\u{1B}[<64;1;1M")
      #expect(await inputs.next() == .mouse(Mouse(.wheelUp, column: 0, row: 0)))
      // A drag names the cell where it began; a release is nothing.
      pty.type("\u{1B}[<32;9;3M\u{1B}[<0;9;3m\u{1B}[<32;1;4M")
      for (column, row) in [(8, 2), (0, 3)] {
        let drag = Mouse(.drag, column: column, row: row, from: CellPosition(column: 4, row: 2))
        #expect(await inputs.next() == .mouse(drag))
      }
    }

    @Test(arguments: ["xterm-256color", "tmux-256color", "screen"])
    func `may be the mouse on any terminal, beyond column 223`(type: String) async throws {
      let pty = try PseudoTerminal()
      let terminal = try pty.open(type) { $0.hasMouse = true }
      defer { terminal.close() }
      #expect(pty.written().contains("\u{1B}[?1002h\u{1B}[?1006h"))
      var inputs = terminal.inputs.makeAsyncIterator()
      pty.type("\u{1B}[<0;300;88M\u{1B}[<0;300;88m\u{1B}[M !!")
      #expect(await inputs.next() == .mouse(Mouse(.press, column: 299, row: 87)))
      #expect(await inputs.next() == .mouse(Mouse(.press, column: 0, row: 0)))
    }

    @Test(arguments: [
      "\u{1B}[<0;88;10M", "\u{1B}[?64;1;9c", "\u{1B}[99;5q", "\u{1B}]11;what\u{7}",
      "\u{1B}P1$r0m\u{1B}\\", "\u{1B}OX", "\u{1B}[27;5;113~", "\u{1B}[1I",
    ])
    func `is no key where it is a control sequence that nobody asked for`(
      sequence: String
    ) async throws {
      let pty = try PseudoTerminal()
      let terminal = try pty.open()
      defer { terminal.close() }
      var inputs = terminal.inputs.makeAsyncIterator()
      pty.type(sequence + "q")
      #expect(await inputs.next() == .key(.character("q")))
    }

    @Test func `may be the answer which background the terminal has`() async throws {
      let pty = try PseudoTerminal(columns: 20, rows: 4)
      unsetenv("COLORFGBG")
      unsetenv("NO_COLOR")
      let terminal = try pty.open()
      defer { terminal.close() }
      var inputs = terminal.inputs.makeAsyncIterator()
      var screen = Screen(size: terminal.size)
      screen.write("brand", column: 0, row: 0, role: .brand)
      terminal.present(screen)
      let dark = pty.written()
      #expect(dark.contains("\u{1B}]11;?\u{7}") && dark.contains("38;5;80"))
      pty.type("\u{1B}]11;rgb:ffff/fafa/f0f0\u{1B}\\x")
      #expect(await inputs.next() == .key(.character("x")))
      #expect(pty.written().contains("38;5;24"))
    }

    @Test(arguments: [BackgroundChoice.dark, .light])
    func `is not waited for where the person says which background there is`(
      choice: BackgroundChoice
    ) throws {
      let pty = try PseudoTerminal()
      let terminal = try pty.open { $0.background = choice }
      defer { terminal.close() }
      #expect(!pty.written().contains("]11;"))
    }

    @Test func `ends when the terminal hangs up`() async throws {
      let pty = try PseudoTerminal()
      let terminal = try pty.open()
      defer { terminal.close() }
      var inputs = terminal.inputs.makeAsyncIterator()
      pty.hangUp()
      #expect(await inputs.next() == nil)
    }

    @Test func `ends when the terminal is closed`() async throws {
      let pty = try PseudoTerminal()
      let terminal = try pty.open()
      terminal.close()
      var inputs = terminal.inputs.makeAsyncIterator()
      #expect(await inputs.next() == nil)
    }

    @Test func `goes on after quick changes of size`() async throws {
      let pty = try PseudoTerminal()
      let terminal = try pty.open()
      defer { terminal.close() }
      var inputs = terminal.inputs.makeAsyncIterator()
      for columns in UInt16(21)...40 {
        pty.resize(columns: columns, rows: 5)
        kill(getpid(), SIGWINCH)
      }
      var last: Input?
      while last != .resized(Size(columns: 40, rows: 5)) { last = await inputs.next() }
      #expect(terminal.size == Size(columns: 40, rows: 5))
      var screen = Screen(size: terminal.size)
      screen.write("edge", column: 36, row: 4, role: .plain)
      terminal.present(screen)
      #expect(shownText(row: 4).hasSuffix("edge"))
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT])
    func `is asked to end by a signal`(signal: Int32) async throws {
      // A shell's background processes inherit that ^C and ^\ are ignored, which a terminal keeps.
      Glibc.signal(signal, SIG_DFL)
      let pty = try PseudoTerminal()
      let terminal = try pty.open()
      defer { terminal.close() }
      var inputs = terminal.inputs.makeAsyncIterator()
      kill(getpid(), signal)
      #expect(await inputs.next() == .endRequested(signal: signal))
    }

    @Test func `is asked to make room by a signal, and drawn again after`() async throws {
      let pty = try PseudoTerminal()
      let terminal = try pty.open()
      defer { terminal.close() }
      var inputs = terminal.inputs.makeAsyncIterator()
      kill(getpid(), SIGTSTP)
      #expect(await inputs.next() == .suspendRequested)
      _ = pty.written()
      kill(getpid(), SIGCONT)
      #expect(await inputs.next() == .resized(Size(columns: 20, rows: 4)))
    }
  }
}
