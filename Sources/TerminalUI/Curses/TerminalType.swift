internal import CNcurses
internal import Glibc

/// The facts about the terminal that are known without opening it.
///
/// For the doctor and its report. While a screen is open its values are reused, since asking
/// terminfo again would change curses' idea of the size.
public struct TerminalType: Hashable, Sendable {
  /// From `TERM`; nil: not set.
  public var name: String?
  /// Whether the terminfo database knows it, or one like it.
  public var isKnown = false
  /// How many colours, as the database says.
  public var colors = 0
  /// Nil: neither standard input, output nor error is a terminal.
  public var size: Size?

  /// Terminal properties reported by curses for the open terminal; nil: none is open.
  @MainActor static var opened: TerminalType?

  /// Of this process.
  @MainActor
  public init() {
    self = Self.opened ?? Self(inDatabase: getenv("TERM").map { String(cString: $0) })
    size =
      [STDOUT_FILENO, STDIN_FILENO, STDERR_FILENO].lazy.compactMap(Size.init(ofTerminal:)).first
  }

  /// Of the terminal that curses has just opened.
  @MainActor
  init(opened name: String) {
    self.name = name
    isKnown = true
    colors = max(0, Int(tigetnum("colors")))
  }

  /// Sets the size that curses takes for the screen's: never beside an open one.
  @MainActor
  private init(inDatabase name: String?) {
    guard let name, !name.isEmpty else { return }
    self.name = name
    isKnown = Self.candidates(for: name).contains { cn_setupterm($0, STDOUT_FILENO) == OK }
    if isKnown { colors = max(0, Int(tigetnum("colors"))) }
  }

  /// Terminals whose own entry may be missing do what xterm does.
  static func candidates(for name: String) -> [String] {
    let isLikeXterm = ["256color", "kitty", "alacritty", "foot", "ghostty", "wezterm", "contour"]
      .contains { name.contains($0) }
    return [name] + (isLikeXterm ? ["xterm-256color"] : [])
  }
}

extension Size {
  /// Columns and rows of a terminal now; nil if it is none, or does not know.
  init?(ofTerminal descriptor: Int32) {
    var window = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_row > 0, window.ws_col > 0
    else { return nil }
    self.init(columns: Int(window.ws_col), rows: Int(window.ws_row))
  }
}
