internal import CNcurses
internal import Glibc

/// Properties of the terminal that are known without opening it, for the doctor and its report.
///
/// While a screen is open its values are reused, since querying terminfo again would change curses'
/// idea of the size.
package struct TerminalType: Hashable, Sendable {
  package var name: String?
  package var isKnown = false
  package var colors = 0
  /// The size, or nil if none of standard input, output and error is a terminal.
  package var size: Size?

  @MainActor static var opened: TerminalType?

  @MainActor
  package init() {
    self = Self.opened ?? Self(inDatabase: getenv("TERM").map { String(cString: $0) })
    size =
      [STDOUT_FILENO, STDIN_FILENO, STDERR_FILENO].lazy.compactMap(Size.init(ofTerminal:)).first
  }

  @MainActor
  init(opened name: String) {
    self.name = name
    isKnown = true
    colors = max(0, Int(tigetnum("colors")))
  }

  /// Reads the terminfo entry, which sets curses' size; never to be used while a terminal is open.
  @MainActor
  private init(inDatabase name: String?) {
    guard let name, !name.isEmpty else { return }
    self.name = name
    isKnown = Self.candidates(for: name).contains { cn_setupterm($0, STDOUT_FILENO) == OK }
    if isKnown { colors = max(0, Int(tigetnum("colors"))) }
  }

  /// Returns the type, followed by xterm's for types that behave alike but may have no entry.
  static func candidates(for name: String) -> [String] {
    let isLikeXterm = ["256color", "kitty", "alacritty", "foot", "ghostty", "wezterm", "contour"]
      .contains { name.contains($0) }
    return [name] + (isLikeXterm ? ["xterm-256color"] : [])
  }
}

extension Size {
  init?(ofTerminal descriptor: Int32) {
    var window = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_row > 0, window.ws_col > 0
    else { return nil }
    self.init(columns: Int(window.ws_col), rows: Int(window.ws_row))
  }
}
