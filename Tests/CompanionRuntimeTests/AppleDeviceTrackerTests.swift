import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Companion
import Configuration
import HeadphoneProtocols
import Testing

@testable import CompanionRuntime

/// AirPods that advertise and are linked over BR/EDR are one headphone.
@Suite struct AppleBookTests {
  private let audio = BluetoothAddress(value: 0x3C22_FB00_0001)
  private let other = BluetoothAddress(value: 0x3C22_FB00_0002)

  private func clock() -> Timestamp { noon }

  /// Returns an advertisement; `levels` has a nibble of steps for each bud.
  private func advertised(
    _ model: UInt8 = 0x14, colour: UInt8 = 0, bud: UInt64 = 1, levels: UInt8 = 0x79
  ) -> DiscoveredPeripheral {
    let bytes: [UInt8] =
      [0x07, 0x19, 0x01, model, 0x20, 0x33, levels, 0x26, 0x01, colour, 0x05]
      + Array(repeating: 0xE5, count: 16)
    return DiscoveredPeripheral(
      peer: PeerAddress(BluetoothAddress(value: 0x5A00_0000_0000 | bud), .random), rssi: -48,
      data: AdvertisingData([.manufacturerData(company: 0x004C, bytes[...])]), isConnectable: false)
  }

  private func connected(_ address: BluetoothAddress, product: UInt16 = 0x2014)
    -> DiscoveredPeripheral
  {
    DiscoveredPeripheral(
      peer: PeerAddress(address, .classic), rssi: nil, data: AdvertisingData(),
      isConnectable: true, product: ProductID(vendor: 0x004C, product: product))
  }

  @Test(arguments: [false, true])
  func `the audio side and the advertisements are one, whichever is received first`(
    _ audioFirst: Bool
  ) {
    var registry = DeviceRegistry(models: .bundled, now: clock)
    let peripherals = [advertised(), connected(audio)]
    let received = (audioFirst ? peripherals.reversed() : peripherals).map { registry.receive($0) }
    #expect(received[0].id == received[1].id && received[0].name == "AirPods Pro 2")
    #expect(registry.peer(of: received[0].id) == PeerAddress(audio, .classic))
    let later = registry.receive(advertised(bud: 2))
    #expect(
      later.id == received[0].id
        && later.address == PeerAddress(BluetoothAddress(value: 0x3C22_FB00_0001), .classic))
    #expect(later.publicAddress == "3C:22:FB:00:00:01" && later.reported != nil)
  }

  @Test func `two of one model are not taken for each other`() {
    var registry = DeviceRegistry(models: .bundled, now: clock)
    let white = registry.receive(advertised(colour: 0)),
      black = registry.receive(advertised(colour: 1))
    let here = registry.receive(connected(audio))
    #expect(Set([white.id, black.id, here.id]).count == 3)
    #expect(registry.receive(connected(audio)).id == here.id)
    #expect(registry.receive(connected(other)).id != here.id)
  }

  @Test func `another model's audio side is another headphone`() {
    var registry = DeviceRegistry(models: .bundled, now: clock)
    #expect(
      registry.receive(advertised()).id != registry.receive(connected(audio, product: 0x200E)).id)
  }

  @Test func `one of an earlier run is known by its audio side`() {
    var registry = DeviceRegistry(models: .bundled, now: clock)
    let id = HeadphoneID(rawValue: "apple-2014-0")
    registry.know(
      KnownHeadphone(
        id: id, name: "AirPods Pro 2",
        address: PeerAddress(BluetoothAddress(value: 0x3C22_FB00_0001), .classic)))
    #expect(registry.peer(of: id) == PeerAddress(audio, .classic))
    #expect(registry.receive(connected(audio)).id == id && registry.receive(advertised()).id == id)
    registry.forget(id)
    #expect(registry.peer(of: id) == nil)
  }

  @Test func `one of an earlier run that advertises before its audio side tells is no other`() {
    var registry = DeviceRegistry(models: .bundled, now: clock)
    let id = HeadphoneID(rawValue: "3C22FB000001")
    registry.know(
      KnownHeadphone(
        id: id, name: "AirPods Pro 2",
        address: PeerAddress(BluetoothAddress(value: 0x3C22_FB00_0001), .classic)))
    let unknownDevice = registry.receive(advertised()).id
    #expect(unknownDevice != id)
    let here = registry.receive(connected(audio))
    #expect(here.id == id && here.earlierID == unknownDevice)
    #expect(
      registry.receive(advertised()).id == id && registry.receive(advertised(bud: 2)).id == id)
    #expect(
      registry.receive(connected(audio)).earlierID == nil && registry.peer(of: unknownDevice) == nil
    )
    #expect(registry.receive(advertised(bud: 3, levels: 0x32)).id != id)
  }

  @Test func `phones and keyboards of the same maker are none`() {
    var apple = AppleDeviceTracker(models: .bundled, now: clock)
    #expect(apple.receive(connected(audio, product: 0x0267)) == nil)
    #expect(apple.peers.isEmpty)
  }

  @Test
  func `unknown devices of the same model and colour are reported apart by what they report`() {
    var registry = DeviceRegistry(models: .bundled, now: clock)
    let mine = registry.receive(advertised(bud: 1)).id
    // The other bud of the pair rounds one level otherwise.
    #expect(registry.receive(advertised(bud: 2, levels: 0x78)).id == mine)
    let unknownDevices = registry.receive(advertised(bud: 3, levels: 0x32)).id
    #expect(unknownDevices != mine)
    #expect(registry.receive(advertised(bud: 4, levels: 0x33)).id == unknownDevices)
    #expect(registry.receive(advertised(bud: 1)).id == mine)
    #expect(registry.receive(advertised(bud: 3, levels: 0x32)).id == unknownDevices)
  }

  @Test func `two that reported the same are parted as soon as they differ`() {
    var registry = DeviceRegistry(models: .bundled, now: clock)
    let first = registry.receive(advertised(bud: 1)).id
    #expect(registry.receive(advertised(bud: 2)).id == first)
    #expect(registry.receive(advertised(bud: 2, levels: 0x57)).id != first)
    #expect(registry.receive(advertised(bud: 1)).id == first)
  }

  @Test func `one that comes back later with other levels is the same`() {
    var timestamp = noon
    var registry = DeviceRegistry(models: .bundled, now: { timestamp })
    let first = registry.receive(advertised(bud: 1)).id
    timestamp.milliseconds += 3_600_000
    #expect(registry.receive(advertised(bud: 9, levels: 0x24)).id == first)
  }
}

/// A time at which nothing else happens.
let noon = Timestamp(milliseconds: 43_200_000)
