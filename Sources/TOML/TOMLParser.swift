/// Reads a document from its first scalar to its last, line by line.
struct TOMLParser {
  /// Lists and tables within each other.
  static let deepest = 32

  private let scalars: [Unicode.Scalar]
  private(set) var offset = 0
  private var line = 1
  private var lineStart = 0
  private var header: [TOMLKey] = []
  private(set) var root = TOMLTable()
  private(set) var mistakes: [TOMLMistake] = []

  init(_ text: String) {
    // A byte order mark is allowed at the start.
    scalars = Array(
      text.unicodeScalars.first == "\u{FEFF}"
        ? text.unicodeScalars.dropFirst() : text.unicodeScalars[...])
  }

  mutating func readDocument() {
    while mistakes.count < TOMLDocument.mostMistakes {
      skipBlank()
      guard let next = peek else { return }
      // What follows a broken header must not go into the table before it.
      var isInBrokenTable = next == "["
      do throws(TOMLMistake) {
        if next == "[" { try readHeader() } else { try readAssignment() }
        isInBrokenTable = false
        try endLine()
      } catch {
        mistakes.append(error)
        skipLine()
        if isInBrokenTable { skipTable() }
      }
    }
  }

  // MARK: Lines

  private mutating func readHeader() throws(TOMLMistake) {
    let isList = peek(1) == "["
    advance(isList ? 2 : 1)
    let path = try readKeys()
    try expect("]")
    if isList { try expect("]") }
    try root.open(path[...], inList: isList)
    header = path
  }

  private mutating func readAssignment() throws(TOMLMistake) {
    let keys = try readKeys()
    try expect("=")
    skipSpace()
    let node = try readNode(depth: 0)
    try root.insert(node, under: keys[...], of: header[...])
  }

  /// `a.b."c d"`, with what space stands around it.
  mutating func readKeys() throws(TOMLMistake) -> [TOMLKey] {
    var keys: [TOMLKey] = []
    while true {
      skipSpace()
      let start = position
      keys.append(TOMLKey(name: try readKey(), position: start))
      skipSpace()
      guard peek == "." else { return keys }
      advance()
    }
  }

  private mutating func readKey() throws(TOMLMistake) -> String {
    switch peek {
    case "\""?: return try readBasicString()
    case "'"?: return try readLiteralString()
    default:
      let name = take { $0.isBareKey }
      guard !name.isEmpty else { throw mistake("a key is wanted here") }
      return name
    }
  }

  // MARK: The text

  var peek: Unicode.Scalar? { peek(0) }

  func peek(_ distance: Int) -> Unicode.Scalar? {
    offset + distance < scalars.count ? scalars[offset + distance] : nil
  }

  func has(_ text: String) -> Bool {
    text.unicodeScalars.enumerated().allSatisfy { peek($0.offset) == $0.element }
  }

  var position: TOMLPosition { TOMLPosition(line: line, column: offset - lineStart + 1) }

  func mistake(_ what: String) -> TOMLMistake { TOMLMistake(what, at: position) }

  mutating func advance(_ count: Int = 1) {
    for _ in 0..<count where offset < scalars.count {
      offset += 1
      if scalars[offset - 1] == "\n" {
        line += 1
        lineStart = offset
      }
    }
  }

  mutating func take(while isWanted: (Unicode.Scalar) -> Bool) -> String {
    var text = String.UnicodeScalarView()
    while let scalar = peek, isWanted(scalar) {
      text.append(scalar)
      advance()
    }
    return String(text)
  }

  mutating func expect(_ wanted: Unicode.Scalar) throws(TOMLMistake) {
    skipSpace()
    guard peek == wanted else { throw mistake("\(wanted) is wanted here") }
    advance()
  }

  mutating func skipSpace() { while peek == " " || peek == "\t" { advance() } }

  /// Skips space, comments and line ends.
  mutating func skipBlank() {
    while let scalar = peek {
      switch scalar {
      case " ", "\t", "\r", "\n": advance()
      case "#": while let next = peek, next != "\n" { advance() }
      default: return
      }
    }
  }

  private mutating func endLine() throws(TOMLMistake) {
    skipSpace()
    if peek == "\r", peek(1) == "\n" { advance() }
    guard let next = peek, next != "\n" else { return }
    guard next == "#" else { throw mistake("the line should end here") }
    while let scalar = peek, scalar != "\n" {
      guard scalar == "\r" ? peek(1) == "\n" : scalar.isText else {
        throw mistake("a control character cannot stand in a comment")
      }
      advance()
    }
  }

  private mutating func skipLine() {
    while let scalar = peek, scalar != "\n" { advance() }
  }

  /// Skips to the next header.
  private mutating func skipTable() {
    skipBlank()
    while let next = peek, next != "[" {
      skipLine()
      skipBlank()
    }
  }
}

extension Unicode.Scalar {
  fileprivate var isBareKey: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
    default: false
    }
  }

  /// No control character but the tab.
  var isText: Bool { self == "\t" || (value >= 0x20 && value != 0x7F) }
}
