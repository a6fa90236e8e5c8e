public import BluetoothCodec

/// The equaliser's preset, and the steps of its bands.
public struct SonyEqualiser: Hashable, Sendable {
  /// The preset whose bands a person sets.
  public static let manual: UInt8 = 0xA0
  private static let nameless: UInt8 = 0xFF

  /// By its published number.
  public var preset: UInt8
  /// Steps from the lowest band on, 0 in the middle; empty: the headphone reports none.
  public var bands: [Int]
  /// Of Clear Bass, beside five bands; nil: the headphone has none.
  public var clearBass: Int?

  /// The steps of a headphone with so many bands.
  static func limit(bands: Int) -> Int { bands == 10 ? 6 : 10 }

  /// Hz; empty: the middles of so many bands are not known.
  static func centres(bands: Int) -> [Int] {
    switch bands {
    case 5: [400, 1000, 2500, 6300, 16_000]
    case 10: [31, 63, 125, 250, 500, 1000, 2000, 4000, 8000, 16_000]
    default: []
    }
  }

  public init(preset: UInt8, bands: [Int], clearBass: Int?) {
    self.preset = preset
    self.bands = bands
    self.clearBass = clearBass
  }

  /// Reads preset, count and bands: one for Clear Bass and five, or ten.
  ///
  /// - Throws: for a step beyond the range.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Sony equaliser")
    preset = try reader.uint8()
    let count = Int(try reader.uint8())
    let limit = UInt8(Self.limit(bands: count))
    var steps: [Int] = []
    for _ in 0..<count { steps.append(Int(try reader.uint8(in: 0...2 * limit)) - Int(limit)) }
    try reader.finish()
    clearBass = count == 6 ? steps.removeFirst() : nil
    bands = [5, 10].contains(steps.count) ? steps : []
  }

  /// Preset, count and bands.
  public func encoded() -> [UInt8] {
    let limit = Self.limit(bands: bands.count)
    let steps = (clearBass.map { [$0] } ?? []) + bands
    return [preset, UInt8(clamping: steps.count)] + steps.map { UInt8(clamping: $0 + limit) }
  }

  // MARK: Presets

  private static let names: [(number: UInt8, id: String)] = [
    (0x00, "off"), (0x01, "rock"), (0x02, "pop"), (0x03, "jazz"), (0x04, "dance"), (0x05, "edm"),
    (0x06, "r-and-b"), (0x07, "acoustic"), (0x10, "bright"), (0x11, "excited"), (0x12, "mellow"),
    (0x13, "relaxed"), (0x14, "vocal"), (0x15, "treble"), (0x16, "bass"), (0x17, "speech"),
    (0x20, "gaming"), (0x30, "heavy"), (0x31, "clear"), (0x32, "hard"), (0x33, "soft"),
    (manual, "manual"), (0xA1, "custom-1"), (0xA2, "custom-2"), (0xA3, "custom-3"),
    (0xA4, "custom-4"), (0xA5, "custom-5"),
  ]

  /// Those that headphones of its kind take; the others are acknowledged and ignored.
  private static func offered(bands: Int) -> Set<UInt8> {
    let own: Set<UInt8> = [0x00, manual, 0xA1, 0xA2]
    return own.union(bands == 10 ? 0x30...0x33 : 0x10...0x17)
  }

  /// Nil: the preset has no name here.
  public var name: String? { Self.names.first { $0.number == preset }?.id }

  /// The preset's number, by its name.
  static func preset(named id: String) -> UInt8? { names.first { $0.id == id }?.number }

  /// The presets to choose from, with the one that is chosen now.
  var declaration: SettingDeclaration {
    let offered = Self.offered(bands: bands.count)
    let ids = Self.names.filter { offered.contains($0.number) || $0.number == preset }.map(\.id)
    return SettingDeclaration(
      .equaliserPreset, SettingDeclaration.choices(ids), title: "Equaliser", label: "EQ",
      group: .sound)
  }

  /// The bands' steps as gains: Sony's steps are taken for dB.
  var gains: [BandGain] { bands.compactMap { BandGain(halfDecibels: Int8(clamping: 2 * $0)) } }
}
