/// A key as a terminal reports it.
///
/// What a terminal cannot distinguish is one key here: Ctrl-I is Tab, Ctrl-M is Enter, Ctrl-[ is
/// Esc. Alt is not a modifier: Alt and a key arrive as Esc and that key.
public enum Key: Hashable, Sendable {
  /// A letter, digit or sign, capital or not; the space bar too.
  case character(Unicode.Scalar)
  /// Ctrl and a lower-case letter.
  case control(Unicode.Scalar)
  case up, down, left, right
  case home, end, pageUp, pageDown, insert, delete
  case backspace, tab, backTab, enter, escape
  /// F1 to F12.
  case function(Int)
}

extension Key {
  /// The key's name, which ``init(name:)`` reads: "a", "A", "^L", "Space", "PgUp", "F1".
  public var name: String {
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

  /// Reads a key's name, whatever its case; letters themselves keep theirs.
  ///
  /// Nil: no key has this name.
  ///
  /// - Parameter name: "a", "A", "^L", "Ctrl-L", "C-l", "F1", "PgUp", "Space", "Esc", as the
  ///   configuration writes them.
  public init?(name: String) {
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

  /// The letter of "^l", "ctrl-l", "c-l".
  private static func controlLetter(_ name: String) -> Unicode.Scalar? {
    for prefix in ["^", "ctrl-", "ctrl+", "c-"] where name.hasPrefix(prefix) {
      let rest = Array(name.dropFirst(prefix.count).unicodeScalars)
      // ^I, ^M and ^[ are Tab, Enter and Esc: terminals do not distinguish them.
      guard rest.count == 1, ("a"..."z").contains(rest[0]), rest[0] != "i", rest[0] != "m" else {
        return nil
      }
      return rest[0]
    }
    return nil
  }

  /// The number of "f1" to "f12".
  private static func functionNumber(_ name: String) -> Int? {
    guard name.hasPrefix("f"), let number = Int(name.dropFirst()), (1...12).contains(number) else {
      return nil
    }
    return number
  }

  /// The first name of each is the one that is shown.
  private static let names: [(key: Key, names: [String])] = [
    (.up, ["Up"]), (.down, ["Down"]), (.left, ["Left"]), (.right, ["Right"]),
    (.home, ["Home"]), (.end, ["End"]), (.pageUp, ["PgUp", "PageUp"]),
    (.pageDown, ["PgDn", "PageDown"]), (.insert, ["Ins", "Insert"]), (.delete, ["Del", "Delete"]),
    (.backspace, ["Backspace", "BS"]), (.tab, ["Tab"]), (.backTab, ["S-Tab", "BackTab"]),
    (.enter, ["Enter", "Return"]), (.escape, ["Esc", "Escape"]), (.character(" "), ["Space"]),
  ]
}
