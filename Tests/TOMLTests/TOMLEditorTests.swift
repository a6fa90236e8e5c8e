import TOML
import TestSupport
import Testing

@Suite struct TOMLEditorTests {
  @Test(arguments: [
    ("[a]\n\t[b]\nx = 1\n\t[c]\n", ["a"], "\t[b]\nx = 1\n\t[c]\n"),
    ("[a]\nx = 1\n\n# of b\n[b]\n", ["a"], "# of b\n[b]\n"),
    ("[a]\n\n[b]\nx = '''\n[c]\n'''\n\n[d]\n", ["b"], "[a]\n\n[d]\n"),
    ("[s.a]\n[s.a.in]\nx = 1\n[s.b]\n[s.a.on]\n", ["s", "a"], "[s.b]\n"),
    ("\u{FEFF}[a]\r\n\r\n[b]\r\n", ["a"], "\u{FEFF}[b]\r\n"),
    ("[ 'a' . \"b c\" ]\n", ["a", "b c"], ""),
  ])
  func `a table is removed with its lines alone`(before: String, table: [String], after: String) {
    var editor = TOMLEditor(Array(before.utf8))
    let isRemoved = editor.remove(table)
    #expect(isRemoved)
    #expect(String(decoding: editor.text, as: UTF8.self) == after)
  }

  @Test(arguments: [
    ("t = { a = 1 }\n", ["t"]), ("[[t]]\na = 1\n", ["t"]), ("t.a = 1\n", ["t"]), ("t = 1\n", ["t"]),
    ("[[x]]\n[x.t]\n", ["x", "t"]), ("", ["t"]), ("[t", ["t"]),
  ])
  func `what is in another form stays`(text: String, table: [String]) {
    var editor = TOMLEditor(Array(text.utf8))
    let (isRemoved, isRenamed) = (editor.remove(table), editor.rename(table, to: "new"))
    #expect(!isRemoved && !isRenamed)
    #expect(editor.text == Array(text.utf8))
  }

  @Test(arguments: [
    ("[h]\nx = \"a \\\"b\\\" #\" # mine\n", "[h]\nx = 2 # mine\n"),
    ("[h]\r\n\tx\t=\t'''\r\na\r\n'''\r\n", "[h]\r\n\tx\t=\t2\r\n"),
    ("\u{FEFF}[ h ]\n", "\u{FEFF}[ h ]\nx = 2\n"), ("[h] # no end", "[h] # no end\nx = 2"),
    ("h.y = 1\n\"h\" . z = 2\n", "h.y = 1\n\"h\" . z = 2\n\"h\" . x = 2\n"),
    ("[h.in]\ny = 1\n", "[h.in]\ny = 1\n\n[h]\nx = 2\n"), ("\n \n", "[h]\nx = 2\n"),
    ("a = 1\r\n\r\n", "a = 1\r\n\r\n[h]\r\nx = 2\r\n"),
  ])
  func `a key is set where its table is`(before: String, after: String) {
    var editor = TOMLEditor(Array(before.utf8))
    let isSet = editor.set("x", in: ["h"], to: "2")
    #expect(isSet)
    #expect(String(decoding: editor.text, as: UTF8.self) == after)
  }

  @Test(arguments: [
    "h = { y = 1 }\n", "h = { x = 1 }\n", "h = 1\n", "[[h]]\n", "[h]\nx = [1]\n", "[h]\nx.y = 1\n",
    "[h.x]\n",
  ])
  func `a key in another form stays`(text: String) {
    var editor = TOMLEditor(Array(text.utf8))
    let (isSet, isAdded) = (editor.set("x", in: ["h"], to: "2"), editor.append("[h]\nx = 3"))
    #expect(!isSet && !isAdded && editor.text == Array(text.utf8))
  }

  @Test(arguments: ["", "yes", "[1]", "{ a = 1 }", "1\ny = 2", "1 2", "\"a"])
  func `what is no value is not set`(value: String) {
    var editor = TOMLEditor(Array("[h]\nx = 1\n".utf8))
    let isSet = editor.set("x", in: ["h"], to: value)
    #expect(!isSet)
    #expect(editor.text == Array("[h]\nx = 1\n".utf8))
  }

