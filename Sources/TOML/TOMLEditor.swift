/// An editor of a document that a person writes, whose changes leave everything else as it is.
///
/// A change is a splice of the text, which is then parsed again. If another entry differs or there
/// are more mistakes than before, the change is not made.
package struct TOMLEditor: Sendable {
  package private(set) var text: [UInt8]
  private var document: TOMLDocument

  /// Creates an editor of a text, which may have mistakes.
  package init(_ text: [UInt8]) {
    self.text = text
    document = TOMLDocument(parsing: text)
  }

  // MARK: Changes

  /// Sets or removes the value of a key, and returns false if the text stays unchanged.
  ///
  /// A form that a splice cannot change, such as a list, and an invalid `value` are not written.
  ///
  /// - Parameters:
  ///   - table: the names of the table, outermost first; it is added if there is none.
  ///   - value: a string, number, date or word in TOML notation, or nil to remove the key.
  ///   - remark: a comment beside the header of a table that is added.
  package mutating func set(
    _ name: String, in table: [String], to value: String?, remark: String? = nil
  ) -> Bool {
    let path = table + [name]
    let old = document.statements.first { $0.value != nil && document.path(of: $0) == path }
    guard let value else {
      guard let old else { return document.root[path] == nil }
      return make([Splice(lines(of: old))], along: path) { $0.set(nil, at: path[...]) }
    }
    guard let new = TOMLValue(scalar: value), document.root[path]?.isScalar != false else {
      return false
    }
    let splice =
      old?.value.map { Splice($0, value) }
      ?? addition("\(TOMLValue.key(name)) = \(value)", to: table, remark)
    return make([splice], along: path) { $0.set(PlainTOML(new), at: path[...]) }
  }

  /// Appends tables, or returns false if the document already has one of them in any form.
  package mutating func append(_ tables: String) -> Bool {
    let added = TOMLDocument(parsing: tables.utf8)
    let lines = tables.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return make([appendix(lines)]) { $0.merge(PlainTOML(added)) }
  }

  /// Removes a table with those in it, or returns false if it has no header.
  ///
  /// Comments above the next table stay.
  package mutating func remove(_ table: [String]) -> Bool {
    let splices = headers(of: table).map { index in
      let statements = document.statements
      let last = statements.last { $0.header == index } ?? statements[index]
      let start = lines(of: statements[index]).lowerBound
      var end = lines(of: last).upperBound
      // Otherwise two blank lines would remain, or one at the beginning.
      if isBlank(lineStart(before: start)..<start) {
        while end < text.count, isBlank(end..<lineEnd(from: end)) { end = lineEnd(from: end) }
      }
      return Splice(start..<end)
    }
    return make(splices, along: table) { $0.set(nil, at: table[...]) }
  }

  /// Renames a table; returns false without its header, or if the new name has one.
  package mutating func rename(_ table: [String], to name: String) -> Bool {
    let renamed = table.dropLast() + [name]
    guard document.root[Array(renamed)] == nil else { return false }
    let splices = headers(of: table).map { index in
      Splice(document.statements[index].key[table.count - 1].place, TOMLValue.key(name))
    }
    return make(splices) { tree in
      let contents = tree[table[...]]
      tree.set(nil, at: table[...])
      tree.set(contents, at: renamed)
    }
  }

  private struct Splice {
    var place: Range<Int>
    var bytes: [UInt8]

    init(_ place: Range<Int>, _ text: String = "") {
      self.place = place
      bytes = Array(text.utf8)
    }
  }

  /// Makes a change, unless the resulting document would differ from the intended one.
  ///
  /// Empty tables may appear or disappear along `path`.
  private mutating func make(
    _ splices: [Splice], along path: [String] = [], _ change: (inout PlainTOML) -> Void
  ) -> Bool {
    var text = text
    for splice in splices.reversed() { text.replaceSubrange(splice.place, with: splice.bytes) }
    let changed = TOMLDocument(parsing: text)
    var (meant, actual) = (PlainTOML(document), PlainTOML(changed))
    change(&meant)
    meant.prune(path[...])
    actual.prune(path[...])
    guard !splices.isEmpty, meant == actual, changed.mistakes.count <= document.mistakes.count
    else {
      return false
    }
    (self.text, document) = (text, changed)
    return true
  }

  private func addition(_ line: String, to table: [String], _ remark: String?) -> Splice {
    if let header = header(of: table) { return insertion(line, after: header) }
    // Below `table.other = …`, the line begins in the same way.
    let others = document.statements.indices.filter { index in
      let statement = document.statements[index]
      return statement.value != nil && statement.key.count > 1
        && document.path(of: statement)?.dropLast() == table[...]
    }
    if let other = others.last {
      let key = document.statements[other].key
      let start = text[key[0].place.lowerBound..<key[key.count - 1].place.lowerBound]
      return insertion(String(decoding: start, as: UTF8.self) + line, after: other)
    }
    let header = "[\(table.map(TOMLValue.key).joined(separator: "."))]"
    return appendix([header + (remark.map { "  # \($0)" } ?? ""), line])
  }

  private func insertion(_ line: String, after index: Int) -> Splice {
    let end = lines(of: document.statements[index]).upperBound
    let hasEnd = text[..<end].last == UInt8(ascii: "\n")
    return Splice(end..<end, hasEnd ? line + lineBreak : lineBreak + line)
  }

  private func appendix(_ lines: [String]) -> Splice {
    let last = text.indices.last { !isBlank($0..<$0 + 1) && $0 >= start }
    let end = last.map(lineEnd) ?? start
    let gap =
      last == nil ? "" : text[..<end].last == UInt8(ascii: "\n") ? lineBreak : lineBreak + lineBreak
    return Splice(end..<text.count, gap + lines.map { $0 + lineBreak }.joined())
  }

  private func header(of table: [String]) -> Int? {
    document.statements.firstIndex { $0.value == nil && document.path(of: $0) == table }
  }

  private func headers(of table: [String]) -> [Int] {
    guard header(of: table) != nil else { return [] }
    return document.statements.indices.filter { index in
      document.statements[index].value == nil
        && document.path(of: document.statements[index])?.starts(with: table) == true
    }
  }

  private var lineBreak: String {
    guard let end = text.firstIndex(of: UInt8(ascii: "\n")) else { return "\n" }
    return text[..<end].last == UInt8(ascii: "\r") ? "\r\n" : "\n"
  }

  /// The start of the first line, after a byte order mark.
  private var start: Int { text.starts(with: TOMLText.byteOrderMark) ? 3 : 0 }

  private func lines(of statement: TOMLStatement) -> Range<Int> {
    lineStart(before: statement.key[0].place.lowerBound + 1)..<lineEnd(from: statement.end)
  }

  private func lineStart(before place: Int) -> Int {
    guard place > start else { return start }
    let end = text[start..<place - 1].lastIndex(of: UInt8(ascii: "\n"))
    return end.map { $0 + 1 } ?? start
  }

  private func lineEnd(from place: Int) -> Int {
    text[place...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? text.count
  }

  private func isBlank(_ place: Range<Int>) -> Bool {
    text[place].allSatisfy { " \t\r\n".utf8.contains($0) }
  }
}
