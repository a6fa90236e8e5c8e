import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Testing

@Suite struct AdvertisingPatternTests {
  private static let masked = AdvertisingPattern.service(
    BluetoothUUID(high: 0x0000_F5DA_0000_1000, low: 0x8000_0080_5F9B_34FB),
    mask: BluetoothUUID(high: 0x0000_FFFF_FFFF_FFFF, low: .max))
  private static let message = AdvertisingPattern.manufacturer(company: 0x004C, prefix: [7, 0x19])

  @Test(arguments: [
    ("0100f5da-0000-1000-8000-00805f9b34fb", true),
    ("013cf5da-0000-1000-8000-00805f9b34fb", true),
    ("0100f5db-0000-1000-8000-00805f9b34fb", false), ("f5db", false), ("f5da", true),
  ])
  func `the bits of the mask decide`(_ uuid: String, _ matches: Bool) throws {
    let data = AdvertisingData([
      .serviceUUIDs([try #require(BluetoothUUID(uuid))], isComplete: true)
    ])
    #expect(Self.masked.matches(data) == matches)
  }

  @Test(arguments: [
    (0x004C as UInt16, [7, 0x19, 1] as [UInt8], true), (0x004C, [0x10, 5], false),
    (0x004D, [7, 0x19, 1], false), (0x004C, [], false),
  ])
  func `company and first bytes decide`(_ company: UInt16, _ bytes: [UInt8], _ matches: Bool) {
    let data = AdvertisingData([.manufacturerData(company: company, bytes[...])])
    #expect(Self.message.matches(data) == matches)
  }

  @Test func `a scan for services and patterns takes either, and no other`() {
    let options = ScanOptions(services: [.bit16(0xFFF0)], patterns: [Self.message])
    func passes(_ structure: AdvertisingStructure) -> Bool {
      options.passes(
        DiscoveredPeripheral(
          peer: PeerAddress(BluetoothAddress(value: 1), .random), rssi: -50,
          data: AdvertisingData([structure]), isConnectable: true))
    }
    #expect(passes(.serviceUUIDs([.bit16(0xFFF0)], isComplete: true)))
    #expect(passes(.manufacturerData(company: 0x004C, [7, 0x19])))
    #expect(!passes(.serviceUUIDs([.bit16(0x1812)], isComplete: true)))
    #expect(!passes(.manufacturerData(company: 0x004C, [0x10])))
  }
}
