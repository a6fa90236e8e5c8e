internal import Companion

/// The parameters of drawing other than the state and the size.
public struct Style: Hashable, Sendable {
  public var symbols: Symbols
  public var keys: KeyMap

  /// The number of the animation's frame, or nil without animation.
  public var frame: Int?

  public init(symbols: Symbols = .unicode, keys: KeyMap = .standard) {
    self.symbols = symbols
    self.keys = keys
  }

  func hint(for command: UserCommand) -> String? {
    keys.keys(for: command).first.map { symbols.arrows[$0] ?? $0.name }
  }
}
