import BluetoothCodec
import Testing

@testable import CompanionRuntime

@Suite struct `What an attribute's bytes mean` {
  @Test(
    arguments: [
      (0x2A19, [84], "84%"), (0x2A19, [101], nil), (0x2A19, [], nil), (0x2902, [1, 0], "notify"),
      (0x2902, [0, 0], "off"), (0x2902, [3, 0], "notify, indicate"), (0x2902, [1], nil),
      (0x2904, [4, 0, 0xAD, 0x27, 1, 0x0D, 1], "uint8, %, left"),
      (0x2904, [0x7F, 0, 1, 2, 1, 9, 9], "format 127, unit 0201, description 0909"),
      (0x2904, [4], nil),
      (
        0x2A50, [1, 0x4C, 0, 0x0A, 0x20, 0, 1],
        "Bluetooth SIG vendor 004C, product 200A, version 0100"
      ),
      (0x2A01, [0x43, 0x09], "headphones"), (0x2A01, [0xC0, 0xFF], "category 1023"),
      (0x2A05, [1, 0, 0xFF, 0xFF], "handles 0001 to FFFF"),
      (
        0x2A04, [6, 0, 24, 0, 0, 0, 100, 0],
        "interval 7.5 ms to 30.0 ms, latency 0, timeout 1000 ms"
      ),
      (0x2AA6, [1], "supported"), (0x2B29, [1], "robust caching"), (0x2B29, [0], "none"),
      (0xFFF1, [2], "transparency"), (0xFFF1, [9], nil), (0xFFF2, [1], "bass boost"),
      (0x2A00, [0x41], nil),
    ] as [(UInt16, [UInt8], String?)])
  func `is reported in words where the format is known`(
    type: UInt16, bytes: [UInt8], displayText: String?
  ) {
    #expect(bytes.meaning(as: .bit16(type)) == displayText)
  }

  @Test func `is reported for any bytes without harm`() {
    let types: [UInt16] = [
      0x2A19, 0x2900, 0x2902, 0x2903, 0x2904, 0x2A50, 0x2A01, 0x2A05, 0x2A04, 0x2AA6, 0x2B29,
      0x2B3A, 0xFFF1, 0xFFF2,
    ]
    for type in types {
      for length in 0...9 {
        for byte in [UInt8(0), 1, 0x7F, 0xFF] {
          let bytes = [UInt8](repeating: byte, count: length)
          #expect(bytes.meaning(as: .bit16(type))?.isEmpty != true)
        }
      }
    }
  }
}
