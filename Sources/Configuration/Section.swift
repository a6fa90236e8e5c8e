internal import HeadphoneProtocols
internal import TOML

/// A table of the file that is being read: it knows which of its keys have a meaning.
///
/// What is wrong is noted and left out; the rest still applies.
struct Section {
  /// "[screen]", or "the file" for what stands above all tables.
  private let title: String
  private let path: String
  private let table: TOMLTable
  private var meant: [String] = []
  private(set) var mistakes: [ConfigurationMistake] = []

  init(_ table: TOMLTable, path: String = "") {
    self.table = table
    self.path = path
    title = path.isEmpty ? "the file" : "[\(path)]"
  }

  // MARK: Values

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

  /// A list of texts, or one text in the place of a list of one.
  mutating func texts(_ key: String, _ wanted: String = "a list of texts in quotes") -> [String]? {
    value(key, wanted) { value in value.texts }
  }

  /// Reads the value of a key, if it has one.
  mutating func value<Value>(
    _ key: String, _ wanted: String, _ read: (TOMLValue) -> Value?
  ) -> Value? {
    meant.append(key)
    guard let entry = table[key] else { return nil }
    if let value = read(entry.node.value) { return value }
    note(entry.line, "\"\(key)\" takes \(wanted), not \(entry.node.value.shown)")
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

  /// Line of a key; nil: it has none.
  func line(of key: String) -> Int? { table[key]?.line }

  mutating func note(_ line: Int, _ what: String) {
    mistakes.append(ConfigurationMistake(line: line, what))
  }

  /// The mistakes, including all keys that were not read.
  consuming func end() -> [ConfigurationMistake] {
    let names = meant.sorted().joined(separator: ", ")
    for entry in table.entries where !meant.contains(entry.key) {
      let near = meant.min { $0.distance(to: entry.key) < $1.distance(to: entry.key) }
      let guess = near.flatMap { $0.distance(to: entry.key) <= 2 ? $0 : nil }
      note(
        entry.line,
        "there is no \"\(displayable(entry.key))\" in \(title)"
          + (guess.map { "; did you mean \"\($0)\"?" } ?? "; there is \(names)"))
    }
    return mistakes
  }

  private func inside(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
}

extension TOMLValue {
  /// The texts of a list, or a single text as a list of one; nil: neither.
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

  /// As a mistake quotes it.
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

extension String {
  /// How many letters must be changed, added or taken away to make one the other (Levenshtein).
  func distance(to other: String) -> Int {
    let others = Array(other)
    var row = Array(0...others.count)
    for (index, letter) in enumerated() {
      var before = row[0]
      row[0] = index + 1
      for place in others.indices {
        let above = row[place + 1]
        row[place + 1] =
          letter == others[place] ? before : 1 + Swift.min(before, above, row[place])
        before = above
      }
    }
    return row[others.count]
  }
}
