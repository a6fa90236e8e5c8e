/// A value together with the line of its key.
public struct TOMLNode: Hashable, Sendable {
  /// The value.
  public var value: TOMLValue
  /// The line of the key, counted from 1; for an element of an array that of its header, or else of
  /// the array's key.
  public var line: Int

  public init(_ value: TOMLValue, line: Int) {
    self.value = value
    self.line = line
  }
}

/// A value of one of TOML 1.0's types.
public indirect enum TOMLValue: Hashable, Sendable {
  /// A string without its quotes, with its escapes resolved.
  case string(String)
  /// An integer of 64 bits.
  case integer(Int)
  /// A floating-point number, also infinite or NaN.
  case float(Double)
  /// True or false.
  case bool(Bool)
  /// A date, a time or both, in the notation of TOML (RFC 3339).
  case dateTime(String)
  /// The elements in their order, each with its line.
  case array([TOMLNode])
  /// An inline table, or one with a header of its own.
  case table(TOMLTable)

  /// The type in words, for messages such as "expected a whole number".
  public var kind: String {
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
///
/// ```swift
/// for entry in document.root.entries { print("line \(entry.line): \(entry.key)") }
/// ```
public struct TOMLTable: Hashable, Sendable {
  /// A key with its value.
  public struct Entry: Hashable, Sendable {
    /// The key without its quotes; each part of a dotted key but the last one is a table.
    public var key: String
    /// The value and its line.
    public var node: TOMLNode
    /// The line of the key, from 1.
    public var line: Int { node.line }
  }

  /// All entries in the order of their lines.
  public internal(set) var entries: [Entry] = []

  /// An empty table.
  public init() {}

  /// The entry of a key; `nil` if there is none.
  ///
  /// - Complexity: O(*n*) in the number of entries.
  public subscript(key: String) -> Entry? { entries.first { $0.key == key } }
}

/// A syntax error of a document, with its line.
public struct TOMLMistake: Error, Hashable, Sendable {
  /// The line, counted from 1.
  public var line: Int
  /// What is wrong, as a sentence without its full stop.
  public var what: String

  public init(_ what: String, line: Int) {
    self.what = what
    self.line = line
  }
}
