internal import Companion

package struct Style: Hashable, Sendable {
  package var symbols: Symbols
  package var keys: KeyMap

  /// The number of the animation's frame, or nil without animation.
  package var frame: Int?

  package init(symbols: Symbols = .unicode, keys: KeyMap = .standard) {
    self.symbols = symbols
    self.keys = keys
  }

  func hint(for command: UserCommand) -> String? {
    keys.keys(for: command).first.map { symbols.arrows[$0] ?? $0.name }
  }
}
