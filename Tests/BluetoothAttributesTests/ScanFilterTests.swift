import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Testing

@Suite struct ScanFilterTests {
  private static let control = BluetoothUUID.bit16(0xFFF0)

  @Test(arguments: [
    (AdvertisingStructure.serviceUUIDs([control], isComplete: false), true),
    (.serviceUUIDs([control], isComplete: true), true),
    (.serviceData(control, [0x01]), true),
    (.serviceUUIDs([.bit16(0x180F)], isComplete: true), false),
  ])
  func `a service counts where it is listed or has data`(
    structure: AdvertisingStructure, passes: Bool
  ) {
    let options = ScanOptions(services: [Self.control])
    #expect(options.passes(peripheral([structure])) == passes)
  }

  @Test(arguments: [(Int8(-91), false), (-90, true), (nil, true)] as [(Int8?, Bool)])
  func `the floor counts where the signal is known`(rssi: Int8?, passes: Bool) {
    #expect(ScanOptions(rssiFloor: -90).passes(peripheral([], rssi: rssi)) == passes)
  }

  @Test(arguments: [
    ("head", true), ("MYHEAD", true), ("", true), ("tail", false),
  ])
  func `the name counts in part and in any case`(wanted: String, passes: Bool) {
    let name = AdvertisingStructure.localName(Bytes("MyHeadphone".utf8), isComplete: true)
    #expect(ScanOptions(name: wanted).passes(peripheral([name])) == passes)
  }

  @Test func `a wanted name needs a name`() {
    #expect(!ScanOptions(name: "head").passes(peripheral([])))
  }

  private func peripheral(_ structures: [AdvertisingStructure], rssi: Int8? = -50)
    -> DiscoveredPeripheral
  {
    DiscoveredPeripheral(
      peer: PeerAddress(BluetoothAddress(value: 1), .public), rssi: rssi,
      data: AdvertisingData(structures), isConnectable: true)
  }
}
