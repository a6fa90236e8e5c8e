internal import BluetoothCodec
internal import HeadphoneProtocols
internal import TOML

extension NamedProfile {
  /// Reads a table `[profiles.NAME]`.
  ///
  /// | key | value |
  /// | --- | --- |
  /// | `service`, `command`, `event` | UUIDs; required |
  /// | `anc-mode`, `eq-preset`, `firmware-data` | UUIDs |
  /// | `name` | a string; NAME by default |
  /// | `features` | a list of names; all by default |
  /// | `eq-bands` | centre frequencies in Hz, ascending |
  /// | `firmware-keys` | files with public keys |
  ///
  /// - Returns: `nil` if it is not a table, or lacks a required key, which is noted.
  init?(_ entry: TOMLTable.Entry, _ profiles: inout Section) {
    guard case .table = entry.node.value else {
      profiles.note(entry.line, "a profile is a table: write [profiles.\(entry.key)]")
      return nil
    }
    var profile: DeviceProfile?
    var keyFiles: [MakerKeyFile] = []
    profiles.section(entry.key) { section in
      keyFiles = section.keyFiles("firmware-keys")
      profile = DeviceProfile(&section, entry)
    }
    guard let profile else { return nil }
    self.init(name: entry.key, profile: profile, keyFiles: keyFiles)
  }
}

extension DeviceProfile {
  /// Reads the keys and subtables of a profile.
  fileprivate init?(_ section: inout Section, _ entry: TOMLTable.Entry) {
    let name = section.text("name") ?? entry.key
    let service = section.uuid("service")
    let command = section.uuid("command")
    let event = section.uuid("event")
    let control = ControlService(
      service: service ?? .absent, ancMode: section.uuid("anc-mode") ?? .absent,
      eqPreset: section.uuid("eq-preset") ?? .absent, command: command ?? .absent,
      event: event ?? .absent, firmwareData: section.uuid("firmware-data") ?? .absent)
    self.init(name: name, controlServices: [control])
    section.section("battery") { battery.read(&$0) }
    section.section("information") { information.read(&$0) }
    if let features = section.features() { self.features = features }
    if let centres = section.eqCentres() { eqCentres = centres }
    section.section("events") { events = EventLayout(&$0) }
    let missing = [("service", service), ("command", command), ("event", event)]
      .filter { $0.1 == nil && section.line(of: $0.0) == nil }.map { "\"\($0.0)\"" }
    if !missing.isEmpty {
      section.note(
        entry.line,
        "[profiles.\(displayable(entry.key))] needs \(missing.joined(separator: ", ")) as well")
    }
    guard service != nil, command != nil, event != nil else { return nil }
  }
}

extension BatteryUUIDs {
  /// Reads `[profiles.NAME.battery]`.
  fileprivate mutating func read(_ section: inout Section) {
    service = section.uuid("service") ?? service
    level = section.uuid("level") ?? level
    format = section.uuid("format") ?? format
  }
}

extension InformationUUIDs {
  /// Reads `[profiles.NAME.information]`.
  fileprivate mutating func read(_ section: inout Section) {
    service = section.uuid("service") ?? service
    manufacturer = section.uuid("manufacturer") ?? manufacturer
    model = section.uuid("model") ?? model
    serial = section.uuid("serial") ?? serial
    firmware = section.uuid("firmware") ?? firmware
    hardware = section.uuid("hardware") ?? hardware
  }
}

extension EventLayout {
  /// Reads `[profiles.NAME.events]`: only the events in the table are reported.
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
  /// An event's code, or a table with its code and the offsets of its values.
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

  /// The code of an event; a value that begins with A5 is a packet and no event.
  private static func code(_ number: Int) -> UInt8? {
    UInt8(exactly: number).flatMap { $0 == HeadphonePacket.marker ? nil : $0 }
  }
}

extension Section {
  /// Reads a UUID of 16, 32 or 128 bits.
  fileprivate mutating func uuid(_ key: String) -> BluetoothUUID? {
    value(key, "a UUID: \"FFF0\", or \"12345678-1234-5678-1234-56789ABCDEF0\"") { value in
      guard case .string(let text) = value else { return nil }
      return BluetoothUUID(text)
    }
  }

  /// Reads the centre frequencies of the equaliser's bands in Hz, which must ascend.
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

  /// Reads a list of features by their names.
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
  /// All features with their names in the configuration.
  static let named: [(name: String, feature: Features)] = [
    ("anc", .anc), ("anc-level", .ancLevel), ("eq", .eq), ("custom-eq", .customEQ),
    ("wear-detection", .wearDetection), ("find", .find), ("touch-actions", .touchActions),
    ("case", .case), ("firmware-update", .firmwareUpdate), ("rename", .rename),
    ("factory-reset", .factoryReset),
  ]
}
