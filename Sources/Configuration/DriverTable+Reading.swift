internal import BluetoothCodec
package import HeadphoneProtocols
internal import TOML

extension DriverTable {
  /// Reads any bytes; returns the table, or nil if there is a mistake, and the mistakes by line.
  package static func read(
    _ text: some Sequence<UInt8>, id: String, file: String
  ) -> (table: DriverTable?, mistakes: [ConfigurationMistake]) {
    let document = TOMLDocument(parsing: text)
    var root = Section(document.root)
    let table = DriverTable(&root, id: id, file: file, isWhole: document.mistakes.isEmpty)
    let strings = root.driverStrings()
    var mistakes =
      document.mistakes.map { ConfigurationMistake(line: $0.line, displayable($0.what)) }
      + root.end()
    // With another mistake, what the driver reads means nothing yet.
    if let table, mistakes.isEmpty { mistakes = strings.mistakes(of: table) }
    return (mistakes.isEmpty ? table : nil, mistakes.sorted())
  }

  private init?(_ root: inout Section, id: String, file: String, isWhole: Bool) {
    if HeadphoneFamily(rawValue: id) != nil {
      root.note(1, "\"\(id)\" is a family of the program: give the file another name")
    }
    let name = root.text("name")
    let manufacturer = root.text("manufacturer")
    let access: Access? = root.choice("allow")
    var channel: Channel?
    root.section("channel") { channel = Channel(&$0) }
    var frame = Frame()
    root.section("frame") { frame.read(&$0) }
    var rows: [(row: MakerRow, line: Int)] = []
    root.sections("row", "[[row]]") { section, line in
      guard rows.count < Self.mostRows else {
        section.note(line, "a driver has \(Self.mostRows) rows at most")
        return section.ignoreRest()
      }
      guard let row = section.makerRow(line: line, most: frame.sending?.mostCommand ?? .max) else {
        return
      }
      if let fault = Self.fault(of: row, beside: rows) { section.note(line, fault) }
      rows.append((row, line))
    }
    let missing = ["name", "[channel]", "[frame]", "[[row]]"].filter {
      root.line(of: $0.filter { !"[]".contains($0) }) == nil
    }
    // After a line with a syntax error the keys may exist nevertheless.
    if !missing.isEmpty, isWhole {
      root.note(1, "a driver needs \(missing.joined(separator: ", ")) as well")
    }
    guard let name, let channel, let sending = frame.sending, !rows.isEmpty else { return nil }
    let receiving = frame.receiving ?? [sending]
    if case .serial = channel, !(receiving + [sending]).allSatisfy(\.hasLength) {
      root.note(
        root.line(of: "frame") ?? 1, "on a serial channel, a frame needs the word \"length\"")
    }
    self.init(
      id: id, file: file, name: name, manufacturer: manufacturer, on: channel,
      allowsWriting: access == .write, sending: sending, receiving: receiving,
      rows: rows.map(\.row))
    channelLine = root.line(of: "channel") ?? 1
    answerAdds = frame.answerAdds
    answersCommands = frame.answersCommands
    openingRows = frame.openingRows
    isExact = frame.isExact
    for (row, line) in rows {
      if let refusal = refusal(of: row) {
        root.note(line, "\(refusal.isCommand ? "set" : "ask"): \(refusal.words)")
      }
    }
  }

  /// The maximum number of rows, which bounds the requests of a start.
  private static let mostRows = 200

  private enum Access: String, CaseIterable { case read, write }

  /// Returns what is wrong with a row after those before it, or nil.
  private static func fault(of row: MakerRow, beside others: [(row: MakerRow, line: Int)])
    -> String?
  {
    if let other = others.first(where: {
      $0.row.question == row.question && row.prefix.starts(with: $0.row.prefix)
    }) {
      return "the row in line \(other.line) takes its answers: they have the same number"
    }
    let earlier = others.flatMap(\.row.settingIDs) + row.settingIDs
    if let id = row.settingIDs.first(where: { id in earlier.count { $0 == id } > 1 }) {
      return "another value is the setting \"\(id.rawValue)\" already"
    }
    return nil
  }
}

