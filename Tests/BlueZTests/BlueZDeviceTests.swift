import BluetoothCodec
import BluetoothRadio
import DBus
import Testing

@testable import BlueZ

/// The properties of Device1, with values of bluetoothd 5.66.
@Suite struct BlueZDeviceTests {
  static let path = "/org/bluez/hci0/dev_F0_F1_F2_F3_F4_F5"
  static let uuid = "0000110b-0000-1000-8000-00805f9b34fb"

  static func properties(_ more: [String: DBusValue] = [:]) -> [String: DBusValue] {
    [
      "Address": .string("F0:F1:F2:F3:F4:F5"), "AddressType": .string("public"),
      "Adapter": .objectPath("/org/bluez/hci0"),
    ].merging(more) { $1 }
  }

  static func device(_ more: [String: DBusValue] = [:]) throws -> BlueZDevice {
    try #require(BlueZDevice(at: path, properties(more)))
  }

  @Test func `kept keys are a pairing, whatever Paired says`() throws {
    let device = try Self.device(["Paired": .boolean(false), "Bonded": .boolean(true)])
    #expect(device.isPaired)
    #expect(try !Self.device(["Paired": .boolean(false), "Bonded": .boolean(false)]).isPaired)
  }

  @Test(
    arguments: [
      ([:], false), (["Class": .uint32(0x240418)], true),
      (["AdvertisingFlags": .bytes([0x06])], false), (["AdvertisingFlags": .bytes([0x1A])], true),
      (["AdvertisingFlags": .bytes([])], false), (["AdvertisingFlags": .string("x")], false),
    ] as [([String: DBusValue], Bool)])
  func `a side of BR/EDR is known by its class or the advertised flags`(
    properties: [String: DBusValue], isKnown: Bool
  ) throws {
    #expect(try Self.device(properties).showsClassic == isKnown)
  }

  @Test(arguments: [
    ("bluetooth:v004Cp2014d0B87", ProductID(vendor: 0x004C, product: 0x2014)),
    ("bluetooth:v004Cp2014", ProductID(vendor: 0x004C, product: 0x2014)),
    ("usb:v05ACp2014d0B87", nil), ("bluetooth:v004Cp201", nil), ("bluetooth:v+04Cp2014d", nil),
    ("bluetooth:v004Cx2014d", nil), ("", nil),
  ])
  func `a product is read of a modalias`(modalias: String, product: ProductID?) throws {
    #expect(try Self.device(["Modalias": .string(modalias)]).product == product)
  }

  @Test func `all that is needed is read`() throws {
    let device = try Self.device([
      "AddressType": .string("random"), "Name": .string("Earshot One"),
      "Class": .uint32(0x240418), "UUIDs": .strings([Self.uuid, "nonsense"]),
      "ManufacturerData": .dictionary(
        key: "q", value: "v", [.uint16(65535): .variant(.bytes([1, 2]))]),
      "ServiceData": .dictionary(
        key: "s", value: "v",
        [.string("0000fe2c-0000-1000-8000-00805f9b34fb"): .variant(.bytes([3]))]),
      "RSSI": .int16(-60), "Paired": .boolean(true), "Bonded": .boolean(false),
      "Trusted": .boolean(true), "Connected": .boolean(true),
    ])
    #expect(device.address == BluetoothAddress("F0:F1:F2:F3:F4:F5"))
    #expect(device.isRandom && device.isPaired && device.isTrusted)
    #expect(device.isConnected && !device.areServicesResolved)
    #expect(device.services == [.bit16(0x110B)])
    #expect(device.manufacturerData == [65535: [1, 2]])
    #expect(device.serviceData == [.bit16(0xFE2C): [3]])
    #expect(device.rssi == -60)
    let data = device.advertisingData
    #expect(data.localName == "Earshot One")
    #expect(data.classOfDevice == 0x240418)
    #expect(data.manufacturerData(for: 65535) == [1, 2])
    #expect(data.advertises(.bit16(0xFE2C)) && data.advertises(.bit16(0x110B)))
  }

