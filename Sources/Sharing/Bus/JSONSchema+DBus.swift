internal import DBus
internal import JSON

extension JSONSchema {
  /// The D-Bus type of the values, such as "x" for an integer.
  ///
  /// D-Bus has no null: an unknown value is omitted from its dictionary or list.
  var signature: String {
    switch self {
    case .boolean: "b"
    case .integer: "x"
    case .number: "d"
    case .string, .words: "s"
    case .array(let element): "a" + element.signature
    case .object, .map: "a{sv}"
    case .one, .constant: "v"
    case .optional(let schema): schema.signature
    case .defined(let definition): definition.schema.signature
    }
  }

  var content: JSONSchema {
    switch self {
    case .optional(let schema): schema.content
    case .defined(let definition): definition.schema.content
    default: self
    }
  }

  /// Returns the value of the type of ``signature``, or nil for null or another type.
  func busValue(of json: JSON) -> DBusValue? {
    switch (content, json) {
    case (_, .null): nil
    case (.boolean, .bool(let flag)): .boolean(flag)
    case (.integer, .integer(let number)): .int64(number)
    case (.number, .integer(let number)): .double(Double(number))
    case (.number, .number(let number)): .double(number)
    case (.string, .string(let text)), (.words, .string(let text)): .string(text)
    case (.array(let element), .array(let values)):
      .array(of: element.signature, values.compactMap(element.busValue))
    case (.object(let members), .object):
      .options(
        members.reduce(into: [:]) { options, member in
          options[member.name] = json[member.name].flatMap(member.schema.busValue)?.content
        })
    case (.map(let value), .object(let members)):
      .options(
        members.reduce(into: [:]) { $0[$1.key] = value.busValue(of: $1.value)?.content })
    case (.one(let schemas), _):
      schemas.lazy.compactMap { $0.busValue(of: json) }.first.map { .variant($0) }
    default: nil
    }
  }
}

extension String {
  /// The name of a member on D-Bus: "caseOpen" and "case-open" are both "CaseOpen".
  var busName: String {
    split { !$0.isLetter && !$0.isNumber }.map { $0.prefix(1).uppercased() + $0.dropFirst() }
      .joined()
  }
}

extension DBusValue {
  /// The value as a word of the command line, such as "on", "40" or "1.5,0,-3", or nil for others.
  var word: String? {
    switch content {
    case .boolean(let isOn): return isOn ? "on" : "off"
    case .string(let text): return text
    case .double(let number):
      return Int(exactly: number).map { "\($0)" } ?? "\(number)"
    case .array(_, let elements):
      let words = elements.compactMap(\.word)
      return words.count == elements.count ? words.joined(separator: ",") : nil
    default: return content.integer.map { "\($0)" }
    }
  }
}
