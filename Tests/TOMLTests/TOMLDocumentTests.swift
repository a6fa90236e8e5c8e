import TOML
import Testing

@Suite struct TOMLDocumentTests {
  @Test func `tables, dotted keys, inline tables and lists are one tree`() {
    let document = TOMLDocument(
      parsing: """
        title = "ear" # comment
        a.b."c d" = 1
        point = { x = 1, y.z = [2, 3,
          4, ] }

        [one.two]
        on = true
        [one]
        off = false
        [[list]]
        n = 1
        [[list]]
        n = 2
        [list.inner]
        deep = 'C:\\new'
        """.utf8)
    #expect(document.mistakes == [])
    #expect(
      document.root.flat == [
        "title=ear", "a.b.c d=1", "point.x=1", "point.y.z.0=2", "point.y.z.1=3", "point.y.z.2=4",
        "one.two.on=true", "one.off=false", "list.0.n=1", "list.1.n=2",
        #"list.1.inner.deep=C:\new"#,
      ])
  }

  @Test func `keys and values know where they stand`() throws {
    let document = TOMLDocument(parsing: "\n[a]\n  ä = 1\n  bee =  \"x\"\r\n".utf8)
    let mistake = try #require(document.mistakes.first)
    #expect(mistake.position == TOMLPosition(line: 3, column: 3))
    guard case .table(let table)? = document.root["a"]?.node.value else {
      Issue.record("no table")
      return
    }
    let bee = try #require(table["bee"])
    #expect(bee.position == TOMLPosition(line: 4, column: 3))
    #expect(bee.node.position == TOMLPosition(line: 4, column: 10))
  }

  @Test(arguments: [
    ("1_000", "1000"), ("+7", "7"), ("-0", "0"), ("0xDEAD_beef", "3735928559"), ("0o17", "15"),
    ("0b101", "5"), ("1.5", "1.5"), ("-2e3", "-2000.0"), ("6.6_2E-1", "0.662"), ("inf", "inf"),
    ("-inf", "-inf"), ("true", "true"), ("1979-05-27", "1979-05-27"), ("07:32:00.5", "07:32:00.5"),
    ("1979-05-27 07:32:00Z", "1979-05-27T07:32:00Z"),
    ("1979-05-27T00:32:00.99-07:00", "1979-05-27T00:32:00.99-07:00"),
    (#""a\tb\u00E4\U0001F3A7""#, "a\tbä🎧"), ("'a\\t'", "a\\t"),
    ("\"\"\"\na\\\n   b\"\"\"\"", "ab\""),
    ("'''\n'x'\n'''", "'x'\n"), ("\"\"", ""), ("[]", ""),
  ])
  func `a value is what TOML says`(text: String, meaning: String) {
    let document = TOMLDocument(parsing: "v = \(text)".utf8)
    #expect(document.mistakes == [])
    #expect(document.root.flat == (meaning == "" && text == "[]" ? [] : ["v=\(meaning)"]))
  }

  @Test(arguments: [
    "v = 01", "v = 1_", "v = 1__0", "v = _1", "v = 1.", "v = .5", "v = 0x", "v = 0xG", "v = -0x1",
    "v = 9223372036854775808", "v = True", "v = word", "v = \"a", "v = 'a", "v = \"\\q\"",
    "v = \"\\uD800\"", "v = [1 2]", "v = [1", "v = {a = 1", "v = {a = 1, a = 2}", "v =", "= 1", "v",
    "v = 1 w = 2", "v = \"\"\"a", "[a", "[]", "[a]]", "[[a]", "v = \"\u{7}\"", "v = 1 # \u{7}",
    "v = 2026-1-1", "v = 1e", "a = 1\na = 2", "[a]\n[a]", "a = 1\n[a]", "[a]\nb = 1\n[a.b]",
    "a = {}\n[a.b]", "a.b = 1\n[a]", "[[a]]\n[a]", "a = []\n[[a]]", "[a.b.c]\n[a]\nb.d = 1",
    "a = {b = 1}\na.c = 2", "v = \"\"\"a\"\"\"\"\"\"",
  ])
  func `what TOML forbids is a mistake`(text: String) {
    #expect(!TOMLDocument(parsing: text.utf8).mistakes.isEmpty)
  }

  @Test func `a mistake costs its own line only`() {
    let document = TOMLDocument(
      parsing: """
        a = 1
        b = oops
        c = 3
        [broken
        hidden = 1
        [whole]
        d = 4
        """.utf8)
    #expect(document.root.flat == ["a=1", "c=3", "whole.d=4"])
    #expect(
      document.mistakes == [
        TOMLMistake(
          "oops is no value; a text stands in quotes", at: TOMLPosition(line: 2, column: 5)),
        TOMLMistake("] is wanted here", at: TOMLPosition(line: 4, column: 8)),
      ])
  }

  @Test func `what defines a key twice names the line of the first`() {
    let document = TOMLDocument(parsing: "a = 1\n\na = 2\n".utf8)
    #expect(
      document.mistakes == [
        TOMLMistake("\"a\" is defined in line 1 already", at: TOMLPosition(line: 3, column: 1))
      ])
    #expect(document.root.flat == ["a=1"])
  }

  @Test func `bytes that are no text are told by their line`() {
    let document = TOMLDocument(parsing: Array("a = 1\n".utf8) + [0x62, 0xFF, 0x0A])
    #expect(document.mistakes.map(\.position.line) == [2])
    #expect(document.root.flat == [])
  }

  @Test func `a document of mistakes ends`() {
    let bad = String(repeating: "x\n", count: 100_000)
    #expect(TOMLDocument(parsing: bad.utf8).mistakes.count == 20)
    let deep = "a = " + String(repeating: "[", count: 100_000)
    #expect(TOMLDocument(parsing: deep.utf8).mistakes.map(\.what) == ["nested too deep"])
  }

  @Test func `every beginning of a document, and every flip of a byte in it, is read to its end`() {
    let text = Array(
      "a.b = [1, {c = 'd', e = \"\\u00E4\"}]\n[[t]]\nm = \"\"\"\nx\\\n y\"\"\"\n[t.u]\nd = 1979-05-27 07:32:00Z\n"
        .utf8)
    for end in text.indices {
      let part = TOMLDocument(parsing: text[..<end])
      #expect(part.mistakes.count <= 20)
      var flipped = text
      flipped[end] ^= 0x15
      #expect(TOMLDocument(parsing: flipped).mistakes.count <= 20)
    }
  }
}

extension TOMLTable {
  /// "a.b=1" for each value, in order.
  fileprivate var flat: [String] {
    entries.flatMap { entry in
      entry.node.flat.map { entry.key + ($0.hasPrefix("=") ? $0 : "." + $0) }
    }
  }
}

extension TOMLNode {
  fileprivate var flat: [String] {
    switch value {
    case .string(let text): ["=" + text]
    case .integer(let number): ["=\(number)"]
    case .float(let number): ["=\(number)"]
    case .bool(let flag): ["=\(flag)"]
    case .dateTime(let text): ["=" + text]
    case .array(let items):
      items.enumerated().flatMap { place, item in
        item.flat.map { "\(place)" + ($0.hasPrefix("=") ? $0 : "." + $0) }
      }
    case .table(let table): table.flat
    }
  }
}
