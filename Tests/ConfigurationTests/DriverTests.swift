import BluetoothCodec
import Foundation
import TestSupport
import Testing

@testable import Configuration
@testable import HeadphoneProtocols

/// Driver files and their mistakes.
@Suite struct DriverTests {
  private static func read(_ text: String, id: String = "acme") -> (
    table: DriverTable?, mistakes: [String]
  ) {
    let (table, mistakes) = DriverTable.read(text.utf8, id: id, file: "\(id).toml")
    return (table, mistakes.map { "\($0)" })
  }

  /// Returns a valid file with other lines in place of some.
  ///
  /// - Parameter changes: the new text of a line, by its number, which may have several lines.
  private static func file(_ changes: [Int: String] = [:]) -> String {
    let lines = """
      name = "Acme Buds"
      [channel]
      service = "A0E0"
      write = "A0E1"
      notify = "A0E2"
      [frame]
      to = "A7 command length payload"
      check = "sum"
      [[row]]
      number = 2
      ask = ""
      values = [{ battery = "left" }]
      [[row]]
      number = 3
      ask = "00"
      set = 4
      values = [{ noise = { off = 0, transparency = 1 } }]
      """.components(separatedBy: "\n")
    return lines.enumerated().map { changes[$0.offset + 1] ?? $0.element }.joined(separator: "\n")
  }

