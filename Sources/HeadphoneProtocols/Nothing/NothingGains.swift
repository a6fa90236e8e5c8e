public import BluetoothCodec

/// The custom equaliser of Nothing and CMF: a low shelf, a peak and a high shelf.
///
/// | offset | size | field | meaning |
/// | --- | --- | --- | --- |
/// | 0 | 1 | count n | number of bands, 1 to 8 |
/// | 1 | 4 | total | overall gain in dB: minus the highest gain of the bands |
/// | 5 | 13 n | bands | filter (1 byte), gain (dB), frequency (Hz), quality (4 bytes each) |
/// | 5 + 13 n | 3 n | zeros | only in commands of the phone |
///
/// Numbers are 32-bit IEEE 754 values, little-endian, according to published layouts.
///
/// ```swift
/// let gains = try NothingGains(decoding: payload)
/// gains.centres  // the bands' frequencies in Hz
/// let order = gains.with([0, 4, -4].compactMap(BandGain.init(halfDecibels:))).encoded()
/// ```
public struct NothingGains: Hashable, Sendable {
  /// A filter of the equaliser.
  public struct Band: Hashable, Sendable {
    /// The filter's shape: 0 low shelf, 1 peak, 2 high shelf.
    public var filter: UInt8
    /// The gain in dB, within ``NothingGains/range``.
    public var gain: Float
    /// The corner or centre frequency in Hz.
    public var frequency: Float
    /// The Q factor.
    public var quality: Float

    public init(filter: UInt8, gain: Float, frequency: Float, quality: Float) {
      self.filter = filter
      self.gain = gain
      self.frequency = frequency
      self.quality = quality
    }
  }

  /// The bands as reported; a command changes only their gains.
  public var bands: [Band]

  public init(_ bands: [Band]) { self.bands = bands }

  /// The gains that the maker's app offers, in dB.
  public static let range: ClosedRange<Float> = -6...6
  static let limit = BandGain(halfDecibels: 12) ?? .most
  private static let mostBands = 8
  private static let audible: ClosedRange<Float> = 20...20_000
  private static let padding = 3

  /// Decodes a payload of 1 to 8 bands, ignoring the overall gain.
  ///
  /// - Throws: `MalformedBytes` for a gain outside ``range``, a frequency outside 20 Hz to 20 kHz,
  ///   or a quality that is not finite.
  public init(decoding bytes: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(bytes, of: "Nothing gains")
    let count = Int(try reader.uint8())
    guard (1...Self.mostBands).contains(count) else { throw reader.impossible(UInt8(count)) }
    _ = try reader.uint32()
    bands = []
    for _ in 0..<count {
      let filter = try reader.uint8()
      let place = reader.offset
      let numbers = [try reader.uint32(), try reader.uint32(), try reader.uint32()]
        .map(Float.init(bitPattern:))
      guard Self.range.contains(numbers[0]), Self.audible.contains(numbers[1]),
        numbers[2].isFinite
      else { throw reader.malformed(.badValue(UInt64(numbers[0].bitPattern)), at: place) }
      bands.append(
        Band(filter: filter, gain: numbers[0], frequency: numbers[1], quality: numbers[2]))
    }
  }

  /// Returns the payload of the command F041.
  public func encoded() -> [UInt8] {
    var bytes = [UInt8(clamping: bands.count)]
    bytes.append(littleEndian: (-max(0, bands.map(\.gain).max() ?? 0)).bitPattern)
    for band in bands {
      bytes.append(band.filter)
      for number in [band.gain, band.frequency, band.quality] {
        bytes.append(littleEndian: number.bitPattern)
      }
    }
    return bytes + Array(repeating: 0, count: bands.count * Self.padding)
  }

  /// The gains in order of frequency, rounded to steps of 0.5 dB.
  public var gains: [BandGain] {
    order.compactMap { BandGain(halfDecibels: Int8((bands[$0].gain * 2).rounded())) }
  }

  /// The bands' frequencies in ascending order, in Hz.
  public var centres: [Int] { order.map { Int(bands[$0].frequency.rounded()) } }

  /// Returns the same bands with other gains, one for each band in order of frequency.
  public func with(_ gains: [BandGain]) -> NothingGains {
    var changed = self
    for (place, gain) in zip(order, gains) { changed.bands[place].gain = Float(gain.decibels) }
    return changed
  }

  private var order: [Int] {
    bands.indices.sorted { bands[$0].frequency < bands[$1].frequency }
  }
}
