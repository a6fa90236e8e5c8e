/// A recursive-descent parser of TOML 1.0.0 that records the line of every key.
///
/// It stops at the first syntax error; ``TOMLDocument`` removes that line and parses again. Tables
/// are mutable objects until the end, because later headers or dotted keys may extend them.
struct TOMLParser {
  /// The greatest nesting of arrays, inline tables and parts of a key, to protect the stack.
  private static let deepestNesting = 100

  private var scanner: TOMLScanner
  private let root = TableBuilder(.header, line: 1)
  private var depth = 0
  private(set) var statements: [TOMLStatement] = []
  private var header: Int?

  init(_ text: [UInt8]) { scanner = TOMLScanner(text) }

  /// Parses the whole document, or throws the first syntax error.
  mutating func parse() throws(TOMLMistake) -> TOMLTable {
    var table = root
    while true {
      try scanner.skipBlankLines()
      guard let next = scanner.peek else { return root.table }
      if next == "[" {
        table = try tableHeader()
      } else {
        try keyValue(into: table)
      }
      try scanner.endLine()
    }
  }

  /// Parses `[table]` or `[[array of tables]]`, and returns the table that it opens.
  ///
  /// A table has at most one header. The header of an array of tables adds an element each time.
  /// The parts before the last name tables, or the last elements of arrays (TOML 1.0.0, "Table",
  /// "Array of Tables").
  private mutating func tableHeader() throws(TOMLMistake) -> TableBuilder {
    let line = scanner.line
    scanner.skip("[")
    let isArray = scanner.skip("[")
    let path = try key()
    guard scanner.skip("]"), !isArray || scanner.skip("]") else {
      throw scanner.expected(isArray ? "]]" : "]")
    }
    header = statements.count
    statements.append(TOMLStatement(key: path, isArray: isArray))
    var parent = root
    for part in path.dropLast().map(\.name) {
      switch parent[part] {
      case nil: parent = parent.add(.implicit, part, line: line)
      case .table(let table) where table.definition != .inline: parent = table
      case .tables(let list): parent = list.last
      default: throw duplicate(part, at: line)
      }
    }
    let name = path[path.count - 1].name
    switch (parent[name], isArray) {
    case (nil, false): return parent.add(.header, name, line: line)
    case (.table(let table), false) where table.definition == .implicit:
      table.definition = .header
      return table
    case (nil, true), (.tables, true): return parent.append(to: name, line: line)
    default: throw duplicate(name, at: line)
    }
  }

  /// Parses `key = value`; the parts of a dotted key before the last define tables.
  private mutating func keyValue(into table: TableBuilder) throws(TOMLMistake) {
    let line = scanner.line
    let isInner = depth > 0
    let path = try key()
    guard scanner.skip("=") else { throw scanner.expected("=") }
    var parent = table
    for part in path.dropLast().map(\.name) {
      switch parent[part] {
      case nil: parent = parent.add(.dottedKey, part, line: line)
      case .table(let table) where table.definition == .dottedKey: parent = table
      default: throw duplicate(part, at: line)
      }
    }
    let name = path[path.count - 1].name
    guard parent[name] == nil else { throw duplicate(name, at: line) }
    scanner.skipBlanks()
    let start = scanner.place
    depth += path.count - 1
    defer { depth -= path.count - 1 }
    parent.set(try value(line: line), for: name)
    guard !isInner else { return }
    statements.append(TOMLStatement(header: header, key: path, value: start..<scanner.place))
  }

  private func duplicate(_ key: String, at line: Int) -> TOMLMistake {
    TOMLMistake("“\(key)” is already defined above", line: line)
  }

  private mutating func key() throws(TOMLMistake) -> [TOMLStatement.Part] {
    var parts: [TOMLStatement.Part] = []
    repeat {
      guard depth + parts.count < Self.deepestNesting else {
        throw TOMLMistake("a key has too many parts", line: scanner.line)
      }
      scanner.skipBlanks()
      let start = scanner.place
      let name = try keyPart()
      parts.append(TOMLStatement.Part(name: name, place: start..<scanner.place))
      scanner.skipBlanks()
    } while scanner.skip(".")
    return parts
  }

  private mutating func keyPart() throws(TOMLMistake) -> String {
    switch scanner.peek {
    case "\"": return try scanner.basicString()
    case "'": return try scanner.literalString()
    default:
      let name = scanner.consume { $0.isBareKey }
      guard !name.isEmpty else { throw scanner.expected("a key") }
      return String(decoding: name, as: UTF8.self)
    }
  }

  private mutating func value(line: Int) throws(TOMLMistake) -> TableBuilder.Value {
    switch scanner.peek {
    case "{": return .table(try inlineTable(line: line))
    case "[": return .value(TOMLNode(.array(try array()), line: line))
    default: return .value(TOMLNode(try scanner.scalar(), line: line))
    }
  }

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

  /// Parses an inline table, which has one line and no final comma (TOML 1.0.0, "Inline Table").
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

/// A table under construction, with the way it was defined, which determines what may extend it.
private final class TableBuilder {
  enum Value {
    case value(TOMLNode)
    case table(TableBuilder)
    /// An array of tables, of which only the last may grow.
    case tables(TableList)

    var node: TOMLNode {
      switch self {
      case .value(let node): node
      case .table(let table): TOMLNode(.table(table.table), line: table.line)
      case .tables(let list):
        TOMLNode(
          .array(list.tables.map { TOMLNode(.table($0.table), line: $0.line) }),
          line: list.tables[0].line)
      }
    }
  }

  /// The way a table was defined (TOML 1.0.0, "Table").
  enum Definition {
    /// By its header, which may occur only once.
    case header
    /// By the header of a table within it; its own header may follow.
    case implicit
    /// By a dotted key; only other dotted keys in the same table extend it.
    case dottedKey
    case inline
  }

  var definition: Definition
  let line: Int
  private var keys: [String] = []
  private var values: [String: Value] = [:]

  init(_ definition: Definition, line: Int) {
    self.definition = definition
    self.line = line
  }

  subscript(key: String) -> Value? { values[key] }

  func set(_ value: Value, for key: String) {
    if values.updateValue(value, forKey: key) == nil { keys.append(key) }
  }

  func add(_ definition: Definition, _ key: String, line: Int) -> TableBuilder {
    let table = TableBuilder(definition, line: line)
    set(.table(table), for: key)
    return table
  }

  func append(to key: String, line: Int) -> TableBuilder {
    let table = TableBuilder(.header, line: line)
    if case .tables(let list)? = self[key] {
      list.tables.append(table)
    } else {
      set(.tables(TableList(table)), for: key)
    }
    return table
  }

  var table: TOMLTable {
    var table = TOMLTable()
    table.entries = keys.compactMap { key in
      values[key].map { TOMLTable.Entry(key: key, node: $0.node) }
    }
    return table
  }
}

private final class TableList {
  var tables: [TableBuilder]

  init(_ table: TableBuilder) { tables = [table] }

  var last: TableBuilder { tables[tables.count - 1] }
}
