public import BluetoothCodec

/// The custom equaliser of Nothing and CMF: a low shelf, a peak and a high shelf.
///
/// Published layout: a count, the gain of all (minus the highest of the bands), then for each band
/// its filter and its gain (dB), frequency (Hz) and quality as IEEE 754 numbers of 32 bits, little
/// endian. The phone's order goes on with three zeros for each band.
public struct NothingGains: Hashable, Sendable {
  /// One filter.
  public struct Band: Hashable, Sendable {
    /// 0 low shelf, 1 peak, 2 high shelf.
    public var filter: UInt8
    /// dB.
    public var gain: Float
    /// Hz.
    public var frequency: Float
    /// The filter's Q: how narrow it is.
    public var quality: Float

    public init(filter: UInt8, gain: Float, frequency: Float, quality: Float) {
      self.filter = filter
      self.gain = gain
      self.frequency = frequency
      self.quality = quality
    }
  }

  /// As they were told; an order repeats all but the gains.
  public var bands: [Band]

  public init(_ bands: [Band]) { self.bands = bands }

  /// What the maker's app offers, in dB.
  public static let range: ClosedRange<Float> = -6...6
  /// The same, as the screen has it.
  static let limit = BandGain(halfDecibels: 12) ?? .most
  private static let mostBands = 8
  private static let audible: ClosedRange<Float> = 20...20_000
  private static let padding = 3

  /// Reads a frame's payload of 1 to 8 bands; the gain of all is left out.
  ///
  /// - Throws: for a gain outside ``range``, or a frequency that nobody hears.
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

  /// As the phone orders them.
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

  /// From low to high, rounded to the steps of 0.5 dB that the screen has.
  public var gains: [BandGain] {
    order.compactMap { BandGain(halfDecibels: Int8((bands[$0].gain * 2).rounded())) }
  }

  /// The middle of each band in Hz, from low to high.
  public var centres: [Int] { order.map { Int(bands[$0].frequency.rounded()) } }

  /// The same bands with other gains.
  ///
  /// - Parameter gains: from low to high, as many as there are bands.
  public func with(_ gains: [BandGain]) -> NothingGains {
    var changed = self
    for (place, gain) in zip(order, gains) { changed.bands[place].gain = Float(gain.decibels) }
    return changed
  }

  /// The places of the bands from low to high.
  private var order: [Int] {
    bands.indices.sorted { bands[$0].frequency < bands[$1].frequency }
  }
}
