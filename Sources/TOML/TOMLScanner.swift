/// The lexical level of TOML 1.0.0: characters, blanks, comments, strings and other scalars.
///
/// It works on bytes, because all characters with a meaning in TOML are ASCII, and counts lines. A
/// copy remembers a place to return to.
struct TOMLScanner {
  private let text: [UInt8]
  private(set) var place = 0
  private(set) var line = 1

  init(_ text: [UInt8]) { self.text = text }

  /// The next byte as a character, for comparisons with ASCII, or nil at the end.
  var peek: Unicode.Scalar? { place < text.count ? Unicode.Scalar(text[place]) : nil }

  func expected(_ what: String) -> TOMLMistake {
    switch peek {
    case nil: TOMLMistake("\(what) is missing", line: line)
    case "\n", "\r": TOMLMistake("\(what) is missing at the end of the line", line: line)
    default: TOMLMistake("\(what) is expected here: \(rest)", line: line)
    }
  }

  private var rest: String {
    let line = text[place...].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    let words = String(decoding: line, as: UTF8.self)
    return words.count > 20 ? "\(words.prefix(20))…" : words
  }

  // MARK: Characters

  private mutating func next() -> UInt8? {
    guard place < text.count else { return nil }
    defer { place += 1 }
    if text[place] == UInt8(ascii: "\n") { line += 1 }
    return text[place]
  }

  private func starts(_ token: StaticString) -> Bool {
    place + token.utf8CodeUnitCount <= text.count
      && token.withUTF8Buffer { text[place...].starts(with: $0) }
  }

  private mutating func skip(token: StaticString) -> Bool {
    guard starts(token) else { return false }
    place += token.utf8CodeUnitCount
    return true
  }

