internal import CNcurses
internal import Glibc

/// The modes that the terminal is asked for beyond curses' own: pasted text marked as such, and the
/// mouse.
///
/// | mode | what | asked for |
/// | --- | --- | --- |
/// | 1000, 1006 | presses and the wheel, in decimal (xterm) | with the option `hasMouse` |
/// | 2004 | bracketed paste | where terminfo has `BE`, or an xterm-like mouse |
struct TerminalModes {
  /// Codes above curses' own keys.
  static let pasteBegin: Int32 = 2000
  static let pasteEnd: Int32 = 2001

  private let hasMouse: Bool
  private let hasPaste: Bool

  /// For the terminal that is open.
  @MainActor
  init(hasMouse: Bool) {
    self.hasMouse = hasMouse
    // The mouse is read here: curses knows mode 1006 of some terminals only.
    for introducer in [Self.capability("kmous"), "\u{1B}[<", "\u{1B}[M"].compactMap(\.self) {
      define_key(introducer, 0)
    }
    // The capability, or a mouse as xterm has it: older entries lack the first.
    hasPaste = Self.capability("BE") != nil || Self.capability("kmous") == "\u{1B}[<"
    if hasPaste {
      define_key("\u{1B}[200~", Self.pasteBegin)
      define_key("\u{1B}[201~", Self.pasteEnd)
    }
  }

  /// - Returns: what to send besides what curses writes.
  @MainActor
  func enter() -> String {
    (hasMouse ? "\u{1B}[?1000h\u{1B}[?1006h" : "") + (hasPaste ? "\u{1B}[?2004h" : "")
  }

  /// - Returns: what to send besides what curses writes.
  @MainActor
  func leave() -> String {
    (hasMouse ? "\u{1B}[?1006l\u{1B}[?1000l" : "") + (hasPaste ? "\u{1B}[?2004l" : "")
  }

  /// All that gives the screen back, for a signal handler.
  ///
  /// Computed once, in advance: a signal handler may not allocate.
  @MainActor
  func leaveBytes() -> [UInt8] {
    var text = leave()
    for name in ["sgr0", "op", "cnorm", "rmkx", "rmcup"] {
      text += Self.capability(name).map(withoutPadding) ?? ""
    }
    return Array(text.utf8)
  }

  /// A string of the terminal's description; nil: it has none.
  private static func capability(_ name: String) -> String? {
    // (char *)-1 says that the name is no string capability.
    guard let value = tigetstr(name), Int(bitPattern: value) != -1 else { return nil }
    return String(cString: value)
  }
}

/// A capability without its delays, "$<5>".
private func withoutPadding(_ text: String) -> String {
  var result = ""
  var rest = Substring(text)
  while let mark = rest.firstIndex(of: "$") {
    result += rest[..<mark]
    rest = rest[mark...]
    guard rest.hasPrefix("$<"), let end = rest.firstIndex(of: ">") else { break }
    rest = rest[rest.index(after: end)...]
  }
  return result + rest
}

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
