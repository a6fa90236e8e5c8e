import BluetoothCodec
import TestSupport
import Testing

@testable import HeadphoneProtocols

/// The effect of one changed byte of a recorded report on the other values of that report.
///
/// Which byte belongs to which value is derived from the reports: a value that is the same in all
/// well-formed variants of a byte does not depend on it.
@Suite struct OneValueTests {
  /// The families with a byte table, and AirPods, whose strings are in conversations.
  static let families = RecordedStringsTests.families + [.airpods]
  /// The number of mutations of each family.
  private static let rounds = Thoroughness.rounds(1_500, thorough: 10_000)

  /// The meaning of a report: values by name, and its errors.
  private struct Reading {
    var values: [String: String] = [:]
    var isMalformed = false
    /// Whether a value is impossible, as opposed to a wrong length.
    var isImpossible = false
    /// Whether the bytes are a frame of another kind.
    var isNoFrame = false
    /// The model that the report implies.
    var model: String?
    /// The values that each setting can have after the report.
    var kinds: [SettingID: SettingDeclaration.Kind] = [:]

    init(_ events: [HeadphoneEvent], of proto: any HeadphoneProtocol) {
      self.init(events)
      model = proto.information.model
      for declaration in proto.capabilities.declarations {
        kinds[declaration.id] = declaration.kind
      }
    }

    init(_ events: [HeadphoneEvent]) {
      for event in events {
        switch event {
        case .batteryChanged(let parts):
          for (part, battery) in parts { values["battery \(part)"] = "\(battery)" }
        case .eqChanged(let preset, bands: nil):
          values[SettingID.equaliserPreset.rawValue] = preset.name
        case .malformed(let what):
          isMalformed = true
          isImpossible = isImpossible || what.contains("impossible value")
          isNoFrame = isNoFrame || what.contains(" frame at ")
        case .unknown: break
        default:
          let words = event.words.split(separator: " ", maxSplits: 1)
          values[String(words.first ?? "")] = words.count > 1 ? String(words[1]) : ""
        }
      }
    }
  }

  /// The variants of one byte of a recorded report, with the resulting meanings.
  private struct Variants {
    var string: RecordedString
    var place: Int
    var base: Reading
    var others: [(byte: UInt8, reading: Reading)]

    var wellFormed: [Reading] { others.map(\.reading).filter { !$0.isMalformed } }

    /// Whether the report is well-formed with different bytes.
    var isVariable: Bool { Set(others.filter { !$0.reading.isMalformed }.map(\.byte)).count > 1 }

    /// Whether the byte determines the meaning of others, so that all may change with it.
    ///
    /// It is a length if the report ends early or late with other numbers. It identifies the model
    /// if that changes, or the layout if three kinds of values do: one byte is at most two values.
    var isStructural: Bool {
      if others.contains(where: { $0.reading.isMalformed && !$0.reading.isImpossible }) {
        return true
      }
      if others.contains(where: { $0.reading.model != base.model }) { return true }
      let names = Set(base.values.keys).union(wellFormed.flatMap(\.values.keys))
      let changed = names.filter { name in
        wellFormed.contains { $0.values[name] != base.values[name] }
      }
      return Set(changed.map { $0.prefix { $0 != " " } }).count > 2
    }

    /// Returns whether the byte determines a setting's values: its number of levels or lowest gain.
    func isRange(of name: String) -> Bool {
      let id = SettingID(rawValue: name)
      return wellFormed.contains { $0.kinds[id] != base.kinds[id] }
    }
  }

  /// Calls `body` with the variants of bytes of a family's recorded reports, chosen at random.
  private func variants(
    of family: HeadphoneFamily, _ body: (Variants) -> Void
  ) throws {
    var generator = SeededGenerator(seed: 0xB17E)
    let strings = try RecordedString.tabled(of: family)
      .filter { $0.isFromHeadphone && !$0.isBroken }
    let starts = try strings.map { string in
      var (proto, known) = (try string.proto(), Set<String>())
      for name in string.after {
        for before in strings where before.id == name {
          known.formUnion(Reading(proto.events(of: before.frame)).values.keys)
        }
      }
      return (proto, known)
    }
    let edges: [UInt8] = [0, 1, 2, 3, 4, 0x7F, 0x80, 0xFF]
    var rounds = 0
    while rounds < Self.rounds {
      let index = generator.below(strings.count)
      let (string, (start, known)) = (strings[index], starts[index])
      func reading(_ frame: [UInt8]) -> Reading {
        var proto = start
        let events = proto.events(of: frame)
        var reading = Reading(events, of: proto)
        // A value that was known before is told only where it changes.
        for name in known { reading.values[name] = nil }
        return reading
      }
      var count = 0
      let isFramed =
        try string.reframed { bytes in
          count = bytes.count
          return bytes
        } != nil
      if !isFramed { count = string.frame.count }
      guard count > 0 else { continue }
      let place = generator.below(count)
      let bytes = edges + (0..<8).map { _ in UInt8(generator.below(256)) }
      let others = try bytes.map { byte in
        let change = { (bytes: [UInt8]) in
          var changed = bytes
          changed[place] = byte
          return changed
        }
        return (byte, reading(try string.reframed(change) ?? change(string.frame)))
      }
      rounds += bytes.count
      body(
        Variants(string: string, place: place, base: reading(string.frame), others: others))
    }
  }

  @Test(arguments: families)
  func `a value that cannot be costs no other value of its report`(
    _ family: HeadphoneFamily
  ) throws {
    try variants(of: family) { variants in
      // With no other well-formed variant the byte may be a length, on which all depends.
      let wellFormed = variants.wellFormed
      guard variants.isVariable, !variants.isStructural, !variants.base.isMalformed else { return }
      for (name, value) in variants.base.values
      where wellFormed.allSatisfy({ $0.values[name] == value }) && !variants.isRange(of: name) {
        for (byte, reading) in variants.others
        where reading.isImpossible && !reading.isNoFrame && reading.values[name] != value {
          Issue.record(
            "\(variants.string.id): \(byte) at \(variants.place) costs \(name) \(value)")
        }
      }
    }
  }

  /// Values that a report need not contain for every part.
  private static let ofSeveralParts: Set<Substring> = [
    "battery", "worn", "bands", "find", "paired-devices",
  ]

  @Test(arguments: families)
  func `a choice without a name replaces the one before`(_ family: HeadphoneFamily) throws {
    try variants(of: family) { variants in
      guard !variants.isStructural else { return }
      for (name, value) in variants.base.values
      where Double(value) == nil && !Self.ofSeveralParts.contains(name.prefix { $0 != " " }) {
        let values = variants.wellFormed.map { $0.values[name] }
        // A byte that gives the value others is where that value stands.
        guard Set(values.compactMap(\.self)).union([value]).count > 2 else { continue }
        for (byte, reading) in variants.others
        where !reading.isMalformed && reading.values[name] == nil {
          Issue.record(
            "\(variants.string.id): \(byte) at \(variants.place) leaves \(name) \(value)")
        }
      }
    }
  }
}
