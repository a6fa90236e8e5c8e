/// A word or number of a line; a unit may follow a number without a space.
struct EqualiserToken: Hashable, Sendable {
  private let text: Substring
  /// The word in lower case; nil for a number.
  let word: String?

  private static let longestLine = 400
  private static let longestNumber = 24

  /// Returns the words and numbers of a line; other characters are words, too.
  static func tokens(of line: Substring) -> [EqualiserToken] {
    var tokens: [EqualiserToken] = []
    var rest = line.prefix(longestLine)
    while let first = rest.first {
      let number = rest.prefix(numberLength(rest))
      let word = first.isLetter ? rest.prefix(while: \.isLetter) : rest.prefix(1)
      let text = number.isEmpty ? word : number
      if !first.isWhitespace {
        tokens.append(
          EqualiserToken(text: text, word: number.isEmpty ? text.lowercased() : nil))
      }
      rest = rest.dropFirst(text.count)
    }
    return tokens
  }

  /// Returns the number of characters of a number at the start of `text`, or 0 if there is none.
  private static func numberLength(_ text: Substring) -> Int {
    let characters = Array(text.prefix(longestNumber + 1))
    func isDigit(_ place: Int) -> Bool {
      characters.indices.contains(place) && "0"..."9" ~= characters[place]
    }
    func isSign(_ place: Int) -> Bool {
      characters.indices.contains(place) && "+-\u{2212}".contains(characters[place])
    }
    func isMark(_ place: Int) -> Bool {
      characters.indices.contains(place) && ".,".contains(characters[place])
    }
    var place = isSign(0) ? 1 : 0
    guard isDigit(place) || isMark(place) && isDigit(place + 1) else { return 0 }
    while let character = characters.element(at: place) {
      switch character {
      case "0"..."9", ".", ",": place += 1
      case "e", "E":
        let sign = isSign(place + 1) ? 1 : 0
        guard isDigit(place + sign + 1) else { return place }
        place += sign + 2
      case _ where groupMarks.contains(character):
        guard (1...3).allSatisfy({ isDigit(place + $0) }), !isDigit(place + 4) else { return place }
        place += 4
      default: return place
      }
    }
    return place
  }

  /// Separators of thousands other than a point or comma: no-break spaces and apostrophes.
  private static let groupMarks: Set<Character> = [
    "\u{A0}", "\u{202F}", "\u{2009}", "'", "\u{2019}",
  ]

  var value: Double? { word == nil ? Self.decimal(plain) : nil }

  /// The number as a frequency.
  ///
  /// Three digits after a single mark are thousands, as in EqualizerAPO and Room EQ Wizard, unless
  /// the frequency would then be inaudible.
  var frequency: Double? {
    guard let value else { return nil }
    let parts = plain.split(omittingEmptySubsequences: false) { ".,".contains($0) }
    guard parts.count == 2, parts[1].count == 3, parts[1].allSatisfy(\.isNumber),
      (1...3).contains(parts[0].count), parts[0] != "0", value * 1000 < 24_000
    else { return value }
    return value * 1000
  }

  private var plain: String {
    String(text.filter { !Self.groupMarks.contains($0) }.map { $0 == "\u{2212}" ? "-" : $0 })
  }

  /// Returns a number whose last point or comma is the decimal one, unless it occurs repeatedly.
  static func decimal(_ text: String) -> Double? {
    guard text.count <= longestNumber else { return nil }
    let marks = text.filter { ".,".contains($0) }
    guard let last = marks.last else { return Double(text) }
    let isDecimal = marks.count { $0 == last } == 1
    let parts = text.split(omittingEmptySubsequences: false) { ".,".contains($0) }
    let whole = isDecimal ? parts.dropLast() : parts[...]
    guard whole.dropFirst().allSatisfy({ $0.count == 3 }) else { return nil }
    return Double(whole.joined() + (isDecimal ? ".\(parts[parts.count - 1])" : ""))
  }
}