  /// Consumes a character, or returns false if another follows.
  @discardableResult
  mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard peek == character else { return false }
    _ = next()
    return true
  }

  mutating func skipBlanks() { while skip(" ") || skip("\t") {} }

  mutating func skipBlankLines() throws(TOMLMistake) {
    repeat {
      skipBlanks()
      if peek == "#" { try skipComment() }
    } while skipLineEnd()
  }

  /// Consumes blanks and a comment up to the end of the line, where nothing else may follow.
  mutating func endLine() throws(TOMLMistake) {
    skipBlanks()
    if peek == "#" { try skipComment() }
    guard peek == nil || skipLineEnd() else { throw expected("the end of the line") }
  }

  private mutating func skipLineEnd() -> Bool {
    if starts("\r\n") { place += 1 }
    return skip("\n")
  }

  private mutating func skipComment() throws(TOMLMistake) {
    while let character = peek, character != "\n", !starts("\r\n") {
      guard isText(character) else { throw controlCharacter }
      _ = next()
    }
  }

  mutating func consume(while matches: (Unicode.Scalar) -> Bool) -> ArraySlice<UInt8> {
    let start = place
    while let character = peek, matches(character) { place += 1 }
    return text[start..<place]
  }

  /// Returns whether a character may occur in strings and comments, as most controls may not.
  private func isText(_ character: Unicode.Scalar) -> Bool {
    character == "\t" || (character.value >= 0x20 && character.value != 0x7F)
  }

  private var controlCharacter: TOMLMistake {
    TOMLMistake("a control character, which TOML allows only as an escape", line: line)
  }

  // MARK: Strings

  mutating func literalString() throws(TOMLMistake) -> String {
    try string(quote: "'", end: "'", isMultiline: false)
  }

  mutating func basicString() throws(TOMLMistake) -> String {
    try string(quote: "\"", end: "\"", isMultiline: false)
  }

  /// Parses a string from its opening quotes, one or three; only double quotes have escapes.
  private mutating func string(
    quote: Unicode.Scalar, end: StaticString, isMultiline: Bool
  ) throws(TOMLMistake) -> String {
    let unclosed = TOMLMistake("a text is never closed by \(end)", line: line)
    _ = skip(token: end)
    if isMultiline { _ = skipLineEnd() }
    var bytes: [UInt8] = []
    while let character = peek {
      if skip(token: end) {
        // Up to two quotes may directly precede the three that close the string.
        for _ in 0..<2 where isMultiline && skip(quote) { bytes.append(UInt8(quote.value)) }
        return String(decoding: bytes, as: UTF8.self)
      }
      switch character {
      case "\\" where quote == "\"":
        _ = next()
        if isMultiline, skipLineContinuation() { continue }
        bytes += try escape()
      case "\n" where isMultiline: bytes += next().map { [$0] } ?? []
      case "\r" where isMultiline && starts("\r\n"): place += 1
      case "\n": throw unclosed
      case _ where isText(character): bytes += next().map { [$0] } ?? []
      default: throw controlCharacter
      }
    }
    throw unclosed
  }

  /// Consumes blanks and line ends after a backslash, or returns false if anything else follows.
  private mutating func skipLineContinuation() -> Bool {
    let start = self
    skipBlanks()
    guard skipLineEnd() else {
      self = start
      return false
    }
    repeat { skipBlanks() } while skipLineEnd()
    return true
  }

  /// Parses the rest of an escape after its backslash, into UTF-8.
  private mutating func escape() throws(TOMLMistake) -> [UInt8] {
    let line = line
    switch next().map(Unicode.Scalar.init) {
    case "b": return [0x08]
    case "t": return [0x09]
    case "n": return [0x0A]
    case "f": return [0x0C]
    case "r": return [0x0D]
    case "\"": return [0x22]
    case "\\": return [0x5C]
    case "u": return try codePoint(digits: 4)
    case "U": return try codePoint(digits: 8)
    default:
      throw TOMLMistake("this escape does not exist; a backslash is written \\\\", line: line)
    }
  }

  /// Parses the digits of `\u` or `\U`, which must be a Unicode scalar and no surrogate.
  private mutating func codePoint(digits: Int) throws(TOMLMistake) -> [UInt8] {
    let hexadecimal = text[place...].prefix(digits)
    guard hexadecimal.count == digits, hexadecimal.allSatisfy(\.isHexadecimalDigit),
      let value = UInt32(String(decoding: hexadecimal, as: UTF8.self), radix: 16),
      let character = Unicode.Scalar(value)
    else {
      throw TOMLMistake("\(digits) hexadecimal digits of a character are expected", line: line)
    }
    place += digits
    return Array(String(character).utf8)
  }

  // MARK: Values

  mutating func scalar() throws(TOMLMistake) -> TOMLValue {
    if starts("\"\"\"") {
      return .string(try string(quote: "\"", end: "\"\"\"", isMultiline: true))
    }
    if starts("'''") { return .string(try string(quote: "'", end: "'''", isMultiline: true)) }
    if peek == "\"" { return .string(try basicString()) }
    if peek == "'" { return .string(try literalString()) }
    let start = self
    let word = String(decoding: bareWord(), as: UTF8.self)
    guard
      let value = Self.bool(word) ?? Self.integer(word) ?? Self.float(word) ?? Self.dateTime(word)
    else {
      throw start.expected("a value")
    }
    return value
  }

  /// Consumes the characters of a value without quotes; one space may separate a date and its time.
  private mutating func bareWord() -> ArraySlice<UInt8> {
    let start = place
    let word = consume { $0.isBareKey || "+.:".unicodeScalars.contains($0) }
    if word.count == 10, word[start + 4] == UInt8(ascii: "-"), starts(" "), place + 1 < text.count,
      Unicode.Scalar(text[place + 1]).isDigit
    {
      place += 1
      _ = consume { $0.isBareKey || "+.:".unicodeScalars.contains($0) }
    }
    return text[start..<place]
  }

  private static func bool(_ word: String) -> TOMLValue? {
    word == "true" ? .bool(true) : word == "false" ? .bool(false) : nil
  }

  /// Returns the value of a decimal, hexadecimal, octal or binary integer of 64 bits, or nil.
  private static func integer(_ word: String) -> TOMLValue? {
    let radixes = ["0x": 16, "0o": 8, "0b": 2]
    if let radix = radixes[String(word.prefix(2))] {
      guard let digits = digits(word.dropFirst(2)), digits.first != "+", digits.first != "-" else {
        return nil
      }
      return Int(digits, radix: radix).map { .integer($0) }
    }
    guard let digits = digits(word.unsigned), digits.isDecimal, !digits.hasLeadingZero else {
      return nil
    }
    return Int(word.sign + digits).map { .integer($0) }
  }

  /// Returns the value of a number with a fraction or exponent, of "inf" or of "nan", or nil.
  private static func float(_ word: String) -> TOMLValue? {
    if word.unsigned == "inf" || word.unsigned == "nan" { return Double(word).map { .float($0) } }
    let parts = word.unsigned.split(
      maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { $0 == "e" || $0 == "E" })
    let numbers = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard numbers.count == 2 || parts.count == 2, let whole = digits(numbers[0]), whole.isDecimal,
      !whole.hasLeadingZero
    else { return nil }
    var text = word.sign + whole
    if numbers.count == 2 {
      guard let fraction = digits(numbers[1]), fraction.isDecimal else { return nil }
      text += "." + fraction
    }
    if parts.count == 2 {
      let exponent = String(parts[1])
      guard let power = digits(exponent.unsigned), power.isDecimal else { return nil }
      text += "e" + exponent.sign + power
    }
    return Double(text).map { .float($0) }
  }

  /// Returns the text without underscores, or nil unless each is between two digits.
  private static func digits(_ text: Substring) -> String? {
    let groups = text.split(separator: "_", omittingEmptySubsequences: false)
    return groups.contains { $0.isEmpty } ? nil : groups.joined()
  }

  /// Returns a date, a time or both by RFC 3339, or nil; the text is kept, with "T" between.
  private static func dateTime(_ word: String) -> TOMLValue? {
    var rest = Array(word.utf8)[...]
    let hasDate = word.utf8.dropFirst(4).first == UInt8(ascii: "-")
    if hasDate {
      guard let year = number(&rest, 4), skip(&rest, "-"), let month = number(&rest, 2),
        (1...12).contains(month), skip(&rest, "-"), let day = number(&rest, 2),
        (1...days(inMonth: month, of: year)).contains(day)
      else { return nil }
      if rest.isEmpty { return .dateTime(word) }
      guard skip(&rest, "T") || skip(&rest, "t") || skip(&rest, " ") else { return nil }
    }
    guard let hour = number(&rest, 2), hour < 24, skip(&rest, ":"), let minute = number(&rest, 2),
      minute < 60, skip(&rest, ":"), let second = number(&rest, 2), second <= 60
    else { return nil }
    if skip(&rest, ".") {
      let fraction = rest.prefix { Unicode.Scalar($0).isDigit }
      guard !fraction.isEmpty else { return nil }
      rest = rest.dropFirst(fraction.count)
    }
    guard rest.isEmpty || (hasDate && isOffset(rest)) else { return nil }
    guard hasDate else { return .dateTime(word) }
    return .dateTime(word.prefix(10) + "T" + word.dropFirst(11).uppercased())
  }

  private static func isOffset(_ text: ArraySlice<UInt8>) -> Bool {
    var rest = text
    if skip(&rest, "Z") || skip(&rest, "z") { return rest.isEmpty }
    guard skip(&rest, "+") || skip(&rest, "-"), let hour = number(&rest, 2), hour < 24,
      skip(&rest, ":"), let minute = number(&rest, 2), minute < 60
    else { return false }
    return rest.isEmpty
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return switch month {
    case 2: isLeap ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func number(_ rest: inout ArraySlice<UInt8>, _ count: Int) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy({ Unicode.Scalar($0).isDigit }) else {
      return nil
    }
    rest = rest.dropFirst(count)
    return Int(String(decoding: digits, as: UTF8.self))
  }

  private static func skip(_ rest: inout ArraySlice<UInt8>, _ character: Unicode.Scalar) -> Bool {
    guard rest.first.map(Unicode.Scalar.init) == character else { return false }
    rest = rest.dropFirst()
    return true
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }

  /// Whether the character may occur in a key without quotes (TOML 1.0.0, "Keys").
  var isBareKey: Bool {
    isDigit || ("a"..."z").contains(self) || ("A"..."Z").contains(self) || self == "_"
      || self == "-"
  }
}

extension UInt8 {
  fileprivate var isHexadecimalDigit: Bool {
    let character = Unicode.Scalar(self)
    return character.isDigit || ("a"..."f").contains(character) || ("A"..."F").contains(character)
  }
}

extension String {
  fileprivate var sign: String { hasPrefix("-") ? "-" : "" }
  fileprivate var unsigned: Substring { hasPrefix("-") || hasPrefix("+") ? dropFirst() : self[...] }
  fileprivate var isDecimal: Bool { unicodeScalars.allSatisfy(\.isDigit) }
  fileprivate var hasLeadingZero: Bool { count > 1 && hasPrefix("0") }
}
