internal import CNcurses
internal import Companion
internal import Glibc

/// The terminal modes that are set in addition to those of curses.
///
/// | mode | effect | set |
/// | --- | --- | --- |
/// | 1002, 1006 | presses, drags and the wheel, in decimal (xterm) | with the option `hasMouse` |
/// | 2004 | bracketed paste | where terminfo has `BE`, or an xterm-like mouse |
/// | 1004 | whether the window has the keyboard | where terminfo has a mouse, but no console |
/// | 2031 | a change between dark and light | the same |
/// | 2026 | a frame is shown at once | around each frame, once the terminal has said that it can |
///
/// Terminals like xterm ignore the private modes that they do not have.
struct TerminalModes {
  /// The code of a paste's beginning, above those of curses' keys.
  static let pasteBegin: Int32 = 2000
  static let pasteEnd: Int32 = 2001

  private let hasMouse: Bool
  private let hasPaste: Bool
  /// Whether the terminal takes xterm's private modes and queries, or ignores them.
  let isLikeXterm: Bool
  /// Whether the title can be set and restored; GNU screen has no stack of titles.
  let hasTitle: Bool

  let showsProgress: Bool

  @MainActor
  init(hasMouse: Bool) {
    self.hasMouse = hasMouse
    // Mouse reports are parsed here: curses knows mode 1006 of some terminals only.
    for introducer in [Self.capability("kmous"), "\u{1B}[<", "\u{1B}[M"].compactMap(\.self) {
      define_key(introducer, 0)
    }
    // Older terminfo entries lack `BE`, but have xterm's mouse sequence.
    hasPaste = Self.capability("BE") != nil || Self.capability("kmous") == "\u{1B}[<"
    let type = termname().map { String(cString: $0) } ?? ""
    // The console's driver answers nothing, and its mouse is another program's.
    isLikeXterm = Self.capability("kmous") != nil && !type.hasPrefix("linux")
    hasTitle = isLikeXterm && !type.hasPrefix("screen")
    showsProgress =
      isLikeXterm
      && TerminalFeatures { getenv($0).map { String(cString: $0) } }.showsProgress
    if isLikeXterm {
      for report in ["\u{1B}[I", "\u{1B}[O"] { define_key(report, 0) }
    }
    if hasPaste {
      define_key("\u{1B}[200~", Self.pasteBegin)
      define_key("\u{1B}[201~", Self.pasteEnd)
    }
  }

  @MainActor
  func enter() -> String {
    (hasMouse ? "\u{1B}[?1002h\u{1B}[?1006h" : "") + (hasPaste ? "\u{1B}[?2004h" : "")
      + (isLikeXterm ? "\u{1B}[?1004h\u{1B}[?2031h" : "") + (hasTitle ? "\u{1B}[22;2t" : "")
  }

  @MainActor
  func leave() -> String {
    (isLikeXterm ? "\u{1B}[?2026l" : "")
      + (hasMouse ? "\u{1B}[?1006l\u{1B}[?1002l" : "") + (hasPaste ? "\u{1B}[?2004l" : "")
      + (isLikeXterm ? "\u{1B}[?1004l\u{1B}[?2031l" : "") + (hasTitle ? "\u{1B}[23;2t" : "")
      + (showsProgress ? progressSequence(nil) : "")
  }

  /// Returns the complete byte sequence that restores the screen, for use in a signal handler.
  @MainActor
  func leaveBytes() -> [UInt8] {
    var text = leave()
    for name in ["sgr0", "op", "cnorm", "rmkx", "rmcup"] {
      text += Self.capability(name).map(withoutPadding) ?? ""
    }
    return Array(text.utf8)
  }

  private static func capability(_ name: String) -> String? {
    // (char *)-1 means that the capability is not a string.
    guard let value = tigetstr(name), Int(bitPattern: value) != -1 else { return nil }
    return String(cString: value)
  }
}

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

/// The kernel's terminal modes for the shell and for the screen.
///
/// Curses cannot set modes once its output is a file (``CursesBytes``). The modes are set without
/// waiting for pending output, which a terminal may never read.
struct LineModes {
  private let terminal: Int32
  private var shell = termios()
  private var screen = termios()

  init(of terminal: Int32) throws(TerminalError) {
    self.terminal = terminal
    guard tcgetattr(terminal, &shell) == 0 else {
      throw .system(errno: errno, during: "tcgetattr")
    }
    screen = shell
  }

  mutating func remember() { tcgetattr(terminal, &screen) }

  func giveToScreen() { set(screen) }

  func giveToShell() { set(shell) }

  private func set(_ modes: termios) {
    var modes = modes
    tcsetattr(terminal, TCSANOW, &modes)
  }
}
