internal import Companion

/// A key as reported by a terminal.
///
/// Keys that a terminal cannot distinguish are one key here: Ctrl-I is Tab, Ctrl-M is Enter, Ctrl-[
/// is Esc. Alt is not a modifier: Alt and a key arrive as Esc and that key.
package enum Key: Hashable, Sendable {
  /// A letter in either case, a digit, a sign or a space.
  case character(Unicode.Scalar)
  /// Ctrl and a lower-case letter.
  case control(Unicode.Scalar)
  case up, down, left, right
  case home, end, pageUp, pageDown, insert, delete
  case backspace, tab, backTab, enter, escape
  case function(Int)
}

extension Key {
  /// The name of the key, which ``init(name:)`` reads: "a", "A", "^L", "Space", "PgUp", "F1".
  package var name: String {
    switch self {
    case .character(" "): "Space"
    case .character(let scalar): String(Character(scalar))
    case .control(let scalar): "^" + String(Character(scalar)).uppercased()
    case .function(let number): "F\(number)"
    case .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .insert, .delete,
      .backspace, .tab, .backTab, .enter, .escape:
      Self.names.first { $0.key == self }?.names.first ?? ""
    }
  }

  /// Creates a key from its name, or returns nil if no key has this name.
  ///
  /// - Parameter name: A name in any case, such as "^L", "Ctrl-L", "C-l", "F1" or "PgUp", or a
  ///   single character, whose case matters.
  package init?(name: String) {
    let scalars = Array(name.unicodeScalars)
    if scalars.count == 1, scalars[0].terminalKind == .spacing, scalars[0] != " " {
      self = .character(scalars[0])
      return
    }
    let lower = name.lowercased()
    if let letter = Self.controlLetter(lower) {
      self = .control(letter)
    } else if let number = Self.functionNumber(lower) {
      self = .function(number)
    } else if let key = Self.names.first(where: { $0.names.contains { $0.lowercased() == lower } })
    {
      self = key.key
    } else {
      return nil
    }
  }

  private static func controlLetter(_ name: String) -> Unicode.Scalar? {
    for prefix in ["^", "ctrl-", "ctrl+", "c-"] where name.hasPrefix(prefix) {
      let rest = Array(name.dropFirst(prefix.count).unicodeScalars)
      // These are Tab and Enter.
      guard rest.count == 1, ("a"..."z").contains(rest[0]), rest[0] != "i", rest[0] != "m" else {
        return nil
      }
      return rest[0]
    }
    return nil
  }

  private static func functionNumber(_ name: String) -> Int? {
    guard name.hasPrefix("f"), let number = Int(name.dropFirst()), (1...12).contains(number) else {
      return nil
    }
    return number
  }

  /// The names of each key, of which the first is shown.
  private static let names: [(key: Key, names: [String])] = [
    (.up, ["Up"]), (.down, ["Down"]), (.left, ["Left"]), (.right, ["Right"]),
    (.home, ["Home"]), (.end, ["End"]), (.pageUp, ["PgUp", "PageUp"]),
    (.pageDown, ["PgDn", "PageDown"]), (.insert, ["Ins", "Insert"]), (.delete, ["Del", "Delete"]),
    (.backspace, ["Backspace", "BS"]), (.tab, ["Tab"]), (.backTab, ["S-Tab", "BackTab"]),
    (.enter, ["Enter", "Return"]), (.escape, ["Esc", "Escape"]), (.character(" "), ["Space"]),
  ]
}

extension Key {
  /// The key that this one acts as if no command has it, or nil for most keys.
  ///
  /// A character stands for the digit on the same key of a French keyboard (AZERTY), which types
  /// digits with Shift only. `^N` `^P` `^F` `^B` move as in Emacs, `^D` `^U` as in vi.
  var alternative: Key? {
    switch self {
    case .control("n"): .down
    case .control("p"): .up
    case .control("f"), .control("d"): .pageDown
    case .control("b"), .control("u"): .pageUp
    case .character(let scalar):
      zip("&é\"'(èç", "1234579").first { $0.0.unicodeScalars.first == scalar }
        .flatMap { $0.1.unicodeScalars.first.map(Key.character) }
    default: nil
    }
  }
}
