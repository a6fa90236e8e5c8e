internal import BluetoothCodec

/// The equaliser of Sennheiser's headphones, whose bands are set and read one by one, in 0.1 dB.
struct SennheiserEqualiser: Hashable, Sendable {
  private let most: Int8
  private var bands: [BandGain?]
  /// The band that was requested last; its response may lack the band's number.
  private var asked: UInt8?

  /// Decodes the number of bands, and their minimum and maximum gain.
  init(_ reader: inout ByteReader) throws(MalformedBytes) {
    let count = try reader.uint8(in: 1...Self.mostBands)
    let (least, most) = (try reader.int8(), try reader.int8())
    guard least < 0, most > 0, least > .min else {
      throw reader.impossible(UInt8(bitPattern: least))
    }
    self.most = min(-least, most)
    bands = Array(repeating: nil, count: Int(count))
  }

  private static let mostBands: UInt8 = 10
  private static let tenths: Int8 = 5

  var count: Int { bands.count }

  var limit: BandGain { BandGain(halfDecibels: most / Self.tenths) ?? .most }

  var gains: [BandGain]? {
    let known = bands.compactMap(\.self)
    return known.count == bands.count ? known : nil
  }

  mutating func ask(_ band: UInt8) { asked = band }

  /// Returns the band of a response: the number in it, or else the last band requested.
  func band(of answer: Bytes) -> UInt8? { answer.count == 2 ? answer.first : asked }

  mutating func adopt(answer: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(answer, of: "Sennheiser equaliser")
    guard (1...2).contains(answer.count) else { throw reader.malformed(.badLength(answer.count)) }
    guard let band = band(of: answer) else { return }
    if answer.count == 2 { _ = try reader.uint8(in: 0...UInt8(clamping: bands.count - 1)) }
    let gain = try gain(&reader)
    if Int(band) < bands.count { bands[Int(band)] = gain }
  }

  mutating func adopt(all gains: Bytes) throws(MalformedBytes) {
    var reader = ByteReader(gains, of: "Sennheiser equaliser")
    guard gains.count == bands.count else { throw reader.malformed(.badLength(gains.count)) }
    var adopted: [BandGain] = []
    for _ in bands { adopted.append(try gain(&reader)) }
    bands = adopted
  }

  private func gain(_ reader: inout ByteReader) throws(MalformedBytes) -> BandGain {
    let tenths = try reader.int8()
    let halves = Int8((Double(tenths) / Double(Self.tenths)).rounded())
    guard abs(Int(tenths)) <= Int(most), let gain = BandGain(halfDecibels: halves) else {
      throw reader.impossible(UInt8(bitPattern: tenths))
    }
    return gain
  }

  static func byte(of gain: BandGain) -> UInt8 {
    UInt8(bitPattern: gain.halfDecibels * tenths)
  }
}
