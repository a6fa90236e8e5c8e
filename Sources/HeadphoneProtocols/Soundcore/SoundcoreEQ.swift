public import BluetoothCodec

/// The equaliser: a preset's number and 8 bands of 100 Hz to 12.8 kHz.
public struct SoundcoreEQ: Hashable, Sendable {
  /// Every model that is known here has as many.
  public static let bandCount = 8
  /// Hz.
  public static let centres = [100, 200, 400, 800, 1600, 3200, 6400, 12_800]
  /// The preset whose bands a person has set.
  public static let customID: UInt16 = 0xFEFE

  /// The preset's number; ``customID`` for bands of a person's own.
  public var id: UInt16
  /// In steps of 0.1 dB: -12.0 to +13.5 dB.
  public var tenths: [Int16]

  public init(id: UInt16, tenths: [Int16]) {
    self.id = id
    self.tenths = tenths
  }

  /// One of the maker's presets that has a name here, with the gains that the maker's app sends.
  ///
  /// Nil for the custom one: its gains are a person's.
  public init?(_ preset: EQPreset) {
    switch preset {
    case .balanced: self.init(id: 0x0000, tenths: Array(repeating: 0, count: Self.bandCount))
    case .bassBoost: self.init(id: 0x0002, tenths: [40, 30, 10, 0, 0, 0, 0, 0])
    case .vocal: self.init(id: 0x0013, tenths: [-30, -20, 10, 20, 20, 10, 0, -30])
    case .custom: return nil
    }
  }

  /// A person's bands, under ``customID``.
  public init(custom gains: [BandGain]) {
    self.init(id: Self.customID, tenths: gains.map { Int16($0.halfDecibels) * 5 })
  }

  /// Reads the first 10 bytes: number and bands.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Soundcore equaliser")
    self = try Self(&reader)
  }

  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    id = try reader.uint16()
    tenths = try reader.take(Self.bandCount).map { Int16($0) - Self.zero }
  }

  /// 10 bytes: the number, little-endian, and a byte for each band, of which 120 is 0 dB.
  public func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: id)
    return bytes + tenths.map { UInt8(clamping: $0 + Self.zero) }
  }

  /// The byte of 0 dB.
  private static let zero: Int16 = 120

  /// A preset that has no name here is shown as custom, with its gains.
  public var preset: EQPreset {
    EQPreset.allCases.first { SoundcoreEQ($0)?.id == id } ?? .custom
  }

  /// Rounded to the steps of 0.5 dB that the screen has.
  public var gains: [BandGain] {
    tenths.compactMap { tenths in
      let halves = (Double(tenths) / 5).rounded()
      return BandGain(halfDecibels: Int8(min(max(halves, -24), 24)))
    }
  }
}
