import CTerminalGuard
import Companion
import Glibc
import Testing

@testable import TerminalUI

extension `A terminal` {
  /// The title, synchronised frames, focus and colours of a terminal's window.
  @MainActor
  @Suite(.serialized) struct `and its window` {
    private static let variables = ["TERM_PROGRAM", "WT_SESSION", "VTE_VERSION", "COLORFGBG"]

    init() {
      setenv("LC_ALL", "C.UTF-8", 1)
      for name in Self.variables + ["NO_COLOR"] { unsetenv(name) }
    }

    private func screen(
      _ text: String, title: String = "", progress: UInt8? = nil, role: Role = .plain
    ) -> Screen {
      var screen = Screen(size: Size(columns: 20, rows: 4))
      screen.write(text, column: 1, row: 1, role: role)
      screen.window = WindowInfo(title: title, progress: progress)
      return screen
    }

    /// Opens a terminal, and answers its queries.
    private func open(
      _ pty: PseudoTerminal, _ type: String = "xterm-256color", answering answer: String = ""
    ) async throws -> (CursesTerminal, asked: String) {
      let terminal = try pty.open(type)
      let asked = pty.written()
      if !answer.isEmpty {
        // The key comes last, so that the answer was read.
        pty.type(answer + "k")
        var inputs = terminal.inputs.makeAsyncIterator()
        while let input = await inputs.next(), input != .key(.character("k")) {}
      }
      return (terminal, asked)
    }

    /// Types a report and then a key, to ensure that it was read; returns the output that it
    /// caused.
    private func answer(
      _ pty: PseudoTerminal, _ terminal: CursesTerminal, _ text: String
    ) async -> String {
      pty.type(text + "k")
      var inputs = terminal.inputs.makeAsyncIterator()
      while let input = await inputs.next(), input != .key(.character("k")) {}
      return pty.written()
    }

    @Test func `frames are shown at once where the terminal says that it can`() async throws {
      let pty = try PseudoTerminal()
      let (terminal, asked) = try await open(pty, answering: "\u{1B}[?2026;2$y")
      defer { terminal.close() }
      #expect(asked.contains("\u{1B}[?2026$p"))
      terminal.present(screen("battery 80"))
      let frame = pty.written()
      #expect(frame.hasPrefix("\u{1B}[?2026h") && frame.hasSuffix("\u{1B}[?2026l"))
      #expect(frame.contains("battery"))
      terminal.present(screen("battery 80"))
      #expect(pty.written() == "", "an equal frame is none")
    }

    @Test(arguments: ["", "\u{1B}[?2026;0$y", "\u{1B}[?2026;4$y"])
    func `else they are sent as they are`(answer: String) async throws {
      let pty = try PseudoTerminal()
      let (terminal, _) = try await open(pty, answering: answer)
      terminal.present(screen("battery 80"))
      #expect(!pty.written().contains("?2026"))
      terminal.close()
      // A terminal that never ended a frame would show nothing more.
      #expect(pty.written().contains("\u{1B}[?2026l"))
    }

    @Test(arguments: ["vt100", "linux"])
    func `a terminal without xterm's modes is asked nothing`(type: String) async throws {
      let pty = try PseudoTerminal()
      let (terminal, asked) = try await open(pty, type)
      terminal.present(screen("x", title: "Aurora - earshot", progress: 5))
      terminal.close()
      let all = asked + pty.written()
      for sequence in ["$p", "?1004", "?2031", "?2026", "\u{1B}]2;", "22;2t", "]9;"] {
        #expect(!all.contains(sequence), "\(sequence)")
      }
    }

    @Test func `the title is set when it changes, and put back`() async throws {
      let pty = try PseudoTerminal()
      let (terminal, asked) = try await open(pty)
      #expect(asked.contains("\u{1B}[22;2t"))
      terminal.present(screen("x", title: "Aurora 80% - earshot"))
      #expect(pty.written().contains("\u{1B}]2;Aurora 80% - earshot\u{7}"))
      terminal.present(screen("y", title: "Aurora 80% - earshot"))
      #expect(!pty.written().contains("]2;"))
      terminal.present(screen("y", title: "Au\u{7}\u{1B}]52;x\u{9C}ra"))
      let hostile = pty.written()
      #expect(hostile.count { $0 == "\u{1B}" } == 1 && hostile.hasSuffix("\u{7}"))
      terminal.close()
      #expect(pty.written().contains("\u{1B}[23;2t"))
    }

    @Test func `GNU screen keeps its title`() async throws {
      let pty = try PseudoTerminal()
      let (terminal, asked) = try await open(pty, "screen-256color")
      defer { terminal.close() }
      terminal.present(screen("x", title: "Aurora - earshot"))
      #expect(!(asked + pty.written()).contains("]2;") && !asked.contains("22;2t"))
    }

