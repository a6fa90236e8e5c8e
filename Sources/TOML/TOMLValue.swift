package struct TOMLNode: Hashable, Sendable {
  package var value: TOMLValue
  /// The line of the key, counted from 1; for an element of an array, the line of the element.
  package var line: Int

  package init(_ value: TOMLValue, line: Int) {
    self.value = value
    self.line = line
  }
}

package indirect enum TOMLValue: Hashable, Sendable {
  case string(String)
  case integer(Int)
  /// A floating-point number, which may be infinite or NaN.
  case float(Double)
  case bool(Bool)
  /// A date, a time or both, in TOML notation (RFC 3339).
  case dateTime(String)
  case array([TOMLNode])
  /// An inline table, or one with a header.
  case table(TOMLTable)

  /// The type in words, for messages such as "expected a whole number".
  package var kind: String {
    switch self {
    case .string: "a text"
    case .integer: "a whole number"
    case .float: "a number"
    case .bool: "true or false"
    case .dateTime: "a date or time"
    case .array: "a list"
    case .table: "a table"
    }
  }
}

package struct TOMLTable: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    /// The key without quotes; each part of a dotted key but the last is a table.
    package var key: String
    package var node: TOMLNode
    package var line: Int { node.line }
  }

  package internal(set) var entries: [Entry] = []

  package init() {}

  /// Returns the entry for a key in O(*n*), or nil if there is none.
  package subscript(key: String) -> Entry? { entries.first { $0.key == key } }
}

package struct TOMLMistake: Error, Hashable, Sendable {
  /// The line, counted from 1.
  package var line: Int
  /// The error as a sentence without a full stop.
  package var what: String

  package init(_ what: String, line: Int) {
    self.what = what
    self.line = line
  }
}
