internal import BluetoothCodec
internal import HeadphoneProtocols
internal import TOML

extension NamedProfile {
  static let keys: [ConfigurationKey<NamedProfile>] = [
    ConfigurationKey(
      "name", "its name on the information page; unique, and not \"Earshot protocol\"",
      unlessGiven: "NAME", example: "\"Acme buds\"",
      read: { section, named in
        if let name = section.text("name") { named.profile.name = name }
      }, write: { TOMLValue.quoted($0.profile.name) }),
    .uuid(
      "service", \.profile.control.service,
      "UUID of the control service, which the headphone advertises; unique",
      unlessGiven: "must be given", example: "ACE0"),
    .uuid(
      "command", \.profile.control.command, "UUID of the characteristic for commands",
      unlessGiven: "must be given", example: "ACE1"),
    .uuid(
      "event", \.profile.control.event, "UUID of the characteristic for events",
      unlessGiven: "must be given", example: "ACE2"),
    .uuid(
      "anc-mode", \.profile.control.ancMode, "UUID of that characteristic",
      unlessGiven: "it has none", example: "ACE3"),
    .uuid(
      "eq-preset", \.profile.control.eqPreset, "UUID of that characteristic",
      unlessGiven: "it has none", example: "ACE4"),
    .uuid(
      "firmware-data", \.profile.control.firmwareData, "UUID of that characteristic",
      unlessGiven: "it has none", example: "ACE5"),
    .files(
      "firmware-keys", \.keyFiles,
      "files as in `[firmware]`, of the makers whose firmware is trusted for this profile",
      unlessGiven: "none", example: "[\"acme.pub\"]"),
    ConfigurationKey(
      "features",
      "the features that it may have: "
        + Features.named.map { "`\($0.name)`" }.joined(separator: ", "),
      unlessGiven: "all", words: Features.named.map(\.name), example: "[\"anc\", \"eq\"]",
      read: { section, named in
        if let features = section.features() { named.profile.features = features }
      },
      write: { named in
        list(Features.named.filter { named.profile.features.contains($0.feature) }.map(\.name))
      }),
    ConfigurationKey(
      "eq-bands",
      "the centre of each band of its equaliser in Hz, from low to high, where the headphone does "
        + "not report them",
      unlessGiven: "the usual ones for that number of bands", example: "[60, 230, 910]",
      read: { section, named in
        if let centres = section.eqCentres() { named.profile.eqCentres = centres }
      },
      write: { named in
        let centres = named.profile.eqCentres
        return centres.isEmpty ? nil : "[\(centres.map { "\($0)" }.joined(separator: ", "))]"
      }),
  ]

  /// The tables within a profile, for UUIDs that differ from the Bluetooth SIG's.
  static let subtables: [(table: String, keys: [ConfigurationKey<NamedProfile>])] = [
    (
      "battery",
      [
        .uuid("service", \.profile.battery.service, example: "180E"),
        .uuid("level", \.profile.battery.level, example: "2A18"),
        .uuid("format", \.profile.battery.format, example: "2903"),
      ]
    ),
    (
      "information",
      [
        .uuid("service", \.profile.information.service, example: "1809"),
        .uuid("manufacturer", \.profile.information.manufacturer, example: "2A39"),
        .uuid("model", \.profile.information.model, example: "2A34"),
        .uuid("serial", \.profile.information.serial, example: "2A35"),
        .uuid("firmware", \.profile.information.firmware, example: "2A36"),
        .uuid("hardware", \.profile.information.hardware, example: "2A37"),
      ]
    ),
  ]

  /// Reads a table `[profiles.NAME]`; fails if it is not a table or lacks a required key.
  init?(_ entry: TOMLTable.Entry, _ profiles: inout Section) {
    guard case .table = entry.node.value else {
      profiles.note(entry.line, "a profile is a table: write [profiles.\(entry.key)]")
      return nil
    }
    self.init(
      name: entry.key, profile: DeviceProfile(name: entry.key, controlServices: [.absent]))
    var isUsable = false
    profiles.section(entry.key) { isUsable = read(&$0, entry) }
    guard isUsable else { return nil }
  }

  private mutating func read(_ section: inout Section, _ entry: TOMLTable.Entry) -> Bool {
    for key in Self.keys { key.read(&section, &self) }
    for (table, keys) in Self.subtables {
      section.section(table) { section in
        for key in keys { key.read(&section, &self) }
      }
    }
    section.section("events") { profile.events = EventLayout(&$0) }
    let control = profile.control
    let required = [
      ("service", control.service), ("command", control.command), ("event", control.event),
    ].filter { $0.1 == .absent }
    let missing = required.filter { section.line(of: $0.0) == nil }.map { "\"\($0.0)\"" }
    if !missing.isEmpty {
      section.note(
        entry.line,
        "[profiles.\(displayable(entry.key))] needs \(missing.joined(separator: ", ")) as well")
    }
    return required.isEmpty
  }