    @Test func `progress is for terminals that show it, and is taken away at the end`() async throws
    {
      setenv("TERM_PROGRAM", "ghostty", 1)
      let pty = try PseudoTerminal()
      let (terminal, _) = try await open(pty)
      terminal.present(screen("x", progress: 42))
      #expect(pty.written().contains("\u{1B}]9;4;1;42\u{7}"))
      terminal.present(screen("y"))
      #expect(pty.written().contains("\u{1B}]9;4;0\u{7}"))
      terminal.close()
      #expect(pty.written().contains("\u{1B}]9;4;0\u{7}"))

      unsetenv("TERM_PROGRAM")
      let other = try PseudoTerminal()
      let (plain, _) = try await open(other)
      plain.present(screen("x", progress: 42))
      plain.close()
      #expect(!other.written().contains("]9;"))
    }

    @Test func `focus is an input, and asks for the background again`() async throws {
      let pty = try PseudoTerminal()
      let terminal = try pty.open()
      defer { terminal.close() }
      var inputs = terminal.inputs.makeAsyncIterator()
      #expect(pty.written().contains("\u{1B}[?1004h"))
      pty.type("\u{1B}[O\u{1B}[Ia")
      #expect(await inputs.next() == .focusChanged(false))
      #expect(await inputs.next() == .focusChanged(true))
      #expect(await inputs.next() == .key(.character("a")))
      #expect(pty.written().contains("\u{1B}]11;?\u{7}"))
    }

    /// The colours of a theme's two palettes differ: 252 is the text on dark, 236 on light.
    @Test func `colours follow the desktop's while the program runs`() async throws {
      let pty = try PseudoTerminal()
      let (terminal, asked) = try await open(pty)
      defer { terminal.close() }
      #expect(asked.contains("\u{1B}[?2031h"))
      terminal.present(screen("low", role: .notice))
      #expect(pty.written().contains("38;5;252m"))
      // It never answered OSC 11: the report is all there is.
      #expect(await answer(pty, terminal, "\u{1B}[?997;2n").contains("38;5;236m"))
      #expect(await answer(pty, terminal, "\u{1B}[?997;1n").contains("38;5;252m"))
      // Once it has, its own background counts.
      _ = await answer(pty, terminal, "\u{1B}]11;rgb:0000/0000/0000\u{7}")
      let asks = await answer(pty, terminal, "\u{1B}[?997;2n")
      #expect(asks.contains("\u{1B}]11;?\u{7}") && !asks.contains("38;5;236m"))
      #expect(
        await answer(pty, terminal, "\u{1B}]11;rgb:ffff/ffff/ffff\u{7}").contains("38;5;236m"))
    }

    @Test func `the guard of a crash puts everything back`() async throws {
      setenv("TERM_PROGRAM", "WezTerm", 1)
      defer { unsetenv("TERM_PROGRAM") }
      let pty = try PseudoTerminal()
      let terminal = try pty.open { $0.hasMouse = true }
      terminal.present(screen("x", title: "t", progress: 1))
      let before = pty.written()
      terminal_guard_restore()
      let end = pty.written()
      for mode in ["1002", "1004", "1006", "2004", "2031"] {
        #expect(before.contains("\u{1B}[?\(mode)h") && end.contains("\u{1B}[?\(mode)l"), "\(mode)")
      }
      #expect(end.contains("\u{1B}[?2026l") && end.contains("\u{1B}[23;2t"))
      #expect(end.contains("\u{1B}]9;4;0\u{7}") && end.contains("\u{1B}[?1049l"))
      terminal.close()
    }

    /// Colour numbers there resulted in black text on black.
    @Test(arguments: ["xterm-direct", "xterm-direct256", "kitty-direct"])
    func `a terminal of direct colours gets colours, not numbers`(type: String) async throws {
      let pty = try PseudoTerminal()
      let (terminal, _) = try await open(pty, type)
      defer { terminal.close() }
      terminal.present(screen("low", role: .notice))
      // xterm's 252 is #d0d0d0.
      let frame = pty.written().replacing(":", with: ";").replacing(";;", with: ";")
      #expect(frame.contains("38;2;208;208;208"), "\(frame.debugDescription)")
    }

    @Test(arguments: [
      (TerminalNotification.off, ""), (.osc9, "\u{1B}]9;Buds: low: left 9%\u{7}"),
      (.osc777, "\u{1B}]777;notify;Buds: low;left 9%\u{7}"),
      (
        .osc99,
        "\u{1B}]99;i=earshot:d=0;Buds: low\u{1B}\\\u{1B}]99;i=earshot:d=1:p=body;left 9%\u{1B}\\"
      ),
    ])
    func `notifications have the form that was chosen`(
      form: TerminalNotification, sequence: String
    ) async throws {
      let pty = try PseudoTerminal()
      let (terminal, _) = try await open(pty)
      defer { terminal.close() }
      terminal.notify("Buds: low", "left 9%", as: form)
      #expect(pty.written() == sequence)
      terminal.notify("a\u{1B}]0;b\u{7}", ";c", as: form)
      #expect(pty.written().count { $0 == "\u{1B}" } <= 4)
      terminal.notify("4;1;50", "", as: form)
      #expect(!pty.written().contains("]9;4;"), "would be progress")
    }
  }
}
