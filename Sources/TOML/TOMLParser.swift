/// A recursive-descent parser of TOML 1.0.0 that records the line of every key.
///
/// It stops at the first syntax error; ``TOMLDocument`` removes that line and parses again. Values
/// are built in mutable tables, since a later header or dotted key may extend a table, and
/// converted at the end.
///
/// | construct | method |
/// | --- | --- |
/// | `[table]`, `[[array]]` | `header` |
/// | `key = value` | `keyValue` |
/// | `a."b".'c'` | `key` |
/// | `[1, 2]` | `array` |
/// | `{ a = 1 }` | `inlineTable` |
/// | any other value | ``TOMLScanner/scalar()`` |
struct TOMLParser {
  /// The maximum nesting of arrays and inline tables, so that no document overflows the stack.
  private static let deepestNesting = 100

  /// The characters that are left.
  private var scanner: TOMLScanner
  /// The table of the whole document.
  private let root = TableBuilder(.header, line: 1)
  /// The number of open arrays and inline tables.
  private var depth = 0

  /// A parser of text in UTF-8.
  init(_ text: [UInt8]) { scanner = TOMLScanner(text) }

  /// Parses the whole document.
  ///
  /// - Throws: the first syntax error, with its line.
  /// - Complexity: O(*n*) in the length of the text.
  mutating func parse() throws(TOMLMistake) -> TOMLTable {
    var table = root
    while true {
      try scanner.skipBlankLines()
      guard let next = scanner.peek else { return root.table }
      if next == "[" {
        table = try header()
      } else {
        try keyValue(into: table)
      }
      try scanner.endLine()
    }
  }

  /// Parses `[table]` or `[[array of tables]]`, and returns the table that it opens.
  ///
  /// A table has one header at most; that of an array of tables adds an element each time. The
  /// parts before the last one name tables, or the last elements of arrays (TOML 1.0.0, "Table",
  /// "Array of Tables").
  private mutating func header() throws(TOMLMistake) -> TableBuilder {
    let line = scanner.line
    scanner.skip("[")
    let isArray = scanner.skip("[")
    let path = try key()
    guard scanner.skip("]"), !isArray || scanner.skip("]") else {
      throw scanner.expected(isArray ? "]]" : "]")
    }
    var parent = root
    for part in path.dropLast() {
      switch parent[part] {
      case nil: parent = parent.add(.implicit, part, line: line)
      case .table(let table) where table.definition != .inline: parent = table
      case .tables(let list): parent = list[list.count - 1]
      default: throw duplicate(part, at: line)
      }
    }
    let name = path[path.count - 1]
    switch (parent[name], isArray) {
    case (nil, false): return parent.add(.header, name, line: line)
    case (.table(let table), false) where table.definition == .implicit:
      table.definition = .header
      return table
    case (nil, true): return parent.append(to: [], name, line: line)
    case (.tables(let list), true): return parent.append(to: list, name, line: line)
    default: throw duplicate(name, at: line)
    }
  }

  /// Parses `key = value`; the parts of a dotted key before the last one define tables.
  private mutating func keyValue(into table: TableBuilder) throws(TOMLMistake) {
    let line = scanner.line
    let path = try key()
    guard scanner.skip("=") else { throw scanner.expected("=") }
    var parent = table
    for part in path.dropLast() {
      switch parent[part] {
      case nil: parent = parent.add(.dottedKey, part, line: line)
      case .table(let table) where table.definition == .dottedKey: parent = table
      default: throw duplicate(part, at: line)
      }
    }
    let name = path[path.count - 1]
    guard parent[name] == nil else { throw duplicate(name, at: line) }
    scanner.skipBlanks()
    parent.set(try value(line: line), for: name)
  }

  /// The error for a key that is defined twice.
  private func duplicate(_ key: String, at line: Int) -> TOMLMistake {
    TOMLMistake("“\(key)” is already defined above", line: line)
  }

  /// Parses a bare, quoted or dotted key, with the blanks around its parts.
  private mutating func key() throws(TOMLMistake) -> [String] {
    var parts: [String] = []
    repeat {
      scanner.skipBlanks()
      switch scanner.peek {
      case "\"": parts.append(try scanner.basicString())
      case "'": parts.append(try scanner.literalString())
      default:
        let name = scanner.consume { $0.isBareKey }
        guard !name.isEmpty else { throw scanner.expected("a key") }
        parts.append(String(decoding: name, as: UTF8.self))
      }
      scanner.skipBlanks()
    } while scanner.skip(".")
    return parts
  }

  /// Parses a value of any type.
  ///
  /// - Parameter line: the line of its key.
  private mutating func value(line: Int) throws(TOMLMistake) -> TableBuilder.Value {
    switch scanner.peek {
    case "{": return .table(try inlineTable(line: line))
    case "[": return .value(TOMLNode(.array(try array()), line: line))
    default: return .value(TOMLNode(try scanner.scalar(), line: line))
    }
  }

