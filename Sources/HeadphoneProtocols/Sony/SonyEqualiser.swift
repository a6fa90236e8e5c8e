public import BluetoothCodec

/// The state of the equaliser: its preset, and the steps of its bands.
///
/// | offset | size | field | meaning |
/// | --- | --- | --- | --- |
/// | 0 | 1 | preset | 0 off, 10 to 17 or 30 to 33 Sony's, A0 manual, A1 and A2 the user's own |
/// | 1 | 1 | count n | 6: Clear Bass and 5 bands; 10: bands only |
/// | 2 | n | steps | offset by 10 for 6 values (±10), by 6 for 10 values (±6) |
///
/// ```swift
/// let bright = try SonyEqualiser(decoding: [0x10, 6, 0x09, 0x0A, 0x0F, 0x11, 0x11, 0x13])
/// bright.clearBass  // -1
/// bright.bands  // [0, 5, 7, 7, 9]
/// ```
public struct SonyEqualiser: Hashable, Sendable {
  public static let manual: UInt8 = 0xA0

  /// The preset's published number.
  public var preset: UInt8
  /// The steps of the bands, lowest band first, 0 at the centre, or empty if not reported or out of
  /// range.
  public var bands: [Int]
  /// The step of Clear Bass, -10 to 10, or nil if the headphone lacks it.
  public var clearBass: Int?
  private(set) var mistake: MalformedBytes?

  static func limit(bands: Int) -> Int { bands == 10 ? 6 : 10 }

  /// Returns the centre frequencies in Hz for a number of bands, or empty if unknown.
  static func centres(bands: Int) -> [Int] {
    switch bands {
    case 5: [400, 1000, 2500, 6300, 16_000]
    case 10: [31, 63, 125, 250, 500, 1000, 2000, 4000, 8000, 16_000]
    default: []
    }
  }

  /// Decodes preset, count and steps, or throws for bytes after the last step.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Sony equaliser")
    preset = try reader.uint8()
    let count = Int(try reader.uint8())
    let limit = UInt8(Self.limit(bands: count))
    var steps: [Int?] = []
    for _ in 0..<count {
      let raw = try reader.uint8()
      if raw > 2 * limit { mistake = reader.impossible(raw) }
      steps.append(raw > 2 * limit ? nil : Int(raw) - Int(limit))
    }
    try reader.finish()
    clearBass = count == 6 ? steps.removeFirst() : nil
    let known = steps.compactMap(\.self)
    bands = [5, 10].contains(steps.count) && known.count == steps.count ? known : []
  }

  /// Returns preset, count and bands.
  public func encoded() -> [UInt8] {
    let limit = Self.limit(bands: bands.count)
    let steps = (clearBass.map { [$0] } ?? []) + bands
    return [preset, UInt8(clamping: steps.count)] + steps.map { UInt8(clamping: $0 + limit) }
  }

  private static let names: [(number: UInt8, id: String)] = [
    (0x00, "off"), (0x01, "rock"), (0x02, "pop"), (0x03, "jazz"), (0x04, "dance"), (0x05, "edm"),
    (0x06, "r-and-b"), (0x07, "acoustic"), (0x10, "bright"), (0x11, "excited"), (0x12, "mellow"),
    (0x13, "relaxed"), (0x14, "vocal"), (0x15, "treble"), (0x16, "bass"), (0x17, "speech"),
    (0x20, "gaming"), (0x30, "heavy"), (0x31, "clear"), (0x32, "hard"), (0x33, "soft"),
    (manual, "manual"), (0xA1, "custom-1"), (0xA2, "custom-2"), (0xA3, "custom-3"),
    (0xA4, "custom-4"), (0xA5, "custom-5"),
  ]

  /// Returns the presets for a number of bands; headphones acknowledge the others, but ignore them.
  private static func offered(bands: Int) -> Set<UInt8> {
    let own: Set<UInt8> = [0x00, manual, 0xA1, 0xA2]
    return own.union(bands == 10 ? 0x30...0x33 : 0x10...0x17)
  }

  /// The preset's identifier, or nil if its number is unknown.
  public var name: String? { Self.names.first { $0.number == preset }?.id }

  static func preset(named id: String) -> UInt8? { names.first { $0.id == id }?.number }

  var declaration: SettingDeclaration {
    let offered = Self.offered(bands: bands.count)
    let ids = Self.names.filter { offered.contains($0.number) || $0.number == preset }.map(\.id)
    return SettingDeclaration(.equaliserPreset, .choices(ids))
  }

  /// The gain of one step of a band, which is assumed to be 1 dB.
  static let step = BandGain(halfDecibels: 2) ?? .half

  var gains: [BandGain] { bands.compactMap { BandGain(halfDecibels: Int8(clamping: 2 * $0)) } }
}
