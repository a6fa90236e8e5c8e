/// How to open a terminal.
public struct TerminalOptions: Sendable {
  /// Nil: as the environment's TERM says.
  public var type: String?
  /// Descriptor from which keys are read.
  public var input: Int32 = 0
  /// Descriptor of the terminal that shows the screen.
  public var output: Int32 = 1
  /// False: bold, dim and reversed only, as with NO_COLOR in the environment.
  public var hasColors = true
  /// The colours of the roles.
  public var theme = Theme.standard
  /// The background that they are chosen for.
  public var background = BackgroundChoice.auto
  /// Nil: as locale and terminal allow.
  public var symbols: Symbols?
  /// Takes mouse presses, and with them the terminal's own selection of text.
  public var hasMouse = false

  public init() {}
}
