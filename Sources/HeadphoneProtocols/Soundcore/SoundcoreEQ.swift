public import BluetoothCodec

/// The state of the equaliser: the number of a preset, and 8 bands from 100 Hz to 12.8 kHz.
///
/// | offset | size | field | meaning |
/// | --- | --- | --- | --- |
/// | 0 | 2 | id | LE; FEFE is the user's own preset |
/// | 2 | 8 | bands | in ascending frequency; 120 is 0 dB, one step is 0.1 dB |
///
/// Earbuds have a set of bands for each bud; some have ten bands, of which eight are audible. Here
/// both buds always have the same gains. Recordings of Life Q30 confirm the layout; the gains of
/// the presets are those of the maker's app.
///
/// ```swift
/// SoundcoreEQ(.bassBoost)?.encoded()  // 02 00 A0 96 82 78 78 78 78 78
/// ```
public struct SoundcoreEQ: Hashable, Sendable {
  /// The number of bands, which is the same on all known models.
  public static let bandCount = 8
  /// The centre frequencies in Hz, ascending.
  public static let centres = [100, 200, 400, 800, 1600, 3200, 6400, 12_800]
  public static let customID: UInt16 = 0xFEFE

  /// The number of the preset, or ``customID`` for the user's own bands.
  public var id: UInt16
  /// The gains in ascending frequency, in units of 0.1 dB, from -12.0 to +13.5 dB.
  public var tenths: [Int16]
  /// The bytes after the eighth band of each bud, or of the headphone, which are sent as reported.
  var unheard: [[UInt8]] = [[]]

  public init(id: UInt16, tenths: [Int16]) {
    self.id = id
    self.tenths = tenths
  }

  /// Creates a preset with the gains of the maker's app, or nil for ``EQPreset/custom``.
  public init?(_ preset: EQPreset) {
    switch preset {
    case .balanced: self.init(id: 0x0000, tenths: Array(repeating: 0, count: Self.bandCount))
    case .bassBoost: self.init(id: 0x0002, tenths: [40, 30, 10, 0, 0, 0, 0, 0])
    case .vocal: self.init(id: 0x0013, tenths: [-30, -20, 10, 20, 20, 10, 0, -30])
    case .custom: return nil
    }
  }

  /// Creates the user's own preset.
  public init(custom gains: [BandGain]) {
    self.init(id: Self.customID, tenths: gains.map { Int16($0.halfDecibels) * 5 })
  }

  /// Decodes `buds` sets of `width` bytes, 8 or more, after the preset, ignoring further bytes.
  public init(decoding bytes: Bytes, buds: Int = 1, width: Int = bandCount) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Soundcore equaliser")
    id = try reader.uint16()
    (tenths, unheard) = ([], [])
    for _ in 0..<buds {
      let gains = try reader.read(Self.bandCount).map { Int16($0) - Self.zero }
      if tenths.isEmpty { tenths = gains }
      unheard.append(Array(try reader.read(width - Self.bandCount)))
    }
  }

  /// Returns the bytes, limiting a gain to the range of a byte.
  public func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: id)
    let gains = tenths.map { UInt8(clamping: $0 + Self.zero) }
    return bytes + unheard.flatMap { gains + $0 }
  }

  /// The byte for 0 dB.
  private static let zero: Int16 = 120

  /// The preset with the number, or custom if it has no name.
  public var preset: EQPreset {
    EQPreset.allCases.first { SoundcoreEQ($0)?.id == id } ?? .custom
  }

  /// The gains rounded to steps of 0.5 dB.
  public var gains: [BandGain] {
    tenths.compactMap { tenths in
      let halves = (Double(tenths) / 5).rounded()
      return BandGain(halfDecibels: Int8(min(max(halves, -24), 24)))
    }
  }
}
