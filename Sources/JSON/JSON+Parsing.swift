package struct MalformedJSON: Error, Hashable, Sendable, CustomStringConvertible {
  /// The offset of the error from the start of the text, in bytes.
  package var offset: Int
  /// The error in words that complete "not JSON at byte 12: …".
  package var reason: String

  package init(offset: Int, reason: String) {
    self.offset = offset
    self.reason = reason
  }

  package var description: String { "not JSON at byte \(offset): \(reason)" }
}

extension JSON {
  /// Parses a text that consists of one value (RFC 8259).
  ///
  /// Duplicate keys are kept, strings must be UTF-8, and a lone surrogate escape is an error.
  /// Numbers without fraction and exponent that fit into 64 bits become ``integer(_:)``, all others
  /// ``number(_:)``.
  ///
  /// - Throws: ``MalformedJSON``, also for values nested more than 64 deep and for numbers beyond
  ///   the range of `Double`.
  package init(parsing text: some Sequence<UInt8>) throws(MalformedJSON) {
    var parser = JSONParser(Array(text))
    self = try parser.document()
  }
}

/// A recursive-descent parser of limited depth, so that hostile nesting cannot exhaust the stack.
private struct JSONParser {
  private static let deepest = 64
  private let bytes: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func document() throws(MalformedJSON) -> JSON {
    let value = try value(depth: 0)
    skipSpace()
    guard offset == bytes.count else { throw failure("more after the value") }
    return value
  }

  private mutating func value(depth: Int) throws(MalformedJSON) -> JSON {
    guard depth < Self.deepest else { throw failure("nested too deep") }
    skipSpace()
    switch peek {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func object(depth: Int) throws(MalformedJSON) -> JSON {
    var members: [JSON.Member] = []
    try list(from: "{", to: "}") { parser throws(MalformedJSON) in
      parser.skipSpace()
      let key = try parser.string()
      parser.skipSpace()
      try parser.expect(":")
      members.append(JSON.Member(key, try parser.value(depth: depth + 1)))
    }
    return .object(members)
  }

  private mutating func array(depth: Int) throws(MalformedJSON) -> JSON {
    var elements: [JSON] = []
    try list(from: "[", to: "]") { parser throws(MalformedJSON) in
      elements.append(try parser.value(depth: depth + 1))
    }
    return .array(elements)
  }

  private mutating func list(
    from opening: Unicode.Scalar, to closing: Unicode.Scalar,
    _ element: (inout JSONParser) throws(MalformedJSON) -> Void
  ) throws(MalformedJSON) {
    try expect(opening)
    skipSpace()
    if consume(closing) { return }
    while true {
      try element(&self)
      skipSpace()
      if consume(closing) { return }
      try expect(",")
    }
  }

  private mutating func string() throws(MalformedJSON) -> String {
    try expect("\"")
    var text: [UInt8] = []
    while let byte = peek {
      offset += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let string = String(validating: text, as: UTF8.self) else {
          throw failure("not UTF-8")
        }
        return string
      case UInt8(ascii: "\\"): text += Array(String(try escaped()).utf8)
      case 0..<0x20: throw failure("a control character in a string")
      default: text.append(byte)
      }
    }
    throw failure("a string without end")
  }

  private mutating func escaped() throws(MalformedJSON) -> Character {
    guard let byte = peek else { throw failure("a string without end") }
    offset += 1
    switch byte {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      return Character(Unicode.Scalar(byte))
    case UInt8(ascii: "u"): return try codePoint()
    default: throw failure("an unknown escape")
    }
  }

  /// Parses the digits of a `\u` escape, or of two that are a surrogate pair (RFC 8259, 7).
  private mutating func codePoint() throws(MalformedJSON) -> Character {
    let first = try codeUnit()
    guard (0xD800..<0xDC00).contains(first) else {
      guard let scalar = Unicode.Scalar(first) else { throw failure("half a surrogate pair") }
      return Character(scalar)
    }
    try expect("\\")
    try expect("u")
    let second = try codeUnit()
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw failure("half a surrogate pair") }
    return Character(scalar)
  }

  private mutating func codeUnit() throws(MalformedJSON) -> UInt32 {
    let digits = bytes.dropFirst(offset).prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw failure("four hexadecimal digits are missing") }
    offset += 4
    return unit
  }

  /// Parses a number; its ends and point are checked here, the rest by `Int64` or `Double`.
  private mutating func number() throws(MalformedJSON) -> JSON {
    let start = offset
    while let byte = peek, "+-.0123456789eE".utf8.contains(byte) { offset += 1 }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let isWellFormed =
      digits.first?.isNumber == true && digits.last?.isNumber == true
      && digits.split(separator: ".", omittingEmptySubsequences: false)
        .allSatisfy { $0.first?.isNumber == true }
      && !(digits.count > 1 && digits.hasPrefix("0") && digits.dropFirst().first?.isNumber == true)
    guard isWellFormed else { throw failure("no value") }
    if let number = Int64(text) { return .integer(number) }
    guard let number = Double(text), number.isFinite else { throw failure("no number") }
    return .number(number)
  }

  private mutating func word(_ word: String, _ value: JSON) throws(MalformedJSON) -> JSON {
    guard bytes.dropFirst(offset).starts(with: word.utf8) else { throw failure("no value") }
    offset += word.utf8.count
    return value
  }

  private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      offset += 1
    }
  }

  private mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: scalar) else { return false }
    offset += 1
    return true
  }

  private mutating func expect(_ scalar: Unicode.Scalar) throws(MalformedJSON) {
    guard consume(scalar) else { throw failure("\(scalar) is missing") }
  }

  private func failure(_ reason: String) -> MalformedJSON {
    MalformedJSON(offset: offset, reason: reason)
  }
}
