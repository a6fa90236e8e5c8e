extension TOMLParser {
  mutating func readString() throws(TOMLMistake) -> String {
    if has("\"\"\"") { return try readLongString("\"", isLiteral: false) }
    if has("'''") { return try readLongString("'", isLiteral: true) }
    return peek == "'" ? try readLiteralString() : try readBasicString()
  }

  /// Between quotes, with escapes, on one line.
  mutating func readBasicString() throws(TOMLMistake) -> String {
    advance()
    var text = String.UnicodeScalarView()
    while let scalar = peek, scalar != "\"" {
      if scalar == "\\" {
        text.append(try readEscape())
      } else {
        guard scalar.isText else { throw mistake("the text does not end: \" is missing") }
        text.append(scalar)
        advance()
      }
    }
    return try closed(text, by: "\"")
  }

  /// Between apostrophes, as it stands, on one line.
  mutating func readLiteralString() throws(TOMLMistake) -> String {
    advance()
    let text = take { $0 != "'" && $0.isText }
    return try closed(text.unicodeScalars, by: "'")
  }

  private mutating func closed(
    _ text: String.UnicodeScalarView, by quote: Unicode.Scalar
  ) throws(TOMLMistake) -> String {
    guard peek == quote else { throw mistake("the text does not end: \(quote) is missing") }
    advance()
    return String(text)
  }

  /// Between three quotes, over several lines; a line end right at the start does not count.
  private mutating func readLongString(
    _ quote: Unicode.Scalar, isLiteral: Bool
  ) throws(TOMLMistake) -> String {
    let start = position
    advance(3)
    if peek == "\r", peek(1) == "\n" { advance() }
    if peek == "\n" { advance() }
    var text = String.UnicodeScalarView()
    while let scalar = peek {
      if scalar == quote {
        let run = (0..<6).prefix { peek($0) == quote }.count
        guard run < 6 else { throw mistake("too many quotes end this text") }
        if run >= 3 {
          // Up to two quotes may stand before the three that end it.
          text.append(contentsOf: repeatElement(quote, count: run - 3))
          advance(run)
          return String(text)
        }
      }
      if scalar == "\\", !isLiteral {
        if try !skipLineEnd() { text.append(try readEscape()) }
      } else {
        guard scalar.isText || scalar == "\n" || (scalar == "\r" && peek(1) == "\n") else {
          throw mistake("a control character cannot stand in a text")
        }
        text.append(scalar)
        advance()
      }
    }
    throw TOMLMistake("this text does not end: three quotes are missing", at: start)
  }

  /// A backslash at the end of a line: it and all space up to the next word do not count.
  private mutating func skipLineEnd() throws(TOMLMistake) -> Bool {
    var distance = 1
    while peek(distance) == " " || peek(distance) == "\t" || peek(distance) == "\r" {
      distance += 1
    }
    guard peek(distance) == "\n" else { return false }
    advance(distance)
    while let scalar = peek, " \t\r\n".unicodeScalars.contains(scalar) { advance() }
    return true
  }

  private mutating func readEscape() throws(TOMLMistake) -> Unicode.Scalar {
    let start = position
    advance()
    let letter = peek
    advance()
    switch letter {
    case "b"?: return "\u{08}"
    case "t"?: return "\t"
    case "n"?: return "\n"
    case "f"?: return "\u{0C}"
    case "r"?: return "\r"
    case "\""?: return "\""
    case "\\"?: return "\\"
    case "u"?: return try readScalar(digits: 4, start)
    case "U"?: return try readScalar(digits: 8, start)
    default:
      throw TOMLMistake(
        "there is no such escape; \\\\ stands for a backslash, 'text' takes it as it is", at: start)
    }
  }

  private mutating func readScalar(
    digits count: Int, _ start: TOMLPosition
  ) throws(TOMLMistake) -> Unicode.Scalar {
    var value: UInt32 = 0
    for _ in 0..<count {
      guard let digit = peek.flatMap({ Character($0).hexDigitValue }) else {
        throw TOMLMistake("\(count) hexadecimal digits are wanted", at: start)
      }
      value = value << 4 | UInt32(digit)
      advance()
    }
    guard let scalar = Unicode.Scalar(value) else {
      throw TOMLMistake("there is no such character", at: start)
    }
    return scalar
  }
}
