extension TOMLValue {
  /// A value without quotes or brackets; nil: it is none.
  init?(word: String) {
    switch word {
    case "true": self = .bool(true)
    case "false": self = .bool(false)
    case "inf", "+inf": self = .float(.infinity)
    case "-inf": self = .float(-.infinity)
    case "nan", "+nan", "-nan": self = .float(.nan)
    default:
      if let number = Self.integer(word) {
        self = .integer(number)
      } else if let number = Self.float(word) {
        self = .float(number)
      } else if Self.isDateTime(word) {
        self = .dateTime(word)
      } else {
        return nil
      }
    }
  }

  private static func integer(_ word: String) -> Int64? {
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where word.hasPrefix(prefix) {
      let digits = word.dropFirst(2)
      guard digits.first != "+", digits.first != "-" else { return nil }
      return plain(digits).flatMap { Int64($0, radix: radix) }
    }
    let digits = unsigned(word)
    guard digits.allSatisfy({ $0.isDecimal || $0 == "_" }), !hasLeadingZero(digits) else {
      return nil
    }
    return plain(digits) == nil ? nil : plain(word[...]).flatMap { Int64($0) }
  }

  private static func float(_ word: String) -> Double? {
    let digits = unsigned(word)
    let parts = digits.split(
      maxSplits: 1, omittingEmptySubsequences: false, whereSeparator: { $0 == "e" || $0 == "E" })
    let mantissa = parts[0].split(
      separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 || mantissa.count == 2 else { return nil }
    let exponent = parts.count == 2 ? [unsigned(String(parts[1]))] : []
    let all = mantissa.map { Substring($0) } + exponent
    guard all.allSatisfy({ isDigits($0) }), !hasLeadingZero(mantissa[0]) else { return nil }
    return plain(word[...]).flatMap { Double($0) }
  }

  private static func isDateTime(_ word: String) -> Bool {
    let shapes = ["dddd-dd-dd", "dd:dd:dd"]
    if shapes.contains(where: { matches(withoutFraction(word), $0) }) { return true }
    var rest = word
    for zone in ["Z", "z"] where rest.hasSuffix(zone) { rest.removeLast() }
    if rest == word, rest.count > 6, matches(String(rest.suffix(5)), "dd:dd"),
      let sign = rest.dropLast(5).last, sign == "+" || sign == "-"
    {
      rest.removeLast(6)
    }
    rest = withoutFraction(rest)
    return matches(rest, "dddd-dd-ddTdd:dd:dd") || matches(rest, "dddd-dd-ddtdd:dd:dd")
  }

  /// Whether each "d" is a digit and all else is the same.
  static func matches(_ text: String, _ shape: String) -> Bool {
    text.count == shape.count
      && zip(text, shape).allSatisfy { $1 == "d" ? $0.isDecimal : $0 == $1 }
  }

  private static func withoutFraction(_ word: String) -> String {
    guard let point = word.lastIndex(of: "."),
      word[word.index(after: point)...].allSatisfy(\.isDecimal)
    else { return word }
    return String(word[..<point])
  }

  private static func unsigned(_ word: String) -> Substring {
    word.first == "+" || word.first == "-" ? word.dropFirst() : word[...]
  }

  private static func isDigits(_ digits: Substring) -> Bool {
    plain(digits) != nil && digits.allSatisfy { $0.isDecimal || $0 == "_" }
  }

  private static func hasLeadingZero(_ digits: Substring) -> Bool {
    digits.count > 1 && digits.first == "0"
  }

  /// Without its underscores, each of which must stand between two digits.
  private static func plain(_ word: Substring) -> String? {
    guard !word.isEmpty, word.last != "_", unsigned(String(word)).first != "_",
      !word.contains("__")
    else { return nil }
    let text = String(word.filter { $0 != "_" })
    return text.isEmpty ? nil : text
  }
}

extension Character {
  fileprivate var isDecimal: Bool { isASCII && isNumber }
}
