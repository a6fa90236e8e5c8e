internal import BluetoothCodec

/// The ten bands of a QCY headphone's equaliser, as in block 22.
///
/// | offset | size | field |
/// | --- | --- | --- |
/// | 0 | 1 | preset; 8 is the user's own |
/// | 1 | 2 | overall gain, LE, 0.01 dB |
/// | 3 | 7 each | ``Band`` |
///
/// Two projects publish the layout. One mentions a response of a MeloBuds N70, without its bytes.
struct QCYEqualiser: Hashable, Sendable {
  /// A band: frequency in Hz, gain in 0.01 dB and Q factor in 0.01, each LE, and a type.
  struct Band: Hashable, Sendable {
    var frequency: UInt16
    var gain: Int16
    var quality: UInt16
    var type: UInt8
  }

  private static let own: UInt8 = 8
  /// The frequencies of the known layout in Hz; models with others may number presets differently.
  private static let frequencies: [UInt16] = [
    31, 62, 125, 250, 500, 1000, 2000, 4000, 8000, 16_000,
  ]
  static let limit = BandGain(halfDecibels: 16) ?? .most

  private var preset: UInt8
  private var gain: UInt16
  private(set) var bands: [Band] = []

  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    preset = try reader.uint8()
    gain = try reader.uint16()
    while !reader.isAtEnd {
      bands.append(
        Band(
          frequency: try reader.uint16(), gain: Int16(bitPattern: try reader.uint16()),
          quality: try reader.uint16(), type: try reader.uint8()))
    }
  }

  var isKnown: Bool { bands.map(\.frequency) == Self.frequencies }

  var gains: [BandGain] {
    let limit = Int16(Self.limit.halfDecibels)
    return bands.compactMap { band in
      BandGain(halfDecibels: Int8(clamping: min(max(band.gain / 50, -limit), limit)))
    }
  }

  func with(_ gains: [BandGain]) -> Self {
    var changed = self
    changed.preset = Self.own
    for index in bands.indices { changed.bands[index].gain = Int16(gains[index].halfDecibels) * 50 }
    return changed
  }

  func encoded() -> [UInt8] {
    var bytes = [preset]
    bytes.append(littleEndian: gain)
    for band in bands {
      bytes.append(littleEndian: band.frequency)
      bytes.append(littleEndian: UInt16(bitPattern: band.gain))
      bytes.append(littleEndian: band.quality)
      bytes.append(band.type)
    }
    return bytes
  }
}
