public import BluetoothCodec

/// The equaliser: a preset's number, and 8 bands from 100 Hz to 12.8 kHz.
///
/// | offset | size | field | meaning |
/// | --- | --- | --- | --- |
/// | 0 | 2 | id | LE; FEFE: the wearer's own bands |
/// | 2 | 8 | bands | from low to high; 120 is 0 dB, one step is 0.1 dB |
///
/// Earbuds have the bands of each bud, some of them ten, of which eight are heard; here both buds
/// have the same.
///
/// Proven by recordings of Life Q30; the gains of the presets are those of the maker's app.
///
/// ```swift
/// SoundcoreEQ(.bassBoost)?.encoded()  // 02 00 A0 96 82 78 78 78 78 78
/// ```
public struct SoundcoreEQ: Hashable, Sendable {
  /// The number of bands, the same for each model that is known here.
  public static let bandCount = 8
  /// The centre frequencies in Hz, from low to high.
  public static let centres = [100, 200, 400, 800, 1600, 3200, 6400, 12_800]
  /// The preset whose bands the wearer sets.
  public static let customID: UInt16 = 0xFEFE

  /// The preset's number; ``customID`` for the wearer's own bands.
  public var id: UInt16
  /// The gains from low to high in steps of 0.1 dB: -12.0 to +13.5 dB.
  public var tenths: [Int16]
  /// The bytes behind the eighth band, of each bud or of the one headphone: sent as they were reported.
  var unheard: [[UInt8]] = [[]]

  public init(id: UInt16, tenths: [Int16]) {
    self.id = id
    self.tenths = tenths
  }

  /// A preset of the maker's with the gains that the maker's app sends.
  ///
  /// - Returns: nil for ``EQPreset/custom``, whose gains are the wearer's.
  public init?(_ preset: EQPreset) {
    switch preset {
    case .balanced: self.init(id: 0x0000, tenths: Array(repeating: 0, count: Self.bandCount))
    case .bassBoost: self.init(id: 0x0002, tenths: [40, 30, 10, 0, 0, 0, 0, 0])
    case .vocal: self.init(id: 0x0013, tenths: [-30, -20, 10, 20, 20, 10, 0, -30])
    case .custom: return nil
    }
  }

  /// Gains of the wearer's own, under ``customID``.
  public init(custom gains: [BandGain]) {
    self.init(id: Self.customID, tenths: gains.map { Int16($0.halfDecibels) * 5 })
  }

  /// Decodes the first bytes, 10 for one headphone; further ones are ignored.
  ///
  /// - Parameters:
  ///   - buds: 1 for a headphone, 2 for buds with bands of their own.
  ///   - width: the bytes of each, 8 or more.
  /// - Throws: `MalformedBytes` for fewer.
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

  /// The bytes; a gain beyond a byte's range becomes the nearest one.
  public func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(littleEndian: id)
    let gains = tenths.map { UInt8(clamping: $0 + Self.zero) }
    return bytes + unheard.flatMap { gains + $0 }
  }

  /// The byte of 0 dB.
  private static let zero: Int16 = 120

  /// The preset of the number; one without a name here is shown as custom, with its gains.
  public var preset: EQPreset {
    EQPreset.allCases.first { SoundcoreEQ($0)?.id == id } ?? .custom
  }

  /// The gains rounded to steps of 0.5 dB, which screens have.
  public var gains: [BandGain] {
    tenths.compactMap { tenths in
      let halves = (Double(tenths) / 5).rounded()
      return BandGain(halfDecibels: Int8(min(max(halves, -24), 24)))
    }
  }
}
