import Testing

@testable import BluetoothCodec

/// The bytes are as headphones and PipeWire's a2dp-codec-caps.h have them.
@Suite struct MediaCapabilitiesTests {
  @Test(
    arguments: [
      (0x00, "FF FF 02 35", "sbc", [16_000, 32_000, 44_100, 48_000], nil),
      (0x00, "21 15 02 35", "sbc", [44_100], 328), (0x00, "11 15 02 35", "sbc", [48_000], 357),
      (0x00, "24 15 02 26", "sbc", [44_100], 452), (0x00, "28 15 02 1F", "sbc", [44_100], 193),
      (0x00, "22 15 02 35", "sbc", [44_100], 325), (0x00, "21 15", "sbc", [], nil),
      (0x01, "3F 07 FF FE", "mp3", [], nil),
      (0x02, "80 01 8C 84 E2 00", "aac", [44_100, 48_000], 320),
      (0x02, "80 01 04 04 00 00", "aac", [44_100], 262), (0x02, "80", "aac", [], nil),
      (0xFF, "4F 00 00 00 01 00 32", "aptx", [44_100, 48_000], nil),
      (0xFF, "D7 00 00 00 24 00 12 00 00 00 00", "aptx_hd", [48_000], nil),
      (0xFF, "0A 00 00 00 02 00 32 00", "aptx_ll", [44_100, 48_000], nil),
      (0xFF, "D7 00 00 00 AD 00 0F", "aptx_adaptive", [], nil),
      (0xFF, "2D 01 00 00 AA 00 3C 07", "ldac", [44_100, 48_000, 88_200, 96_000], nil),
      (0xFF, "2D 01 00 00 AA 00 04 01", "ldac", [96_000], nil),
      (0xFF, "3A 05 00 00 33 4C 84 01 F1", "lhdc_v3", [], nil),
      (0xFF, "75 00 00 00 03 01", "samsung_scalable", [], nil),
      (0xFF, "E0 00 00 00 01 00 92", "opus_g", [48_000], nil),
      (0xFF, "34 12 00 00 78 56 01", "codec_1234_5678", [], nil),
      (0xFF, "2D 01", "codec_FF", [], nil), (0x07, "", "codec_07", [], nil),
    ] as [(UInt8, String, String, [Int], Int?)])
  func `a codec of A2DP is named, with its rates`(
    _ codec: UInt8, _ bytes: String, _ name: String, _ rates: [Int], _ bitRate: Int?
  ) {
    let decoded = MediaCapabilities(codec: codec, bytes: Array(hex(bytes)))
    #expect(decoded.codec == name && decoded.rates == rates && decoded.bitRate == bitRate)
  }

  @Test func `SBC has its bitpool, unless the ends are the wrong way round`() {
    #expect(MediaCapabilities(codec: 0, bytes: [0x21, 0x15, 2, 53]).bitpool == 2...53)
    #expect(MediaCapabilities(codec: 0, bytes: [0x21, 0x15, 53, 2]).bitpool == nil)
  }

  @Test(
    arguments: [
      (0x06, "03 01 FF 00 02 02 03 05 04 1E 00 9B 00", false, "lc3", 8),
      (0x06, "02 01 08 02 02 01 03 04 78 00", true, "lc3", 1),
      (0x06, "02 02 01", true, "lc3", 0), (0x06, "09 01 08", true, "lc3", 0),
      (0x06, "00 01 08", true, "lc3", 0), (0xFF, "", false, "codec_FF", 0),
    ] as [(UInt8, String, Bool, String, Int)])
  func `LC3 has its rates among lengths, types and values`(
    _ codec: UInt8, _ bytes: String, _ isConfiguration: Bool, _ name: String, _ count: Int
  ) {
    let decoded = MediaCapabilities(
      leAudio: codec, bytes: Array(hex(bytes)), isConfiguration: isConfiguration)
    #expect(decoded.codec == name && decoded.rates.count == count)
    #expect(decoded.rates.isEmpty || decoded.rates.last == 48_000)
  }

  @Test func `any bytes are read without a trap`() {
    for codec in UInt8.min...UInt8.max {
      for count in 0..<12 {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ Int(codec)) }
        _ = MediaCapabilities(codec: codec, bytes: bytes)
        _ = MediaCapabilities(leAudio: 6, bytes: bytes, isConfiguration: count.isMultiple(of: 2))
      }
    }
  }
}
