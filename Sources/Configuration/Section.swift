internal import HeadphoneProtocols
internal import TOML

/// A table of a file that is being read, and the keys that were read from it.
///
/// Mistakes are noted, and the rest still applies. Keys that were never read are mistakes, too.
struct Section {
  /// The name in messages: "[screen]", or "the file" for the top level.
  private let title: String
  private let path: String
  private let table: TOMLTable
  /// The keys that exist in the file format, whether or not the table has them.
  private var meant: [String] = []
  private static let formerKeys = ["screen.background": "ground"]
  private(set) var mistakes: [ConfigurationMistake] = []

  init(_ table: TOMLTable, path: String = "", title: String? = nil) {
    self.table = table
    self.path = path
    self.title = title ?? (path.isEmpty ? "the file" : "[\(path)]")
  }

  mutating func text(_ key: String) -> String? {
    value(key, "a text in quotes") { value in
      guard case .string(let text) = value, !text.isEmpty else { return nil }
      return text
    }
  }

  mutating func flag(_ key: String) -> Bool? {
    value(key, "true or false") { value in
      guard case .bool(let flag) = value else { return nil }
      return flag
    }
  }

  /// Reads an integer within a range; notes a mistake and returns nil if the value is not allowed.
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

  mutating func choice<Choice>(_ key: String) -> Choice?
  where Choice: RawRepresentable<String> & CaseIterable {
    choice(key, among: Array(Choice.allCases))
  }

  mutating func choice<Choice: RawRepresentable<String>>(
    _ key: String, among choices: [Choice]
  ) -> Choice? {
    let names = choices.map { "\"\($0.rawValue)\"" }
    return value(key, "one of \(names.joined(separator: ", "))") { value in
      guard case .string(let text) = value else { return nil }
      return choices.first { $0.rawValue == text }
    }
  }

  mutating func texts(_ key: String, _ wanted: String = "a list of texts in quotes") -> [String]? {
    value(key, wanted) { value in value.texts }
  }

  /// Reads the value of a key; notes a mistake and returns nil if it is not what is `wanted`.
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

  /// Reads a list of tables, under `[[key]]` or inline; `title` names one of them in messages.
  mutating func sections(
    _ key: String, _ title: String, _ read: (inout Section, Int) -> Void
  ) {
    meant.append(key)
    guard let entry = table[key] else { return }
    guard case .array(let items) = entry.node.value else {
      return note(entry.line, "\"\(key)\" is a list of tables")
    }
    for item in items {
      guard case .table(let inner) = item.value else {
        note(item.line, "\"\(key)\" is a list of tables, not of \(item.value.shown)")
        continue
      }
      var section = Section(inner, path: inside(key), title: title)
      read(&section, item.line)
      mistakes += section.end()
    }
  }

  /// Ignores the keys that were not read, for a table that cannot be understood.
  mutating func ignoreRest() { meant += table.entries.map(\.key) }

  var keys: [String] { table.entries.map(\.key) }

  mutating func all(_ read: (inout Section, TOMLTable.Entry) -> Void) {
    meant += table.entries.map(\.key)
    for entry in table.entries { read(&self, entry) }
  }

  func line(of key: String) -> Int? { table[key]?.line }

  mutating func note(_ line: Int, _ what: String) {
    mistakes.append(ConfigurationMistake(line: line, what))
  }

  /// Returns the mistakes, including one for each key that was never read.
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

  private func inside(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
}

extension TOMLValue {
  /// The strings of a list, or a single string as a list of one, or nil for anything else.
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