  @Test(arguments: [(6, true), (5, false)])
  func `a member of a set is known by what bluetoothd shows of its advertisement`(
    length: Int, isKnown: Bool
  ) throws {
    let identifier = Array(repeating: UInt8(7), count: length)
    let device = try Self.device([
      "AdvertisingData": .dictionary(
        key: "y", value: "v",
        [.byte(0x01): .variant(.bytes([6])), .byte(0x2E): .variant(.bytes(identifier))])
    ])
    #expect(device.setIdentifier == (isKnown ? identifier : nil))
    #expect(device.advertisingData.setIdentifier.map(Array.init) == device.setIdentifier)
  }

  @Test(
    arguments: [
      ["Address": .byte(1)], ["Address": .string("no address")], ["Adapter": .string("/x")],
    ] as [[String: DBusValue]])
  func `without an address or an adapter it is none`(wrong: [String: DBusValue]) {
    #expect(BlueZDevice(at: Self.path, Self.properties(wrong)) == nil)
  }

  @Test func `values of other types and sizes count as not reported`() throws {
    let device = try Self.device([
      "Name": .byte(1), "Class": .string("x"),
      "UUIDs": .strings(Array(repeating: Self.uuid, count: 5000)),
      "ManufacturerData": .dictionary(
        key: "q", value: "v",
        [
          .uint16(1): .variant(.string("x")),
          .uint16(2): .variant(.bytes(Array(repeating: 0, count: 100_000))),
        ]),
      "RSSI": .int16(-3000), "Paired": .string("yes"), "TxPower": .int16(4),
    ])
    #expect(device.name == nil && device.classOfDevice == nil && device.rssi == nil)
    #expect(device.services.count == BlueZDevice.listLimit)
    #expect(device.manufacturerData.isEmpty)
    #expect(!device.isPaired)
    #expect(device.txPower == 4)
  }

  // MARK: Discovery

  @Test func `a broadcast is what its service data say, as long as it is received`() throws {
    let announcement = BluetoothUUID.bit16(0x1852)
    var results = DiscoveryResults(
      ScanOptions(services: [announcement], rssiFloor: .min, duration: nil))
    let properties: [String: DBusValue] = [
      "AddressType": .string("random"),
      "ServiceData": .dictionary(
        key: "s", value: "v",
        [
          .string("00001852-0000-1000-8000-00805f9b34fb"): .variant(.bytes([0xEF, 0xCD, 0xAB])),
          .string("00001856-0000-1000-8000-00805f9b34fb"): .variant(.bytes([5, 0])),
        ]),
      "AdvertisingData": .dictionary(
        key: "y", value: "v", [.byte(0x30): .variant(.bytes(Array("Gate 12".utf8)))]),
    ]
    #expect(results.update(try Self.device(properties), at: .zero) == nil)
    let found = try #require(results.update(try Self.received(properties), at: .zero))
    #expect(found.data.serviceData(for: announcement) == [0xEF, 0xCD, 0xAB])
    #expect(found.data.structures.contains(.other(type: 0x30, Array("Gate 12".utf8)[...])))
    // bluetoothd names neither the set nor the interval.
    #expect(found.advertisingSet == nil && found.periodicInterval == 0)
    let headphone = try Self.received(["UUIDs": .strings([Self.uuid])])
    #expect(results.update(headphone, at: .zero) == nil)
  }

  private static let wanted = ScanOptions(
    services: [.bit16(0xFE2C)], patterns: [.headphoneClass], rssiFloor: -90)

  private static func received(_ more: [String: DBusValue]) throws -> BlueZDevice {
    try device(["RSSI": .int16(-60)].merging(more) { $1 })
  }

  @Test func `a dual-mode headphone is one, and its audio side is known when it answers`() throws {
    var results = DiscoveryResults(Self.wanted)
    let service: [String: DBusValue] = [
      "UUIDs": .strings(["0000fe2c-0000-1000-8000-00805f9b34fb"])
    ]
    let first = try #require(results.update(try Self.received(service), at: .zero))
    #expect(first.peer == PeerAddress(try address(), .public))
    #expect(first.audioAddress == nil)
    let both = service.merging(["Class": .uint32(0x240418)]) { $1 }
    let second = try #require(results.update(try Self.received(both), at: .seconds(5)))
    #expect(second.peer == first.peer)
    #expect(second.audioAddress == first.peer.address)
  }

  private func address() throws -> BluetoothAddress {
    try #require(BluetoothAddress("F0:F1:F2:F3:F4:F5"))
  }