  var tables: [(name: String, rows: [(String, String)])] {
    func rows(_ keys: [ConfigurationKey<NamedProfile>]) -> [(String, String)] {
      keys.compactMap { key in key.write(self).map { (key.name, $0) } }
    }
    let name = "profiles.\(TOMLValue.key(name))"
    return [(name, rows(Self.keys))]
      + Self.subtables.map { ("\(name).\($0.table)", rows($0.keys)) }
      + [("\(name).events", profile.events.rows)]
  }
}

extension DeviceProfile {
  fileprivate var control: ControlService {
    get { controlServices.first ?? .absent }
    set { controlServices = [newValue] }
  }
}

extension ControlService {
  fileprivate static let absent = ControlService(
    service: .absent, ancMode: .absent, eqPreset: .absent, command: .absent, event: .absent,
    firmwareData: .absent)
}

extension EventLayout {
  /// Reads `[profiles.NAME.events]`; only the events in the table are reported.
  ///
  /// ```toml
  /// wearing = 1                             # as in the protocol, under another number
  /// battery = { code = 18, at = [3, 1, 2] }  # the offsets of left, right and case
  /// ```
  fileprivate init(_ section: inout Section) {
    self.init(events: [:])
    for kind in Kind.allCases {
      let wanted = "a number from 0 to 255 other than 0xA5, or { code = 2, at = [1, 2, 3] }"
      events[kind] = section.value(kind.rawValue, wanted) { EventLayout.Event($0) }
    }
    let codes = Kind.allCases.compactMap { kind in events[kind].map { (kind, $0.code) } }
    for (place, (kind, code)) in codes.enumerated() {
      guard let other = codes[..<place].first(where: { $0.1 == code }) else { continue }
      section.note(
        section.line(of: kind.rawValue) ?? 1,
        "\"\(kind.rawValue)\" has the number of \"\(other.0.rawValue)\"")
      events[kind] = nil
    }
  }
}

extension EventLayout.Event {
  fileprivate init?(_ value: TOMLValue) {
    switch value {
    case .integer(let number):
      guard let code = Self.code(number) else { return nil }
      self.init(code: code)
    case .table(let table):
      guard case .integer(let number)? = table["code"]?.node.value, let code = Self.code(number),
        case .array(let items)? = table["at"]?.node.value, table.entries.count == 2
      else { return nil }
      let places = items.compactMap { item -> Int? in
        // 511 is the last byte of the longest value (Core 5.4, Vol 3, Part F, 3.2.9).
        guard case .integer(let place) = item.value, (1...511).contains(place) else { return nil }
        return place
      }
      guard places.count == items.count else { return nil }
      self.init(code: code, places: places)
    default: return nil
    }
  }

  /// Returns the code of an event, which cannot be A5, the first byte of packets.
  private static func code(_ number: Int) -> UInt8? {
    UInt8(exactly: number).flatMap { $0 == HeadphonePacket.marker ? nil : $0 }
  }
}

extension EventLayout {
  fileprivate var rows: [(String, String)] {
    Kind.allCases.compactMap { kind in
      guard let event = events[kind] else { return nil }
      guard let places = event.places else { return (kind.rawValue, "\(event.code)") }
      let list = places.map { "\($0)" }.joined(separator: ", ")
      return (kind.rawValue, "{ code = \(event.code), at = [\(list)] }")
    }
  }
}

extension Section {
  mutating func uuid(_ key: String) -> BluetoothUUID? {
    value(key, "a UUID: \"FFF0\", or \"12345678-1234-5678-1234-56789ABCDEF0\"") { value in
      guard case .string(let text) = value else { return nil }
      return BluetoothUUID(text)
    }
  }

  fileprivate mutating func eqCentres() -> [Int]? {
    value("eq-bands", "frequencies in Hz that rise, such as [60, 230, 910, 3600, 14000]") { value in
      guard case .array(let items) = value, items.count <= 255 else { return nil }
      let centres = items.compactMap { item -> Int? in
        guard case .integer(let hertz) = item.value, (1...24_000).contains(hertz) else {
          return nil
        }
        return hertz
      }
      let rises = zip(centres, centres.dropFirst()).allSatisfy { $0 < $1 }
      return centres.count == items.count && rises ? centres : nil
    }
  }

  fileprivate mutating func features() -> Features? {
    let names = Features.named.map { "\"\($0.name)\"" }.joined(separator: ", ")
    return value("features", "a list of \(names)") { value in
      guard let texts = value.texts else { return nil }
      let found = texts.compactMap { text in Features.named.first { $0.name == text }?.feature }
      return found.count == texts.count ? Features(found) : nil
    }
  }
}

extension Features {
  static let named: [(name: String, feature: Features)] = [
    ("anc", .anc), ("anc-level", .ancLevel), ("eq", .eq), ("custom-eq", .customEQ),
    ("wear-detection", .wearDetection), ("find", .find), ("touch-actions", .touchActions),
    ("case", .case), ("firmware-update", .firmwareUpdate), ("rename", .rename),
    ("factory-reset", .factoryReset),
  ]
}
