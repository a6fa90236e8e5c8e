/// A value, and the line on which its key stands.
public struct TOMLNode: Hashable, Sendable {
  /// What stands behind the key.
  public var value: TOMLValue
  /// Counts from 1.
  public var line: Int

  public init(_ value: TOMLValue, line: Int) {
    self.value = value
    self.line = line
  }
}

/// What can stand behind a key (TOML 1.0).
public indirect enum TOMLValue: Hashable, Sendable {
  /// Without its quotes, escapes resolved.
  case string(String)
  /// 64 bits.
  case integer(Int)
  /// With infinities and NaN.
  case float(Double)
  case bool(Bool)
  /// A date, a time or both, as TOML writes it.
  case dateTime(String)
  /// In their order; each has a line of its own.
  case array([TOMLNode])
  /// Inline or under a header.
  case table(TOMLTable)

  /// What it is, in words, for "… is wanted here".
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

/// Keys and their values, in the order of their lines.
public struct TOMLTable: Hashable, Sendable {
  /// A key, and what it stands for.
  public struct Entry: Hashable, Sendable {
    /// Without quotes; a dotted key is a table for each of its parts.
    public var key: String
    /// The value, and the line of its key.
    public var node: TOMLNode
    /// Where the key stands; counts from 1.
    public var line: Int { node.line }
  }

  /// In the order of their lines.
  public internal(set) var entries: [Entry] = []

  /// An empty table.
  public init() {}

  /// The entry of a key; nil: there is none.
  public subscript(key: String) -> Entry? { entries.first { $0.key == key } }
}

/// Something in a document that is no TOML.
public struct TOMLMistake: Error, Hashable, Sendable {
  /// Counts from 1.
  public var line: Int
  /// What is wrong.
  public var what: String

  public init(_ what: String, line: Int) {
    self.what = what
    self.line = line
  }
}
