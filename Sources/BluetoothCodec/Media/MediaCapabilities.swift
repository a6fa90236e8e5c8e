/// A codec of Bluetooth sound with its parameters, decoded from the bytes that bluetoothd reports.
///
/// The capabilities of an endpoint have a bit for each possible value, and the configuration of a
/// transport has the chosen ones.
///
/// ```swift
/// let sbc = MediaCapabilities(codec: 0, bytes: [0x21, 0x15, 2, 53])
/// print(sbc.codec, sbc.rates, sbc.bitRate ?? 0)  // sbc [44100] 328
/// ```
///
/// | codec | bytes after those of the codec's number |
/// | --- | --- |
/// | SBC | rate and channels (4 bits each), blocks, subbands and allocation, bitpool (2 bytes) |
/// | AAC | object types, rates (12 bits), channels (4 bits), variable (1 bit), bit rate (23 bits) |
/// | other | company (4 bytes), codec (2 bytes), parameters of the codec |
/// | LC3 | length, type and value, repeated |
///
/// The numbers are those of A2DP 1.3 and of PipeWire's a2dp-codec-caps.h (read in November 2026).
package struct MediaCapabilities: Hashable, Sendable {
  /// The name that sound servers use, for example "aptx_hd", or else the codec's number.
  package var codec: String
  /// The sampling rates in Hz, ascending; empty if unknown.
  package var rates: [Int] = []
  /// The bitpool of SBC.
  package var bitpool: ClosedRange<UInt8>?
  /// The highest bit rate in kbit/s, or nil if the bytes do not tell.
  package var bitRate: Int?

  package init(
    codec: String, rates: [Int] = [], bitpool: ClosedRange<UInt8>? = nil, bitRate: Int? = nil
  ) {
    self.codec = codec
    self.rates = rates
    self.bitpool = bitpool
    self.bitRate = bitRate
  }

  /// Decodes an endpoint or transport of A2DP; bytes that are missing leave their values unknown.
  package init(codec: UInt8, bytes: [UInt8]) {
    switch codec {
    case 0x00: self.init(sbc: bytes)
    case 0x01: self.init(codec: "mp3")
    case 0x02: self.init(aac: bytes)
    case 0x03: self.init(codec: "usac")
    case 0x04: self.init(codec: "atrac")
    case 0xFF: self.init(vendor: bytes)
    default: self.init(codec: "codec_" + hexadecimal(codec, width: 2))
    }
  }

  /// Decodes an endpoint or transport of LE Audio.
  package init(leAudio codec: UInt8, bytes: [UInt8], isConfiguration: Bool) {
    guard codec == 0x06 else {
      self.init(codec: "codec_" + hexadecimal(codec, width: 2))
      return
    }
    let rates = [8000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 88_200, 96_000]
    let value = Self.value(ofType: 0x01, in: bytes) ?? []
    let low = value.first.map(Int.init) ?? 0
    let high = value.count > 1 ? Int(value[value.startIndex + 1]) : 0
    self.init(
      codec: "lc3",
      rates: rates.indices.filter { index in
        isConfiguration ? low == index + 1 : (high << 8 | low) >> index & 1 == 1
      }.map { rates[$0] })
  }

  private init(sbc bytes: [UInt8]) {
    self.init(codec: "sbc")
    guard bytes.count >= 4 else { return }
    rates = Self.classicRates(bytes[0] >> 4)
    guard bytes[2] <= bytes[3] else { return }
    bitpool = bytes[2]...bytes[3]
    let blocks: [UInt8: Int] = [1: 16, 2: 12, 4: 8, 8: 4]
    let subbands: [UInt8: Int] = [1: 8, 2: 4]
    guard let rate = rates.first, rates.count == 1, let blocks = blocks[bytes[1] >> 4],
      let subbands = subbands[bytes[1] >> 2 & 3]
    else { return }
    let pool = Int(bytes[3])
    // A2DP 1.3, 12.9: the length of a frame.
    let length: Int
    switch bytes[0] & 0x0F {
    case 1: length = 4 + subbands + (subbands + blocks * pool + 7) / 8
    case 2: length = 4 + subbands + (blocks * pool + 7) / 8
    case 4: length = 4 + subbands + (2 * blocks * pool + 7) / 8
    case 8: length = 4 + subbands / 2 + (blocks * pool + 7) / 8
    default: return
    }
    let samples = subbands * blocks
    bitRate = (8 * length * rate / samples + 500) / 1000
  }

  private init(aac bytes: [UInt8]) {
    self.init(codec: "aac")
    guard bytes.count >= 6 else { return }
    let all = [
      96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000,
    ]
    let bits = Int(bytes[1]) << 4 | Int(bytes[2] >> 4)
    rates = all.indices.filter { bits >> $0 & 1 == 1 }.map { all[$0] }.reversed()
    let most = Int(bytes[3] & 0x7F) << 16 | Int(bytes[4]) << 8 | Int(bytes[5])
    bitRate = most == 0 ? nil : most / 1000
  }

  private init(vendor bytes: [UInt8]) {
    guard bytes.count >= 6 else {
      self.init(codec: "codec_FF")
      return
    }
    let company = bytes[..<4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    let number = UInt16(bytes[5]) << 8 | UInt16(bytes[4])
    let name = Self.vendors.first { $0.company == company && $0.number == number }?.name
    self.init(
      codec: name ?? "codec_\(hexadecimal(company, width: 4))_\(hexadecimal(number, width: 4))")
    guard bytes.count > 6 else { return }
    switch codec {
    case "aptx", "aptx_hd", "aptx_ll": rates = Self.classicRates(bytes[6] >> 4)
    case "ldac":
      let all = [192_000, 176_400, 96_000, 88_200, 48_000, 44_100]
      rates = all.indices.filter { bytes[6] >> $0 & 1 == 1 }.map { all[$0] }.reversed()
    case "opus_g": rates = bytes[6] & 0x80 == 0 ? [] : [48_000]
    default: break
    }
  }

  private static func classicRates(_ bits: UInt8) -> [Int] {
    let all = [48_000, 44_100, 32_000, 16_000]
    return all.indices.filter { bits >> $0 & 1 == 1 }.map { all[$0] }.reversed()
  }

  /// Returns the value of a type among lengths, types and values, or nil if it is not there.
  private static func value(ofType type: UInt8, in bytes: [UInt8]) -> ArraySlice<UInt8>? {
    var rest = bytes[...]
    while let length = rest.first, length > 0, rest.count > Int(length) {
      let item = rest.dropFirst().prefix(Int(length))
      if item.first == type { return item.dropFirst() }
      rest = rest.dropFirst(1 + Int(length))
    }
    return nil
  }

  private static let vendors: [(company: UInt32, number: UInt16, name: String)] = [
    (0x004F, 0x0001, "aptx"), (0x00D7, 0x0024, "aptx_hd"), (0x000A, 0x0002, "aptx_ll"),
    (0x00D7, 0x0002, "aptx_ll"), (0x00D7, 0x00AD, "aptx_adaptive"),
    (0x000A, 0x0001, "faststream"), (0x012D, 0x00AA, "ldac"), (0x08A9, 0x0001, "lc3plus_hr"),
    (0x053A, 0x484C, "lhdc_v1"), (0x053A, 0x4C32, "lhdc_v2"), (0x053A, 0x4C33, "lhdc_v3"),
    (0x053A, 0x4C35, "lhdc_v5"), (0x053A, 0x4C4C, "lhdc_ll"),
    (0x0075, 0x0102, "samsung_hd"), (0x0075, 0x0103, "samsung_scalable"),
    (0x05F1, 0x1005, "opus_05"), (0x00E0, 0x0001, "opus_g"),
  ]
}