  @Test func `a file has its rows, channel and frame`() throws {
    let (read, mistakes) = Self.read(Self.file())
    #expect(mistakes == [])
    let table = try #require(read)
    #expect(table.name == "Acme Buds" && table.manufacturer == "Acme Buds" && table.id == "acme")
    #expect(!table.allowsWriting && table.rows.map(\.question) == [2, 3])
    #expect(table.sending.frame(2, []) == [0xA7, 2, 0, 0xA9])
    #expect(
      table.channel
        == .characteristics(of: .bit16(0xA0E0), write: .bit16(0xA0E1), notify: .bit16(0xA0E2)))
  }

  /// Changed lines of the file, and the resulting mistakes.
  private static let wrong: [(changes: [Int: String], mistakes: [String])] = [
    // The file as a whole.
    (
      [1: "nam = \"A\""],
      [
        "line 1: a driver needs name as well",
        "line 1: there is no \"nam\" in the file; did you mean \"name\"?",
      ]
    ),
    (
      [1: "name = \"A\"\nallow = \"all\""],
      ["line 2: \"allow\" takes one of \"read\", \"write\", not \"all\""]
    ),
    ([1: "name ="], ["line 1: a value is missing at the end of the line"]),
    // The channel.
    (
      [3: "service = \"A0EX\""],
      [
        "line 3: \"service\" takes a UUID: \"FFF0\", or \"12345678-1234-5678-1234-56789ABCDEF0\", not \"A0EX\"",
        "line 3: [channel] needs \"service\", \"write\" and \"notify\", or \"serial\"",
      ]
    ),
    (
      [5: "vendor = 1"],
      ["line 3: [channel] needs \"service\", \"write\" and \"notify\", or \"serial\""]
    ),
    ([5: "notify = \"A0E2\"\nvendor = 1"], ["line 6: \"vendor\" is for \"serial\""]),
    (
      [5: "serial = \"1101\""],
      ["line 3: a driver has one channel: \"serial\", or \"service\" and the others"]
    ),
    (
      [3: "service = \"FE59\""],
      ["line 3: \"service\" is never used by a driver: it is for firmware updates (Nordic DFU)"]
    ),
    (
      [4: "write = \"DA2E7828-FBCE-4E01-AE9E-261174997C48\""],
      ["line 4: \"write\" is never used by a driver: it is for firmware updates (MCUmgr)"]
    ),
    // The frame.
    (
      [7: "to = \"A7 order length payload\""],
      [
        "line 7: a frame consists of bytes such as \"AA\", \"..\" for any byte, and the words command, length, sequence, status, xor, payload, not \"order\""
      ]
    ),
    ([7: "from = \"A7 command payload\""], ["line 7: [frame] needs \"to\""]),
    (
      [7: "to = [\"A7 command payload\", \"A8 command payload\"]"],
      ["line 7: \"to\" is one layout"]
    ),
    (
      [8: "check = \"md5\""],
      [
        "line 8: \"check\" takes one of \"none\", \"sum\", \"sum16\", \"crc16\", \"crc16-low-first\", \"crc32\", not \"md5\""
      ]
    ),
    (
      [8: "check = \"sum\"\ncheck-from = 4"],
      ["line 7: \"check-from\" is beyond the bytes that begin every frame: 1"]
    ),
    (
      [2: "[channel]\nserial = \"A0E0\"", 3: "", 4: "", 5: "", 7: "to = \"A7 command payload\""],
      ["line 7: on a serial channel, a frame needs the word \"length\""]
    ),
    // The rows.
    ([10: ""], ["line 9: [[row]] needs \"number\""]),
    ([10: "number = 300"], ["line 10: \"number\" takes a whole number from 0 to 255, not 300"]),
    ([11: "ask = \"0\""], ["line 11: \"ask\" takes bytes such as \"01 0A\", not \"0\""]),
    ([11: "aks = \"\""], ["line 11: there is no \"aks\" in [[row]]; did you mean \"ask\"?"]),
    (
      [9: "[row]", 13: "", 14: "", 15: "", 16: "", 17: ""],
      ["line 9: \"row\" is a list of tables"]
    ),
    (
      [14: "number = 2"],
      ["line 13: the row in line 9 takes its answers: they have the same number"]
    ),
    ([15: ""], ["line 16: \"set\" needs \"ask\", which reads the value back"]),
    (
      [17: "values = [{ battery = \"right\" }]"],
      ["line 16: the row has no value that \"set\" can set"]
    ),
    (
      [12: "values = [{ noise = { off = 0 } }]"],
      ["line 13: another value is the setting \"noise-mode\" already"]
    ),
    // The values, with the line of each.
    (
      [12: "values = [\n{ skip = 1 },\n{ batery = \"left\" },\n]"],
      [
        "line 14: a value is one of skip, battery, charging, firmware, model, noise, toggle, choice, level, keep, keep-rest"
      ]
    ),
    (
      [12: "values = [\n{ battery = \"middle\" },\n]"],
      ["line 13: \"battery\" takes one of \"left\", \"right\", \"case\", not \"middle\""]
    ),
    (
      [12: "values = [{ battery = \"left\", skip = 1 }]"],
      [
        "line 12: \"battery\" and \"skip\" are two values",
        "line 12: there is no \"skip\" in a value; there is absent, battery, charging-bit",
      ]
    ),
    (
      [12: "values = [{ battery = \"left\", abset = 0 }]"],
      ["line 12: there is no \"abset\" in a value; did you mean \"absent\"?"]
    ),
    (
      [12: "values = [{ model = true }, { skip = 1 }]"],
      ["line 12: nothing can follow a value that goes on to the end"]
    ),
    (
      [12: "values = [{ model = false }]"],
      ["line 12: \"model\" takes true, or nothing at all, not false"]
    ),
    (
      [12: "values = [{ firmware = 9 }]"],
      ["line 12: \"firmware\" takes a whole number from 1 to 8, not 9"]
    ),
    (
      [12: "values = [{ toggle = \"game-mde\" }]"],
      ["line 12: there is no setting \"game-mde\"; did you mean \"game-mode\"?"]
    ),
    (
      [12: "values = [{ toggle = \"Game\" }]"],
      ["line 12: a name has lower-case words with hyphens, such as \"game-mode\", not \"Game\""]
    ),
    (
      [12: "values = [{ toggle = \"noise-mode\" }]"],
      ["line 12: noise control is the value \"noise\""]
    ),
    (
      [12: "values = [{ toggle = \"game-mode\", on = 0 }]"],
      ["line 12: on and off have the same number, 0"]
    ),
    (
      [12: "values = [{ toggle = \"game-mode\", on = 256 }]"],
      ["line 12: \"on\" takes a whole number from 0 to 255, not 256"]
    ),
    (
      [12: "values = [{ choice = \"sound-mode\" }]"],
      ["line 12: a choice needs either \"names\" or \"numbers\""]
    ),
    (
      [12: "values = [{ choice = \"sound-mode\", numbers = { a = 1, b = 1 } }]"],
      ["line 12: two choices have the same name or number"]
    ),
    (
      [12: "values = [{ choice = \"sound-mode\", names = [\"a b\"] }]"],
      ["line 12: a name has lower-case words with hyphens, such as \"game-mode\", not \"a b\""]
    ),
    (
      [12: "values = [{ level = \"prompt-volume\" }]"],
      ["line 12: a level needs \"range\", such as [0, 15]"]
    ),
    (
      [12: "values = [{ level = \"prompt-volume\", range = [15, 0] }]"],
      [
        "line 12: \"range\" takes the lowest and highest number, at most 1000 apart, such as [0, 15], not [15, 0]"
      ]
    ),
    (
      [17: "values = [{ noise = { of = 0 } }]"],
      [
        "line 16: the row has no value that \"set\" can set",
        "line 17: \"noise\" takes a table of off, noise-cancelling, transparency, adaptive with different bytes, such as { off = 0 }, not a table",
      ]
    ),
    // The strings.
    (
      [17: "values = [{ noise = { off = 0 } }]\n[[string]]\nbytes = \"A7\""],
      ["line 18: [[string]] needs \"direction\" and \"bytes\""]
    ),
    (
      [
        17:
          "values = [{ noise = { off = 0 } }]\n[[string]]\nid = \"A\"\ndirection = \"from\"\nbytes = \"a7 02 01 50 fa\"\nreads = [\"battery left 81\"]"
      ], ["line 18: A: the driver reads battery left 80 in it"]
    ),
    (
      [
        17:
          "values = [{ noise = { off = 0 } }]\n[[string]]\ndirection = \"to\"\nbytes = \"a7 02 00 a9\"\nasks = true\n[[string]]\ndirection = \"to\"\nbytes = \"a7 09 00 b0\"\nasks = true"
      ], ["line 22: this string: the driver does not ask it"]
    ),
    (
      [
        17:
          "values = [{ noise = { off = 0 } }]\n[[string]]\ndirection = \"to\"\nbytes = \"a7 02 00 a9\"\nsets = \"game-mode on\""
      ],
      [
        "line 18: this string: the driver does not send it: the headphone has not reported game-mode before"
      ]
    ),
    (
      [
        17:
          "values = [{ noise = { off = 0 } }]\n[[string]]\ndirection = \"from\"\nbytes = \"\"\nafter = [\"B\"]"
      ], ["line 18: this string: there is no string \"B\""]
    ),
  ]

  @Test(arguments: wrong.indices)
  func `each mistake has its line and words`(_ index: Int) {
    let (changes, mistakes) = Self.wrong[index]
    let found = Self.read(Self.file(changes))
    #expect(found.mistakes == mistakes)
    #expect(found.table == nil)
  }

  @Test func `a file may not have the name of a family`() {
    #expect(
      Self.read(Self.file(), id: "sony").mistakes == [
        "line 1: \"sony\" is a family of the program: give the file another name"
      ])
  }

  // MARK: What is never sent

  @Test(
    arguments: [
      ("FF 03 00 length 04 95 command:2 payload", "uncounted = 8", 0x0607),
      ("FF 03 00 length 00 1D command:2 payload", "uncounted = 8", 0x0C00),
      (
        "FD length:2le command payload DD",
        "check = \"crc16-low-first\"\ncheck-from = 3\nuncounted = 4", 0x50
      ),
      ("08 EE 00 00 00 command:2 length:2le payload", "check = \"sum\"\nuncounted = 0", 0x0482),
      ("05 5A length:2le command:2le payload", "uncounted = 4", 0x0400),
      (
        "AA length command payload",
        "check = \"sum16\"\ncheck-adds = 0x2019\nuncounted = 4", 0x07
      ),
      ("A5 01 command 01 00 length payload", "check = \"sum\"", 0x54),
      ("A5 01 command sequence 00 length payload", "check = \"sum\"", 0x70),
      // Without a marker, the frames of Bose.
      ("command:2 01 length payload", "uncounted = 4", 0x0304),
    ])
  func `a harmful command is refused in its line, as request and as command`(
    _ layout: String, _ options: String, _ number: Int
  ) {
    func file(_ row: String) -> String {
      """
      name = "A"
      [channel]
      serial = "A0E0"
      [frame]
      to = "\(layout)"
      \(options)
      [[row]]
      \(row)
      """
    }
    let line = 7 + options.count { $0 == "\n" }
    let asked = Self.read(file("number = \(number)\nask = \"\""))
    let set = Self.read(
      file("number = 1\nask = \"00\"\nset = \(number)\nvalues = [{ toggle = \"game-mode\" }]"))
    for (table, mistakes, what) in [
      (asked.table, asked.mistakes, "ask"), (set.table, set.mistakes, "set"),
    ] {
      #expect(table == nil && mistakes.count == 1)
      #expect(mistakes.first?.hasPrefix("line \(line): \(what): this is ") == true, "\(mistakes)")
    }
    // What is only received is not sent.
    let heard = Self.read(file("number = \(number)"))
    #expect(heard.mistakes == [] && heard.table != nil)
  }

  @Test func `every harmful command of every maker is refused to a driver file`() throws {
    var refused = 0
    for family in HeadphoneFamily.allCases {
      guard let frame = family.serialProtocol?.frameType else { continue }
      let isMarked = !frame.formats.contains { $0.marker.isEmpty }
      for never in frame.never {
        let format = try #require(
          frame.formats.first { format in
            zip(never.pattern, format.marker).allSatisfy { $0 == nil || $0 == $1 }
          })
        let content = never.pattern.dropFirst(format.marker.count).map { $0 ?? 0 }
        let padding = [UInt8](repeating: 0, count: max(1, 9 - content.count))
        let bytes = format.frame(around: content + padding)[...]
        let service = family.serialServices.first?.uuid
        for (own, marked) in [(service, true), (nil, false)] + (isMarked ? [(nil, true)] : []) {
          let words = HeadphoneFamily.refusal(of: bytes, from: own, isMarked: marked)
          #expect(words != nil, "\(family.rawValue) \(hexadecimal(bytes))")
          refused += 1
        }
      }
    }
    #expect(refused > 60)
  }

  // MARK: The page

  @Test func `every key of the page is read, and every key that is read is on the page`() {
    let file = DriverFormat.file.map { "\($0.name) = \($0.example)" }
    func mistakes(_ lines: [String]) -> [String] {
      Self.read(lines.joined(separator: "\n")).mistakes
    }
    func names(_ keys: [DriverFormat.Key]) -> String {
      keys.map(\.name).sorted().joined(separator: ", ")
    }
    let heads: [(head: [String], title: String, keys: [DriverFormat.Key])] = [
      (["[channel]"], "[channel]", DriverFormat.channel),
      (["[frame]"], "[frame]", DriverFormat.frame),
      (["[[row]]"], "[[row]]", DriverFormat.row),
      (["[[string]]"], "[[string]]", DriverFormat.string),
    ]
    for (head, title, keys) in heads {
      let lines = file + head + keys.map { "\($0.name) = \($0.example)" } + ["zzzzzzzz = 1"]
      let unknown = mistakes(lines).filter { $0.contains("zzzzzzzz") }
      #expect(
        unknown == [
          "line \(lines.count): there is no \"zzzzzzzz\" in \(title); there is \(names(keys))"
        ])
      // No example is a value that its key does not take.
      #expect(!mistakes(lines).contains { $0.contains(" takes ") }, "\(mistakes(lines))")
    }
    for kind in DriverFormat.values {
      let line = "values = [{ \(kind.example), zzzzzzzz = 1 }]"
      let unknown = mistakes(["[[row]]", line]).filter { $0.contains("zzzzzzzz") }
      let listed = names([kind.key] + kind.further)
      #expect(
        unknown == ["line 2: there is no \"zzzzzzzz\" in a value; there is \(listed)"], "\(line)")
      for further in kind.further where !kind.example.contains("\(further.name) =") {
        let names = further.name == "numbers" ? "names" : ""
        let example = kind.example.replacing(", \(names) = [\"flat\", \"bass\"]", with: "")
        let line = "values = [{ \(example), \(further.name) = \(further.example) }]"
        let wrong = mistakes(["[[row]]", line])
        #expect(
          wrong.allSatisfy { $0.contains("a driver needs") || $0.contains("[[row]] needs") },
          "\(line): \(wrong)")
      }
    }
  }

  @Test func `the page has the tables of all keys, and its example is right`() throws {
    let page = GeneratedPage("driver-files.md")
    var wanted = try page.text()
    func rows(_ keys: [DriverFormat.Key]) -> String {
      (["| key | what it takes | without it |", "| --- | --- | --- |"]
        + keys.map { key in
          "| `\(key.name)` | \(key.values) | \(key.unlessGiven.isEmpty ? "required" : key.unlessGiven) |"
        }).joined(separator: "\n")
    }
    let tables: [(String, String)] = [
      ("\n## Keys of the file\n", rows(DriverFormat.file)),
      ("\n### The channel\n", rows(DriverFormat.channel)),
      ("\n### The frame\n", rows(DriverFormat.frame)),
      ("\n### The rows\n", rows(DriverFormat.row)),
      ("\n### The strings\n", rows(DriverFormat.string)),
      (
        "\n### The values\n",
        (["| key | with | what it takes | without it |", "| --- | --- | --- | --- |"]
          + DriverFormat.values.flatMap { kind in
            ["| `\(kind.key.name)` | | \(kind.key.values) | another value |"]
              + kind.further.map {
                "| | `\($0.name)` | \($0.values) | "
                  + "\($0.unlessGiven.isEmpty ? "required" : $0.unlessGiven) |"
              }
          }).joined(separator: "\n")
      ),
    ]
    for (start, table) in tables {
      let isThere = wanted.replaceTable(after: start, with: table)
      #expect(isThere, "\(start)")
    }
    #expect(
      try page.text(rewrittenTo: wanted) == wanted, "UPDATE_SCREENS=1 writes the tables again")
    for text in wanted.components(separatedBy: "```toml\n").dropFirst() {
      let (table, mistakes) = Self.read(text.components(separatedBy: "```")[0])
      #expect(table != nil && mistakes == [])
    }
    for word in ["command", "length", "sequence", "status", "xor", "payload"] {
      #expect(FrameLayout.words.contains(word) && wanted.contains("| `\(word)` |"))
    }
  }

  // MARK: The folder

  @Test func `the folder has each file's driver, and names what two files share`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "drivers-\(UUID())")
    let drivers = folder.appending(path: "earshot/drivers")
    try FileManager.default.createDirectory(at: drivers, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in [
      ("b.toml", Self.file()), ("a.toml", Self.file()), ("c.toml", Self.file([10: "number = 999"])),
    ] {
      try Data(text.utf8).write(to: drivers.appending(path: name))
    }
    let path = folder.path()
    let configuration = ConfigurationFile { $0 == "XDG_CONFIG_HOME" ? path : nil }
    let own = DriverFolder(configuration)
    let (families, mistakes) = own.read()
    #expect(families.map(\.rawValue) == ["a", "b"])
    #expect(own.names == ["a", "b", "c"] && own.file(of: "b") == "\(own.path)/b.toml")
    #expect(own.file(of: "d") == nil)
    #expect(
      mistakes.map(\.message) == [
        "drivers/b.toml, line 2: a.toml is for the same service and is used; --driver b chooses "
          + "this file",
        "drivers/c.toml, line 10: \"number\" takes a whole number from 0 to 255, not 999",
      ])
  }

  @Test func `mutated files never trap, and each mistake has a line`() {
    var generator = SeededGenerator(seed: 0xD21E)
    let text = Array(Self.file().utf8)
    for _ in 0..<Thoroughness.rounds(1_000, thorough: 20_000) {
      let bytes = text.mutated(by: &generator)
      let (table, mistakes) = DriverTable.read(bytes, id: "acme", file: "acme.toml")
      #expect((table == nil) == !mistakes.isEmpty)
      #expect(mistakes.allSatisfy { $0.line > 0 && displayable($0.what) == $0.what })
    }
  }
}

extension HeadphoneProtocol {
  fileprivate static var frameType: any SerialFrame.Type { Frame.self }
}
