internal import Bluetooth

/// Why there is no screen; each says what happened and what to do.
///
/// The program prints the description and ends with status 1; the command line works without a
/// screen.
public enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Standard input or output is a file or a pipe.
  case notATerminal
  /// The terminfo database has no entry for TERM, and nothing like it either.
  case unknownType(String)
  /// Nothing can be written at a place of this terminal's screen.
  case cannotPlace(String)
  /// A system call failed.
  case system(errno: Int32, during: String)

  public var description: String {
    switch self {
    case .notATerminal:
      "standard input and output are not a terminal; use a command such as `earshot status` here"
    case .unknownType(let type):
      "the terminal type \"\(type)\" (TERM) is not known on this machine; "
        + "try TERM=xterm-256color, or install the package ncurses-term"
    case .cannotPlace(let type):
      "the terminal type \"\(type)\" (TERM) has no screen to draw on; "
        + "use a command such as `earshot status` here, or set TERM to what the terminal is"
    case .system(let code, let during):
      "no screen: \(during): \(describeErrno(code))"
    }
  }
}
