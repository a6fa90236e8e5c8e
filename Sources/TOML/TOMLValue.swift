/// A value and the line of its key.
public struct TOMLNode: Hashable, Sendable {
  public var value: TOMLValue
  /// Counts from 1.
  public var line: Int

  public init(_ value: TOMLValue, line: Int) {
    self.value = value
    self.line = line
  }
}

/// The types of values of TOML 1.0.
public indirect enum TOMLValue: Hashable, Sendable {
  /// Without quotes and escapes.
  case string(String)
  /// 64 bits.
  case integer(Int)
  /// With infinities and NaN.
  case float(Double)
  case bool(Bool)
  /// A date, a time or both, in the notation of TOML (RFC 3339).
  case dateTime(String)
  /// The elements, each with its line.
  case array([TOMLNode])
  /// An inline table, or one with a header.
  case table(TOMLTable)

  /// The type in words, for messages such as "a whole number is wanted here".
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
public struct TOMLTable: Hashable, Sendable {
  /// A key and its value.
  public struct Entry: Hashable, Sendable {
    /// Without quotes; each part of a dotted key but the last is a table.
    public var key: String
    public var node: TOMLNode
    /// The line of the key, from 1.
    public var line: Int { node.line }
  }

  /// In the order of their lines.
  public internal(set) var entries: [Entry] = []

  /// An empty table.
  public init() {}

  /// The entry of a key, or nil.
  public subscript(key: String) -> Entry? { entries.first { $0.key == key } }
}

/// A syntax error of a document.
public struct TOMLMistake: Error, Hashable, Sendable {
  /// From 1.
  public var line: Int
  /// What is wrong, for people.
  public var what: String

  public init(_ what: String, line: Int) {
    self.what = what
    self.line = line
  }
}
