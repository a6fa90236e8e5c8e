internal import HeadphoneProtocols

/// A line for a status bar with placeholders in braces: "{left}% {anc|--}".
///
/// The text after "|" replaces an unknown value. `{{` and `}}` are literal braces.
package struct WatchTemplate: Hashable, Sendable {
  private enum Piece: Hashable {
    case text(String)
    case value(String, orElse: String)
  }

  package struct Mistake: Error, Hashable, Sendable {
    package var what: String
    package var advice: String
  }

  /// The placeholders of every headphone; the names of its settings can be used as well.
  package static let names = WatchLine.values.map(\.name)

  private var pieces: [Piece] = []

  package init(_ text: String) throws(Mistake) {
    var rest = text[...]
    var plain = ""
    while let character = rest.popFirst() {
      if character == rest.first, "{}".contains(character) {
        rest.removeFirst()
        plain.append(character)
      } else if character == "{" {
        guard let end = rest.firstIndex(of: "}") else {
          throw Mistake(what: "unclosed { in the template", advice: "write {{ for a brace")
        }
        let parts = rest[..<end].split(
          separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
        if !plain.isEmpty { pieces.append(.text(plain)) }
        plain = ""
        let name = String(parts.first ?? "")
        try Self.check(name)
        pieces.append(.value(name, orElse: parts.count > 1 ? String(parts[1]) : ""))
        rest = rest[rest.index(after: end)...]
      } else if character == "}" {
        throw Mistake(what: "stray } in the template", advice: "write }} for a brace")
      } else {
        plain.append(character)
      }
    }
    if !plain.isEmpty { pieces.append(.text(plain)) }
  }

  /// Throws for an unknown name, unless it may be a setting of one family.
  private static func check(_ name: String) throws(Mistake) {
    let known = names + SettingID.known.map(\.rawValue)
    // Settings of one family have names of several words.
    guard !known.contains(name), !name.contains("-") || known.nearest(to: name) != nil else {
      return
    }
    let guess = known.nearest(to: name).map { "; did you mean {\($0)}?" } ?? ""
    throw Mistake(
      what: "unknown placeholder {\(displayable(name))}\(guess)",
      advice: "available: \(names.joined(separator: ", ")), and the names of settings")
  }

  func text(_ value: (String) -> String?) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .value(let name, let other): value(name) ?? other
      }
    }.joined()
  }
}
