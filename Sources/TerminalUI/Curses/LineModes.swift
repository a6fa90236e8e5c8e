internal import Glibc

/// How the kernel treats what passes to and from a terminal: for a shell, and for a screen.
///
/// Set without waiting for what is still on its way, which a terminal may never read.
///
/// Two `termios` values: the shell's, from before anything was changed, and the screen's, as curses
/// sets them. Curses can no longer set modes itself once its output is a file (``CursesBytes``).
struct LineModes {
  private let terminal: Int32
  private var shell = termios()
  private var screen = termios()

  /// Before anything has changed the modes.
  init(of terminal: Int32) throws(TerminalError) {
    self.terminal = terminal
    guard tcgetattr(terminal, &shell) == 0 else {
      throw .system(errno: errno, during: "tcgetattr")
    }
    screen = shell
  }

  /// Remembers the modes of now as those for a screen.
  mutating func remember() { tcgetattr(terminal, &screen) }

  /// Raw input, as curses set it.
  func giveToScreen() { set(screen) }

  /// The modes in which the program found the terminal.
  func giveToShell() { set(shell) }

  private func set(_ modes: termios) {
    var modes = modes
    tcsetattr(terminal, TCSANOW, &modes)
  }
}
