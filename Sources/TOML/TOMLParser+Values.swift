extension TOMLParser {
  mutating func readNode(depth: Int) throws(TOMLMistake) -> TOMLNode {
    guard depth < Self.deepest else { throw mistake("nested too deep") }
    let start = position
    let value: TOMLValue
    switch peek {
    case "\""?, "'"?: value = .string(try readString())
    case "["?: value = .array(try readArray(depth: depth))
    case "{"?: value = .table(try readInlineTable(depth: depth))
    default: value = try readWord(at: start)
    }
    return TOMLNode(value, at: start)
  }

  private mutating func readArray(depth: Int) throws(TOMLMistake) -> [TOMLNode] {
    let start = position
    advance()
    var items: [TOMLNode] = []
    while true {
      skipBlank()
      guard let next = peek else { throw TOMLMistake("this list does not end", at: start) }
      if next == "]" { break }
      items.append(try readNode(depth: depth + 1))
      skipBlank()
      guard peek != "]" else { break }
      guard peek == "," else {
        throw peek == nil
          ? TOMLMistake("this list does not end", at: start) : mistake(", or ] is wanted here")
      }
      advance()
    }
    advance()
    return items
  }

  private mutating func readInlineTable(depth: Int) throws(TOMLMistake) -> TOMLTable {
    advance()
    var table = TOMLTable(.dotted)
    skipSpace()
    if peek == "}" {
      advance()
    } else {
      while true {
        let keys = try readKeys()
        try expect("=")
        skipSpace()
        try table.insert(try readNode(depth: depth + 1), under: keys[...])
        skipSpace()
        guard peek == "," else { break }
        advance()
      }
      try expect("}")
    }
    table.origin = .inline
    return table
  }

  private mutating func readWord(at start: TOMLPosition) throws(TOMLMistake) -> TOMLValue {
    var word = take { $0.isWord }
    // A date and its time may stand apart.
    if word.isDate, peek == " ", let digit = peek(1), ("0"..."9").contains(digit) {
      advance()
      word += "T" + take { $0.isWord }
    }
    guard let value = TOMLValue(word: word) else {
      throw TOMLMistake(
        word.isEmpty ? "a value is wanted here" : "\(word) is no value; a text stands in quotes",
        at: start)
    }
    return value
  }
}

extension Unicode.Scalar {
  fileprivate var isWord: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9", "-", "_", "+", ".", ":": true
    default: false
    }
  }
}

extension String {
  /// "2026-11-21".
  fileprivate var isDate: Bool {
    unicodeScalars.count == 10 && TOMLValue.matches(self, "dddd-dd-dd")
  }
}
