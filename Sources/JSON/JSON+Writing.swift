extension JSON: CustomStringConvertible {
  /// The value on one line without spaces (RFC 8259).
  ///
  /// Control and bidirectional characters in strings are escaped, so that they cannot deceive a
  /// terminal. Parsing the text results in an equal value, except for infinities and NaN (null).
  package var description: String {
    var text = ""
    write(to: &text)
    return text
  }

  /// Returns the value on lines of at most `columns`, which only long strings exceed.
  package func indented(columns: Int = 100) -> String { indented(columns: columns, margin: "") }

  private func indented(columns: Int, margin: String) -> String {
    let line = description
    let inner = margin + "  "
    func lines(_ parts: [String], _ opening: String, _ closing: String) -> String {
      "\(opening)\n" + parts.map { inner + $0 }.joined(separator: ",\n") + "\n\(margin)\(closing)"
    }
    switch self {
    case .array(let elements) where margin.count + line.count > columns:
      return lines(elements.map { $0.indented(columns: columns, margin: inner) }, "[", "]")
    case .object(let members) where margin.count + line.count > columns:
      return lines(
        members.map { member in
          "\(JSON.string(member.key)): \(member.value.indented(columns: columns, margin: inner))"
        }, "{", "}")
    default: return line
    }
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let flag): text += flag ? "true" : "false"
    case .integer(let number): text += "\(number)"
    // JSON has no infinities and NaN.
    case .number(let number): text += number.isFinite ? "\(number)" : "null"
    case .string(let string): Self.write(string, to: &text)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        element.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        Self.write(member.key, to: &text)
        text += ":"
        member.value.write(to: &text)
      }
      text += "}"
    }
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    if string.utf8.allSatisfy(\.isPlain) {
      text += string
    } else {
      for scalar in string.unicodeScalars { write(scalar, to: &text) }
    }
    text += "\""
  }

  private static func write(_ scalar: Unicode.Scalar, to text: inout String) {
    switch scalar {
    case "\"": text += "\\\""
    case "\\": text += "\\\\"
    case "\n": text += "\\n"
    case "\r": text += "\\r"
    case "\t": text += "\\t"
    // These include C1 controls and bidirectional formatting, which JSON does not require.
    case _ where scalar.properties.generalCategory == .control || scalar.isDirectional:
      let digits = String(scalar.value, radix: 16)
      text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: text.unicodeScalars.append(scalar)
    }
  }
}

extension UInt8 {
  fileprivate var isPlain: Bool {
    (0x20...0x7E).contains(self) && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
  }
}

extension Unicode.Scalar {
  /// Whether the character changes the order of the text around it (UAX #9).
  fileprivate var isDirectional: Bool {
    switch value {
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
