import BluetoothCodec
import HeadphoneProtocols
import Testing
import VirtualHeadphones

@Suite struct AdvertisementTests {
  static let bytes: [UInt8] = [0x01, 0xF5, 0xF4, 0xF3, 0xF2, 0xF1, 0xF0, 80, 0x80 | 75, 0xFF]

  @Test func `manufacturer data has the document's bytes`() throws {
    let advertisement = try HeadphoneAdvertisement(decoding: Self.bytes[...])
    #expect(advertisement.audioAddress.description == "F0:F1:F2:F3:F4:F5")
    #expect(
      advertisement.battery == BatteryReport(left: 80, right: 75, case: nil, charging: [.right]))
    #expect(advertisement.encoded() == Self.bytes)
  }

  @Test func `it is found among other structures`() {
    let data = AdvertisingData([
      .txPower(4), .manufacturerData(company: 0x004C, [1, 2]),
      .manufacturerData(company: 0xFFFF, Self.bytes[...]),
    ])
    #expect(HeadphoneAdvertisement(data)?.battery.left == 80)
    #expect(HeadphoneAdvertisement(AdvertisingData()) == nil)
  }

  @Test func `nonsense is rejected`() {
    for length in 0..<Self.bytes.count {
      #expect(throws: MalformedBytes.self) {
        try HeadphoneAdvertisement(decoding: Self.bytes.prefix(length))
      }
    }
    for (index, value) in [(0, 2), (7, 101), (8, 0x80 | 101)] as [(Int, UInt8)] {
      var bytes = Self.bytes
      bytes[index] = value
      #expect(throws: MalformedBytes.self) { try HeadphoneAdvertisement(decoding: bytes[...]) }
    }
  }
}