extension DriverTable.Channel {
  fileprivate init?(_ section: inout Section) {
    let serial = section.uuid("serial")
    let vendor: UInt16? = section.number("vendor", in: 0...0xFFFF)
    let service = section.uuid("service")
    let write = section.uuid("write")
    let notify = section.uuid("notify")
    let uuids = [("serial", serial), ("service", service), ("write", write), ("notify", notify)]
    for (key, uuid) in uuids {
      guard let uuid, let line = section.line(of: key),
        let what = HeadphoneFamily.firmwareService(uuid)
      else { continue }
      section.note(line, "\"\(key)\" is never used by a driver: it is for \(what)")
    }
    if let serial {
      if let line = section.line(of: "service") ?? section.line(of: "write")
        ?? section.line(of: "notify")
      {
        section.note(line, "a driver has one channel: \"serial\", or \"service\" and the others")
      }
      self = .serial(HeadphoneFamily.serialService(serial, vendor: vendor))
    } else if let service, let write, let notify {
      if let line = section.line(of: "vendor") {
        section.note(line, "\"vendor\" is for \"serial\"")
      }
      self = .characteristics(of: service, write: write, notify: notify)
    } else {
      let given = section.keys.compactMap { section.line(of: $0) }.min() ?? 1
      section.note(given, "[channel] needs \"service\", \"write\" and \"notify\", or \"serial\"")
      return nil
    }
  }
}

private struct Frame {
  var sending: FrameLayout?
  /// The layouts of what is received, or nil if they are that of what is sent.
  var receiving: [FrameLayout]?
  var answerAdds: UInt16 = 0
  var answersCommands = true
  var openingRows = 1
  var isExact = false

  mutating func read(_ section: inout Section) {
    var options = FrameOptions()
    options.uncounted = section.number("uncounted", in: 0...255)
    let check: FrameOptions.Check? = section.choice("check")
    options.check = check ?? FrameOptions.Check.none
    options.checkedFrom = section.number("check-from", in: 0...16) ?? 0
    options.checkAdds = section.number("check-adds", in: 0...0xFFFF) ?? 0
    options.longest = section.number("longest", in: 1...4096)
    answerAdds = section.number("answer-adds", in: 0...0xFFFF) ?? 0
    answersCommands = section.flag("commands-answered") ?? true
    openingRows = section.number("asked-first", in: 1...100) ?? 1
    isExact = section.flag("exact") ?? false
    let texts = ["to", "from"].map { section.texts($0, "a layout, or a list of layouts") ?? [] }
    for (key, texts) in zip(["to", "from"], texts) where !texts.isEmpty {
      let line = section.line(of: key) ?? 1
      do throws(FrameLayout.Mistake) {
        var layouts: [FrameLayout] = []
        for text in texts { layouts.append(try FrameLayout(text, options)) }
        if key == "from" { receiving = layouts } else { sending = layouts.first }
        if key == "to", layouts.count > 1 { section.note(line, "\"to\" is one layout") }
      } catch {
        section.note(line, error.what)
      }
    }
    if texts[0].isEmpty, section.line(of: "to") == nil {
      section.note(
        section.keys.compactMap { section.line(of: $0) }.min() ?? 1, "[frame] needs \"to\"")
    }
  }
}

extension Section {
  /// Reads a row, or returns nil without a number; `most` is the largest number in a frame.
  fileprivate mutating func makerRow(line: Int, most: UInt16) -> MakerRow? {
    let number: UInt16? = number("number", in: 0...most)
    let asked = bytes("ask")
    let prefix = bytes("begins") ?? []
    let command: UInt16? = self.number("set", in: 0...most)
    let unchanged: UInt8? = self.number("unchanged", in: 0...0xFF)
    var fields: [MakerField] = []
    sections("values", "a value") { section, place in
      guard let field = section.makerField(line: place) else { return }
      if let last = fields.last, last.isOpen {
        section.note(place, "nothing can follow a value that goes on to the end")
      }
      fields.append(field)
    }
    guard let number else {
      if self.line(of: "number") == nil { note(line, "[[row]] needs \"number\"") }
      return nil
    }
    let row = MakerRow(
      number, asking: asked ?? [], isAsked: asked != nil, prefix: prefix, fields, set: command,
      unchanged: unchanged)
    if command != nil {
      let place = self.line(of: "set") ?? line
      if !row.isSettable { note(place, "the row has no value that \"set\" can set") }
      if asked == nil { note(place, "\"set\" needs \"ask\", which reads the value back") }
    }
    return row
  }
}

extension MakerRow {
  fileprivate var settingIDs: [SettingID] {
    fields.compactMap { field in
      switch field {
      case .setting(let setting): setting.declaration.id
      case .noise, .wholeNoise: .noiseMode
      default: nil
      }
    }
  }
}

extension MakerField {
  /// Whether the value extends to the end of the payload.
  fileprivate var isOpen: Bool {
    switch self {
    case .model, .keptRest: true
    default: false
    }
  }
}
