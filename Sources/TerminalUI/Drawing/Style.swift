internal import Companion

/// What a view needs to know beside the state.
///
/// Views are functions of the state, a size and this: the same three give the same screen.
public struct Style: Hashable, Sendable {
  /// What the terminal can show.
  public var symbols: Symbols
  /// Whose keys are printed beside what they do.
  public var keys: KeyMap

  /// The step of what moves; nil: nothing does.
  public var frame: Int?

  public init(symbols: Symbols = .unicode, keys: KeyMap = .standard) {
    self.symbols = symbols
    self.keys = keys
  }

  /// The key to show for a command, arrows as arrows where the terminal has them; nil: it has none.
  func hint(for command: UserCommand) -> String? {
    keys.keys(for: command).first.map { symbols.arrows[$0] ?? $0.name }
  }
}
