/// A place in a document; both count from 1, columns in Unicode scalars.
public struct TOMLPosition: Hashable, Sendable, Comparable {
  public var line: Int
  public var column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  public static func < (a: TOMLPosition, b: TOMLPosition) -> Bool {
    (a.line, a.column) < (b.line, b.column)
  }
}

/// A value, and where it stands.
public struct TOMLNode: Hashable, Sendable {
  public var value: TOMLValue
  public var position: TOMLPosition

  public init(_ value: TOMLValue, at position: TOMLPosition) {
    self.value = value
    self.position = position
  }
}

/// What can stand behind a key (TOML 1.0).
public indirect enum TOMLValue: Hashable, Sendable {
  case string(String)
  case integer(Int64)
  case float(Double)
  case bool(Bool)
  /// A date, a time or both, as written.
  case dateTime(String)
  case array([TOMLNode])
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

/// Keys and their values, in the order in which they are written.
public struct TOMLTable: Hashable, Sendable {
  public struct Entry: Hashable, Sendable {
    public var key: String
    /// Where the key stands.
    public var position: TOMLPosition
    public var node: TOMLNode
  }

  /// How the table came to be, which says how it may grow (TOML 1.0, "Table").
  enum Origin: Hashable, Sendable {
    /// Named on the way to another one by a header.
    case implied
    /// By a header of its own.
    case header
    /// Named on the way to a value by a dotted key.
    case dotted
    /// Between braces; complete.
    case inline
  }

  public internal(set) var entries: [Entry] = []
  var origin: Origin

  init(_ origin: Origin) { self.origin = origin }

  /// An empty table.
  public init() { self.init(.header) }

  /// The entry of a key; nil: there is none.
  public subscript(key: String) -> Entry? { entries.first { $0.key == key } }
}

/// Something in a document that is no TOML.
public struct TOMLMistake: Error, Hashable, Sendable {
  public var position: TOMLPosition
  /// What is wrong, and what would be right.
  public var what: String

  public init(_ what: String, at position: TOMLPosition) {
    self.what = what
    self.position = position
  }
}
