/// What a view needs to know beside the state.
public struct Style: Hashable, Sendable {
  /// What the terminal can show.
  public var symbols: Symbols
  /// Whose keys are printed beside what they do.
  public var keys: KeyMap

  public init(symbols: Symbols = .unicode, keys: KeyMap = .standard) {
    self.symbols = symbols
    self.keys = keys
  }
}
