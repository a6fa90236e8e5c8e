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

  /// An assertion of toml++, which was used before, ended the program on these; found by fuzzing.
  @Test(arguments: [
    "[.a]", "[=]", "[", "[[", "[[.a]]", " [ \t.a]", "[ü]", "[\u{2}a]", "[#]", "[\r",
  ])
  func `a header without a name is a mistake`(header: String) {
    let document = TOMLDocument(parsing: "before = 1\n\(header)\nlost = 2\n[after]\nb = 3".utf8)
    #expect(document.mistakes.map(\.line) == [2])
    #expect(document.root.flat == ["before=1", "after.b=3"])
    let alone = TOMLDocument(parsing: header.utf8)
    #expect(alone.mistakes.map(\.line) == [1])
  }

  @Test func `a bracket that begins a line of an array is no header`() {
    let document = TOMLDocument(parsing: "a = [\n[\n1], [\n'[.b]'],\n[]]\nc = 2".utf8)
    #expect(document.mistakes == [])
    #expect(document.root.flat.last == "c=2")
  }

  @Test func `keys know where they stand`() {
    let document = TOMLDocument(
      parsing: #"""
        # comment [no.header]
        a.b = "x = 1" # [nor here]
        "quoted [key]" = [1, # ]
          "]", [
          2]
        ]
        long = """

        inside = 1 \"""
        [nor.here]
        """""

        after = { inner = 1 }
          [one.two]
        \#ton = '\'
        [[list]]
        n = 1
        [[list]]
        n = 2
        [list.inner]\#r
        deep = 1
        """#.utf8)
    #expect(document.mistakes == [])
    #expect(
      document.root.lines == [
        "a 2", "a.b 2", "quoted [key] 3", "long 7", "after 13", "after.inner 13", "one 14",
        "one.two 14", "one.two.on 15", "list 16", "list.0.n 17", "list.1.n 19",
        "list.1.inner 20", "list.1.inner.deep 21",
      ])
  }

  @Test func `quoted and escaped keys know where they stand`() {
    let document = TOMLDocument(
      parsing: #"""
        "a.b" . 'c"d' . "e\u00E4\"f" = 1
        [ x . "y z" ]
        "\t" = 2
        'q' = 3
        """#.utf8)
    #expect(document.mistakes == [])
    #expect(
      document.root.lines == [
        "a.b 1", #"a.b.c"d 1"#, #"a.b.c"d.eä"f 1"#, "x 2", "x.y z 2", "x.y z.\t 3", "x.y z.q 4",
      ])
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
    "a = {}\n[a.b]", "a.b = 1\n[a]", "[[a]]\n[a]", "a = []\n[[a]]",
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
    #expect(document.mistakes.map(\.line) == [2, 4])
    #expect(document.mistakes.allSatisfy { !$0.what.isEmpty })
  }

  @Test func `what does not end costs no more than it must`() {
    let document = TOMLDocument(parsing: "a = 1\nb = [2,\n\n\n".utf8)
    #expect(document.root.flat == ["a=1"])
    #expect(document.mistakes.map(\.line) == [2])
  }

  @Test func `what defines a key twice is the mistake, and not the first`() {
    let document = TOMLDocument(parsing: "a = 1\n\na = 2\n".utf8)
    #expect(document.mistakes.map(\.line) == [3])
    #expect(document.root.flat == ["a=1"])
  }

  @Test(arguments: [0xFF, 0x00] as [UInt8])
  func `bytes that are no text are reported by their line`(byte: UInt8) {
    let document = TOMLDocument(parsing: Array("a = 1\n".utf8) + [0x62, byte, 0x0A])
    #expect(document.mistakes.map(\.line) == [2])
    #expect(document.root.flat == [])
  }

  @Test func `a byte order mark is ignored`() {
    let document = TOMLDocument(parsing: [0xEF, 0xBB, 0xBF] + Array("a = 1\r\n".utf8))
    #expect(document.root.flat == ["a=1"])
    #expect(document.mistakes == [])
  }

  @Test(arguments: [
    ("a = 1\na = 2", "“a” is already defined above"), ("a = [1, 2", "“[” is never closed"),
    ("a = \"b", "a text is never closed by \""), ("a 1", "= is expected here: 1"),
    ("a =", "a value is missing"), ("a = yes", "a value is expected here: yes"),
    ("a = 1 b = 2", "the end of the line is expected here: b = 2"),
    ("[a", "] is missing"),
    ("a = \"\\d\"", "this escape does not exist; a backslash is written \\\\"),
  ])
  func `a mistake says what is wrong`(text: String, what: String) {
    #expect(TOMLDocument(parsing: text.utf8).mistakes.map(\.what) == [what])
  }

  @Test func `a document of mistakes ends`() {
    let bad = String(repeating: "x\n", count: 100_000)
    #expect(TOMLDocument(parsing: bad.utf8).mistakes.count == 20)
    let deep = "a = " + String(repeating: "[", count: 100_000)
    #expect(TOMLDocument(parsing: deep.utf8).mistakes.map(\.line) == [1])
  }

  /// Each part is a table in the one before it, and so is each brace.
  @Test(arguments: ["", "x = { ", "[", "[["], [100, 101, 40_000])
  func `a key has a hundred parts at most`(opening: String, count: Int) {
    let key = String(repeating: "a.", count: count - 1) + "a"
    let text =
      switch opening {
      case "": "\(key) = 1"
      case "x = { ": "\(opening)\(key) = 1 }"
      default: opening + key + (opening == "[" ? "]" : "]]")
      }
    // The brace counts.
    let isFine = opening == "x = { " ? count < 100 : count <= 100
    let document = TOMLDocument(parsing: (text + "\n").utf8)
    #expect(document.mistakes.map(\.line) == (isFine ? [] : [1]))
  }

  @Test func `parts and braces have one limit together`() {
    let nested =
      String(repeating: "a.a = { ", count: 60) + "b = 1" + String(repeating: " }", count: 60)
    #expect(TOMLDocument(parsing: nested.utf8).mistakes.map(\.line) == [1])
    let half =
      String(repeating: "a.a = { ", count: 45) + "b = 1" + String(repeating: " }", count: 45)
    #expect(TOMLDocument(parsing: half.utf8).mistakes.isEmpty)
  }

  @Test func `twenty thousand tables of an array are read in a moment`() {
    let text = String(repeating: "[[profiles]]\na = 1\n", count: 20_000)
    let took = ContinuousClock().measure {
      let document = TOMLDocument(parsing: text.utf8)
      guard case .array(let tables)? = document.root["profiles"]?.node.value else {
        return #expect(Bool(false))
      }
      #expect(tables.count == 20_000)
    }
    // It took two seconds in a release build while each table copied those before it.
    #expect(took < .seconds(5))
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
  /// "a.b 3" for each key and its line.
  fileprivate var lines: [String] {
    entries.flatMap { entry in
      let isList = if case .array = entry.node.value { true } else { false }
      return ["\(entry.key) \(entry.line)"]
        + entry.node.lines.filter { !isList || $0.contains(".") }.map { "\(entry.key).\($0)" }
    }
  }

  /// "a.b=1" for each value, in order.
  fileprivate var flat: [String] {
    entries.flatMap { entry in
      entry.node.flat.map { entry.key + ($0.hasPrefix("=") ? $0 : "." + $0) }
    }
  }
}

extension TOMLNode {
  fileprivate var lines: [String] {
    switch value {
    case .table(let table): table.lines
    case .array(let items):
      items.enumerated().flatMap { place, item in item.lines.map { "\(place).\($0)" } }
    default: []
    }
  }

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
