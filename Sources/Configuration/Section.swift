internal import HeadphoneProtocols
internal import TOML

/// A table of a file that is being read, which knows the keys that were asked for.
///
/// Mistakes are noted, and the rest still applies; keys that nothing asked for are mistakes as
/// well.
///
/// ```swift
/// var root = Section(TOMLDocument(parsing: text).root)
/// root.section("battery") { section in
///   let low: UInt8? = section.number("low", in: 0...100)
/// }
/// for mistake in root.end() { print(mistake) }
/// ```
struct Section {
  /// The name in messages: "[screen]", or "the file" for the top level.
  private let title: String
  private let path: String
  private let table: TOMLTable
  /// The keys that were asked for.
  private var meant: [String] = []
  /// The names that keys had in earlier versions, which files may still have.
  private static let formerKeys = ["screen.background": "ground"]
  /// The mistakes so far.
  private(set) var mistakes: [ConfigurationMistake] = []

  init(_ table: TOMLTable, path: String = "") {
    self.table = table
    self.path = path
    title = path.isEmpty ? "the file" : "[\(path)]"
  }

  // MARK: Values

  /// Reads a string that is not empty.
  mutating func text(_ key: String) -> String? {
    value(key, "a text in quotes") { value in
      guard case .string(let text) = value, !text.isEmpty else { return nil }
      return text
    }
  }

  /// Reads a Boolean.
  mutating func flag(_ key: String) -> Bool? {
    value(key, "true or false") { value in
      guard case .bool(let flag) = value else { return nil }
      return flag
    }
  }

  /// Reads an integer within a range.
  ///
  /// - Parameters:
  ///   - key: the key.
  ///   - range: the allowed values, whose type determines that of the result.
  /// - Returns: `nil` if the key is absent, or its value is not allowed, which is noted.
  mutating func number<Number: FixedWidthInteger>(
    _ key: String, in range: ClosedRange<Number>
  ) -> Number? {
    value(key, "a whole number from \(range.lowerBound) to \(range.upperBound)") { value in
      guard case .integer(let number) = value, let exact = Number(exactly: number),
        range.contains(exact)
      else { return nil }
      return exact
    }
  }

  /// Reads one of the names of an enumeration.
  mutating func choice<Choice>(_ key: String) -> Choice?
  where Choice: RawRepresentable<String> & CaseIterable {
    choice(key, among: Array(Choice.allCases))
  }

  /// Reads one of the names of some values.
  mutating func choice<Choice: RawRepresentable<String>>(
    _ key: String, among choices: [Choice]
  ) -> Choice? {
    let names = choices.map { "\"\($0.rawValue)\"" }
    return value(key, "one of \(names.joined(separator: ", "))") { value in
      guard case .string(let text) = value else { return nil }
      return choices.first { $0.rawValue == text }
    }
  }

  /// Reads a list of strings, or one string in place of a list.
  mutating func texts(_ key: String, _ wanted: String = "a list of texts in quotes") -> [String]? {
    value(key, wanted) { value in value.texts }
  }

  /// Reads the value of a key.
  ///
  /// - Parameters:
  ///   - key: the key, which has a meaning from now on.
  ///   - wanted: what is allowed, in words that follow "takes".
  ///   - read: converts the value; `nil` if it is not allowed.
  /// - Returns: `nil` if the key is absent, or its value is not allowed, which is noted.
  mutating func value<Value>(
    _ key: String, _ wanted: String, _ read: (TOMLValue) -> Value?
  ) -> Value? {
    meant.append(key)
    let formerKey = Self.formerKeys[inside(key)]
    if let formerKey { meant.append(formerKey) }
    guard let entry = table[key] ?? formerKey.flatMap({ table[$0] }) else { return nil }
    if let value = read(entry.node.value) { return value }
    note(entry.line, "\"\(entry.key)\" takes \(wanted), not \(entry.node.value.shown)")
    return nil
  }

  // MARK: What stands within

  /// Reads a table within this one.
  mutating func section(_ key: String, _ read: (inout Section) -> Void) {
    meant.append(key)
    guard let entry = table[key] else { return }
    guard case .table(let inner) = entry.node.value else {
      return note(entry.line, "\"\(key)\" is a table: write [\(inside(key))] above its lines")
    }
    var section = Section(inner, path: inside(key))
    read(&section)
    mistakes += section.end()
  }

  /// Reads all entries of this table, whose names the user chooses.
  mutating func all(_ read: (inout Section, TOMLTable.Entry) -> Void) {
    meant += table.entries.map(\.key)
    for entry in table.entries { read(&self, entry) }
  }

  /// The line of a key; `nil` if it is absent.
  func line(of key: String) -> Int? { table[key]?.line }

  /// Notes a mistake.
  mutating func note(_ line: Int, _ what: String) {
    mistakes.append(ConfigurationMistake(line: line, what))
  }

  /// The mistakes, including one for each key that was not asked for.
  consuming func end() -> [ConfigurationMistake] {
    let names = meant.sorted().joined(separator: ", ")
    for entry in table.entries where !meant.contains(entry.key) {
      note(
        entry.line,
        "there is no \"\(displayable(entry.key))\" in \(title)"
          + (meant.nearest(to: entry.key).map { "; did you mean \"\($0)\"?" }
            ?? "; there is \(names)"))
    }
    return mistakes
  }

  /// The dotted name of a key in this table.
  private func inside(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
}

extension TOMLValue {
  /// The strings of a list, or a single string as a list of one; `nil` for anything else.
  var texts: [String]? {
    switch self {
    case .string(let text): return [text]
    case .array(let items):
      let texts = items.compactMap { item -> String? in
        guard case .string(let text) = item.value else { return nil }
        return text
      }
      return texts.count == items.count ? texts : nil
    default: return nil
    }
  }

  /// The value in the words of a mistake.
  fileprivate var shown: String {
    switch self {
    case .string(let text): "\"\(displayable(text))\""
    case .integer(let number): "\(number)"
    case .float(let number): "\(number)"
    case .bool(let flag): "\(flag)"
    case .dateTime(let text): text
    case .array(let items): "[\(items.map(\.value.shown).joined(separator: ", "))]"
    case .table: kind
    }
  }
}
