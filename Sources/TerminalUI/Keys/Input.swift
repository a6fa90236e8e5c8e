/// An event from the terminal.
///
/// The sequence of inputs ends when the terminal hangs up, which the program treats as a quit.
package enum Input: Hashable, Sendable {
  case key(Key)
  /// Text pasted in one piece, not sanitised.
  case paste(String)
  /// A mouse event, only if ``TerminalOptions/hasMouse`` is set.
  case mouse(Mouse)
  /// The terminal was resized to this size and must be redrawn completely.
  case resized(Size)
  /// SIGTSTP was received: call ``CursesTerminal/suspend()``.
  case suspendRequested
  /// The terminal's window got or lost the keyboard; some terminals never say.
  case focusChanged(Bool)
  /// Keys were pressed while no program could receive them.
  case keysLost
  /// SIGTERM, SIGINT, SIGQUIT or SIGHUP came: end in order, then with this signal's status.
  case endRequested(signal: Int32)
}

/// A press of a mouse button, a movement while it is held, or a turn of the wheel.
package struct Mouse: Hashable, Sendable {
  package enum Act: Hashable, Sendable, CaseIterable { case press, drag, wheelUp, wheelDown }

  package var act: Act
  /// The column, counted from 0.
  package var column: Int
  package var row: Int

  /// The cell of the press that began a drag, or nil for other events.
  package var origin: CellPosition?

  package init(_ act: Act, column: Int, row: Int, from origin: CellPosition? = nil) {
    self.act = act
    self.column = column
    self.row = row
    self.origin = origin
  }
}