  @Test func `a headphone of BR/EDR alone is listed by its class`() throws {
    var results = DiscoveryResults(Self.wanted)
    let found = try #require(
      results.update(try Self.received(["Class": .uint32(0x240418)]), at: .zero))
    #expect(found.peer.kind == .classic)
    var others = DiscoveryResults(Self.wanted)
    // A phone, and a loudspeaker.
    for value: UInt32 in [0x5A020C, 0x240414] {
      #expect(others.update(try Self.received(["Class": .uint32(value)]), at: .zero) == nil)
    }
  }

  @Test func `a headphone whose LE link bluetoothd holds is listed, though it is silent`() throws {
    let properties: [String: DBusValue] = [
      "UUIDs": .strings(["0000fe2c-0000-1000-8000-00805f9b34fb"]), "Connected": .boolean(true),
      "ServicesResolved": .boolean(true), "AddressType": .string("random"),
    ]
    var results = DiscoveryResults(Self.wanted)
    let found = try #require(results.update(try Self.device(properties), at: .zero))
    #expect(found.peer == PeerAddress(try address(), .random))
    #expect(results.update(try Self.device(properties), at: .seconds(1)) == nil)
    // Its link may be this program's own, which bluetoothd has not read.
    let own = properties.merging(["ServicesResolved": .boolean(false)]) { $1 }
    var others = DiscoveryResults(Self.wanted)
    #expect(others.update(try Self.device(own), at: .zero) == nil)
  }

  @Test func `a headphone with serial controls is on its audio side, whatever its LE side shows`()
    throws
  {
    let service = "956c7b26-d49a-4ba8-b03f-b17d393cb6e2"
    let uuid = try #require(BluetoothUUID(service))
    let all = BluetoothUUID(high: .max, low: .max)
    let options = ScanOptions(patterns: [.serialService(uuid, mask: all), .headphoneClass])
    let properties: [String: DBusValue] = [
      "UUIDs": .strings([service]), "Class": .uint32(0x240418), "Name": .string("Mine"),
      "ManufacturerData": .dictionary(
        key: "q", value: "ay", [.uint16(0x012D): .bytes([1])]),
    ]
    var results = DiscoveryResults(options)
    let near = try #require(results.update(try Self.received(properties), at: .zero))
    #expect(near.peer.kind == .classic && !near.isAudioOnly)
    // Connected, and not on the air.
    let connected = properties.merging(["Connected": .boolean(true)]) { $1 }
    let found = try #require(results.update(try Self.device(connected), at: .seconds(1)))
    #expect(found.peer.kind == .classic && found.data.localName == "Mine")
  }

  @Test func `what is not received now, and what has not changed, is not reported`() throws {
    var results = DiscoveryResults(Self.wanted)
    let known = try Self.device(["Class": .uint32(0x240418), "Paired": .boolean(true)])
    #expect(results.update(known, at: .zero) == nil)
    let received = try Self.received(["Class": .uint32(0x240418)])
    #expect(results.update(received, at: .zero) != nil)
    #expect(results.update(received, at: .seconds(2)) == nil)
    let nearer = try Self.received(["Class": .uint32(0x240418), "RSSI": .int16(-50)])
    #expect(results.update(nearer, at: .milliseconds(500)) == nil)
    #expect(results.update(nearer, at: .seconds(2))?.rssi == -50)
    results.remove(Self.path)
    #expect(results.update(nearer, at: .seconds(2)) != nil)
  }

  @Test func `the first adapter that is on is used, or the one that was named`() {
    var tree = DBusObjectTree()
    for (name, isOn) in [("hci0", false), ("hci1", true)] {
      _ = tree.apply(
        DBusSignal(
          "InterfacesAdded", of: "org.freedesktop.DBus.ObjectManager", at: "/",
          [
            .objectPath("/org/bluez/\(name)"),
            .dictionary(
              key: "s", value: "a{sv}",
              [.string("org.bluez.Adapter1"): .options(["Powered": .boolean(isOn)])]),
          ]))
    }
    let objects = BlueZObjects(tree)
    #expect(objects.adapter(named: nil)?.name == "hci1")
    #expect(objects.adapter(named: "hci0")?.isPowered == false)
    #expect(objects.adapter(named: "hci7") == nil)
  }
}