  /// Parses an array, which may extend over several lines and end with a comma.
  private mutating func array() throws(TOMLMistake) -> [TOMLNode] {
    try nested("[") { parser, start throws(TOMLMistake) in
      var items: [TOMLNode] = []
      while true {
        try parser.scanner.skipBlankLines()
        if parser.scanner.skip("]") { return items }
        guard parser.scanner.peek != nil else { throw start }
        items.append(try parser.value(line: parser.scanner.line).node)
        try parser.scanner.skipBlankLines()
        if parser.scanner.skip(",") { continue }
        guard parser.scanner.peek != nil else { throw start }
        guard parser.scanner.skip("]") else { throw parser.scanner.expected(", or ]") }
        return items
      }
    }
  }

  /// Parses an inline table, which is on one line and does not end with a comma (TOML 1.0.0,
  /// "Inline Table").
  private mutating func inlineTable(line: Int) throws(TOMLMistake) -> TableBuilder {
    try nested("{") { parser, start throws(TOMLMistake) in
      let table = TableBuilder(.header, line: line)
      parser.scanner.skipBlanks()
      if !parser.scanner.skip("}") {
        repeat {
          try parser.keyValue(into: table)
          parser.scanner.skipBlanks()
        } while parser.scanner.skip(",")
        guard parser.scanner.skip("}") else { throw parser.scanner.expected(", or }") }
      }
      table.definition = .inline
      return table
    }
  }

  /// Parses the content of a bracket, within the limit of nesting.
  ///
  /// - Parameters:
  ///   - bracket: the opening bracket.
  ///   - body: parses up to the closing bracket; receives the error to throw if there is none.
  private mutating func nested<Result>(
    _ bracket: Unicode.Scalar,
    _ body: (inout Self, _ unclosed: TOMLMistake) throws(TOMLMistake) -> Result
  ) throws(TOMLMistake) -> Result {
    guard depth < Self.deepestNesting else {
      throw TOMLMistake("values are nested too deeply", line: scanner.line)
    }
    depth += 1
    defer { depth -= 1 }
    let unclosed = TOMLMistake("“\(bracket)” is never closed", line: scanner.line)
    scanner.skip(bracket)
    return try body(&self, unclosed)
  }
}

/// A table that may still grow, with the way it was defined, which determines what may extend it.
private final class TableBuilder {
  /// A value of the table.
  enum Value {
    /// A value that is complete, also an array.
    case value(TOMLNode)
    /// A table that may grow.
    case table(TableBuilder)
    /// An array of tables, of which only the last may grow; never empty.
    case tables([TableBuilder])

    /// The value with its line.
    var node: TOMLNode {
      switch self {
      case .value(let node): node
      case .table(let table): TOMLNode(.table(table.table), line: table.line)
      case .tables(let list):
        TOMLNode(
          .array(list.map { TOMLNode(.table($0.table), line: $0.line) }), line: list[0].line)
      }
    }
  }

  /// The way a table was defined (TOML 1.0.0, "Table").
  enum Definition {
    /// By its own header, which may occur only once.
    case header
    /// By the header of a table within it; its own header may follow.
    case implicit
    /// By a dotted key; only further dotted keys in the same table extend it.
    case dottedKey
    /// In braces; nothing extends it.
    case inline
  }

  /// The way the table was defined.
  var definition: Definition
  /// The line of its definition.
  let line: Int
  /// The keys in the order of their lines.
  private var keys: [String] = []
  /// The values by key.
  private var values: [String: Value] = [:]

  /// An empty table.
  init(_ definition: Definition, line: Int) {
    self.definition = definition
    self.line = line
  }

  /// The value of a key; `nil` if there is none.
  subscript(key: String) -> Value? { values[key] }

  /// Sets the value of a key, which keeps its place if it exists.
  func set(_ value: Value, for key: String) {
    if values.updateValue(value, forKey: key) == nil { keys.append(key) }
  }

  /// Adds an empty table for a key.
  func add(_ definition: Definition, _ key: String, line: Int) -> TableBuilder {
    let table = TableBuilder(definition, line: line)
    set(.table(table), for: key)
    return table
  }

  /// Adds an empty table to an array of tables.
  func append(to list: [TableBuilder], _ key: String, line: Int) -> TableBuilder {
    let table = TableBuilder(.header, line: line)
    set(.tables(list + [table]), for: key)
    return table
  }

  /// The table as a value, with all tables in it.
  var table: TOMLTable {
    var table = TOMLTable()
    table.entries = keys.compactMap { key in
      values[key].map { TOMLTable.Entry(key: key, node: $0.node) }
    }
    return table
  }
}
