/// A value with the line of its key.
package struct TOMLNode: Hashable, Sendable {
  package var value: TOMLValue
  /// The line of the key, counted from 1; for an element of an array, the line of the element.
  package var line: Int

  package init(_ value: TOMLValue, line: Int) {
    self.value = value
    self.line = line
  }
}

/// A value of one of TOML 1.0's types.
package indirect enum TOMLValue: Hashable, Sendable {
  /// A string without quotes, with its escapes resolved.
  case string(String)
  /// A 64-bit integer.
  case integer(Int)
  /// A floating-point number, which may be infinite or NaN.
  case float(Double)
  case bool(Bool)
  /// A date, a time or both, in TOML notation (RFC 3339).
  case dateTime(String)
  /// The elements in order, each with its line.
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

/// A table: keys and values in the order of their lines.
package struct TOMLTable: Hashable, Sendable {
  /// A key with its value.
  package struct Entry: Hashable, Sendable {
    /// The key without quotes; each part of a dotted key but the last is a table.
    package var key: String
    package var node: TOMLNode
    /// The line of the key, counted from 1.
    package var line: Int { node.line }
  }

  /// All entries in the order of their lines.
  package internal(set) var entries: [Entry] = []

  package init() {}

  /// Returns the entry for a key, or nil if there is none.
  ///
  /// - Complexity: O(*n*) in the number of entries.
  package subscript(key: String) -> Entry? { entries.first { $0.key == key } }
}

/// A syntax error, with its line.
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
