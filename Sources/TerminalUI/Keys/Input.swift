/// Something that came from the terminal.
///
/// The sequence ends when the terminal hangs up, which the program treats as a quit.
public enum Input: Hashable, Sendable {
  /// One key with its modifiers, or one character.
  case key(Key)
  /// Text pasted in one piece; unsanitised.
  case paste(String)
  /// Only where ``TerminalOptions/hasMouse`` asked for it.
  case mouse(Mouse)
  /// The terminal has this size now, and shows nothing that was presented before.
  case resized(Size)
  /// SIGTSTP came from outside: call ``CursesTerminal/suspend()``.
  case suspendRequested
  /// SIGTERM, SIGINT, SIGQUIT or SIGHUP came: end in order, then with this signal's status.
  case endRequested(signal: Int32)
}

/// A press of a mouse button or a turn of its wheel over a cell.
public struct Mouse: Hashable, Sendable {
  /// The action of the mouse.
  public enum Act: Hashable, Sendable { case press, wheelUp, wheelDown }

  /// What was done.
  public var act: Act
  /// Counts from 0, from the left.
  public var column: Int
  /// Counts from 0, from the top.
  public var row: Int

  public init(_ act: Act, column: Int, row: Int) {
    self.act = act
    self.column = column
    self.row = row
  }
}