  @Test func `a renamed table keeps its remark, and those in it go with it`() {
    var editor = TOMLEditor(Array("[s.\"a\"] # mine\nx = 1\n[s.b]\n[ s . a . in ]\n".utf8))
    let (isTaken, isFree) = (
      editor.rename(["s", "a"], to: "b"), editor.rename(["s", "a"], to: "c d")
    )
    #expect(!isTaken && isFree)
    #expect(
      String(decoding: editor.text, as: UTF8.self)
        == "[s.\"c d\"] # mine\nx = 1\n[s.b]\n[ s . \"c d\" . in ]\n")
  }

  private static let rounds = Thoroughness.rounds(4_000, thorough: 100_000)

  /// Every kind of edit in documents of every form, including byte order marks, mistakes and CRLF.
  @Test func `an edit changes what it names and nothing else, or the text stays`() {
    var random = SeededGenerator(seed: 49)
    var made = 0
    for _ in 0..<Self.rounds {
      let text = Array(RandomDocument.text(&random).utf8)
      let edit = Edit.allCases[random.below(Edit.allCases.count)]
      let table = RandomDocument.tables[random.below(RandomDocument.tables.count)]
      let key = RandomDocument.keys[random.below(RandomDocument.keys.count)]
      var editor = TOMLEditor(text)
      let isMade =
        switch edit {
        case .set: editor.set(key, in: table, to: "\"new\"")
        case .unset: editor.set(key, in: table, to: nil)
        case .remove: editor.remove(table)
        case .rename: editor.rename(table, to: "renamed")
        case .append: editor.append("[added]\nx = 1")
        }
      let source = String(decoding: text, as: UTF8.self).debugDescription
      guard isMade else {
        #expect(editor.text == text, "\(edit) \(table) \(key) in \(source)")
        continue
      }
      made += 1
      let (old, new) = (TOMLDocument(parsing: text), TOMLDocument(parsing: editor.text))
      var meant = old.root.leaves
      let path = "/" + table.joined(separator: "/")
      let inTable = meant.filter { $0.key == path || $0.key.hasPrefix(path + "/") }
      switch edit {
      case .set: meant["\(path)/\(key)"] = "string(\"new\")"
      case .unset:
        meant = meant.filter { leaf, _ in
          leaf != "\(path)/\(key)"
            && !["/", "["].contains { leaf.hasPrefix("\(path)/\(key)\($0)") }
        }
      case .remove: for leaf in inTable.keys { meant[leaf] = nil }
      case .rename:
        let renamed = "/" + (table.dropLast() + ["renamed"]).joined(separator: "/")
        for (leaf, value) in inTable {
          meant[leaf] = nil
          meant[renamed + leaf.dropFirst(path.count)] = value
        }
      case .append: meant["/added/x"] = "integer(1)"
      }
      let why = Comment(rawValue: "\(edit) \(table) \(key) in \(source)")
      #expect(new.root.leaves == meant, why)
      #expect(new.mistakes.count <= old.mistakes.count, why)
      // Whatever is a remark stays, but within a table that goes.
      let remarks = { (text: [UInt8]) in text.split(separator: 10).count { $0.first == 35 } }
      #expect(edit == .remove || remarks(editor.text) == remarks(text), why)
    }
    #expect(made > Self.rounds / 3)
  }
}

private enum Edit: CaseIterable { case set, unset, remove, rename, append }

/// Documents with all forms of tables and values in TOML, some with a mistake.
private enum RandomDocument {
  static let tables = [["a"], ["b"], ["s", "a"], ["s", "b c"], ["s", "a", "in"], ["list"]]
  static let keys = ["x", "y", "key 3"]
  private static let values = [
    "1", "-2.5", "nan", "\"t # [a]\"", "'l'", "true", "2026-11-28 22:55:00", "[1, [2]]",
    "[ # [a]\n  1,\n]", "{ x = 1, y.z = 2 }", "\"\"\"\n[b]\nx = 1\\\n  \"\"\"",
    "'''\nno # remark'''",
  ]

  static func text(_ random: inout SeededGenerator) -> String {
    func one<Value>(of values: [Value]) -> Value { values[random.below(values.count)] }
    func name(_ name: String) -> String {
      name.contains(" ") || random.below(4) == 0 ? "\"\(name)\"" : name
    }
    func blank() -> String { one(of: ["", "", "", " ", "\t"]) }
    func dotted(_ parts: [String]) -> String {
      parts.map(name).joined(separator: blank() + "." + blank())
    }
    func end() -> String { blank() + one(of: ["", "", "# remark", "#"]) + "\n" }
    func pair() -> String {
      let key = random.below(5) == 0 ? one(of: tables) + [one(of: keys)] : [one(of: keys)]
      if random.below(40) == 0 { return "no value\n" }
      return blank() + dotted(key) + blank() + "=" + blank() + one(of: values) + end()
    }
    var text = ""
    for _ in 0..<random.below(4) { text += pair() }
    for _ in 0..<random.below(6) {
      if random.below(3) == 0 { text += one(of: ["\n", "# above\n\n", " \t\n"]) }
      let path = one(of: tables)
      let isArray = path == ["list"] || random.below(12) == 0
      text += blank() + (isArray ? "[[" : "[") + blank() + dotted(path) + blank()
      text += (isArray ? "]]" : "]") + end()
      for _ in 0..<random.below(4) { text += pair() }
    }
    if random.below(3) == 0, text.hasSuffix("\n") { text.removeLast() }
    if random.below(3) == 0 { text = text.replacing("\n", with: "\r\n") }
    return (random.below(5) == 0 ? "\u{FEFF}" : "") + text
  }
}

extension TOMLTable {
  /// All values by the path of their keys, without empty tables.
  fileprivate var leaves: [String: String] {
    var leaves: [String: String] = [:]
    for entry in entries {
      for (path, value) in entry.node.value.leaves { leaves["/\(entry.key)\(path)"] = value }
    }
    return leaves
  }
}

extension TOMLValue {
  fileprivate var leaves: [String: String] {
    switch self {
    case .table(let table): table.leaves
    case .array(let items):
      Dictionary(
        items.enumerated().flatMap { place, item in
          item.value.leaves.map { ("[\(place)]\($0)", $1) }
        }, uniquingKeysWith: { $1 })
    default: ["": "\(self)"]
    }
  }
}
