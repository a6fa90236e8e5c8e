import BluetoothCodec
import BluetoothRadio
import DBus
import TestSupport
import Testing

@testable import BlueZ

extension BlueZClientTests {
  private static let device = FakeBlueZ.path(address)
  private static let serviceChanged = "\(device)/service0001/char0002"

  /// Returns a bearer over the objects of a connected headphone with a battery and Service Changed.
  private static func bearer(_ rig: Rig) async throws -> RemoteBearer {
    await rig.bluez.add(
      address,
      name.merging(["Connected": .boolean(true), "ServicesResolved": .boolean(true)]) { $1 })
    await add("service0001", "2a05", ["indicate"], rig)
    await add("service0006", "2a19", ["read", "notify"], rig)
    return try #require(
      await RemoteBearer.open(PeerAddress(rig.address, .public), through: rig.client))
  }

  private static func add(_ service: String, _ type: String, _ flags: [String], _ rig: Rig) async {
    func uuid(_ short: String) -> DBusValue { .string("0000\(short)-0000-1000-8000-00805f9b34fb") }
    let path = "\(device)/\(service)"
    let number = UInt16(service.suffix(4), radix: 16).map { $0 + 1 } ?? 0
    let char = "000\(String(number, radix: 16))".suffix(4)
    await rig.bluez.add(path, "org.bluez.GattService1", ["UUID": uuid("180f")])
    await rig.bluez.add(
      "\(path)/char\(char)", "org.bluez.GattCharacteristic1",
      ["UUID": uuid(type), "Flags": .strings(flags)])
  }

  private func answer(
    _ bearer: RemoteBearer, to request: ATTRequest
  ) async throws -> ATTServerPDU {
    try await bearer.send(ATTClientPDU.request(request).encoded()[...])
    return try ATTServerPDU(decoding: try await bearer.receive())
  }

  @Test(arguments: [(.variant(.uint16(100)), 100), (.string("x"), 23)] as [(DBusValue, UInt16)])
  func `the MTU is the one of the link`(value: DBusValue, mtu: UInt16) async throws {
    let rig = try await Rig()
    await rig.bluez.reply(to: "Get") { _, _, _ in .values([value]) }
    let bearer = try await Self.bearer(rig)
    let pdu = try await answer(bearer, to: .exchangeMTU(clientMTU: 517))
    #expect(pdu == .response(.exchangeMTU(serverMTU: mtu)))
    bearer.close(.user)
    await rig.close()
  }

  @Test func `objects that come and go are a Service Changed`() async throws {
    let clock = ManualClock()
    let rig = try await Rig(clock: clock)
    let bearer = try await Self.bearer(rig)
    await rig.bluez.remove("\(Self.device)/service0006/char0007")
    await rig.bluez.remove("\(Self.device)/service0006")
    await Self.add("service0008", "2a19", ["read", "notify"], rig)
    // What bluetoothd signalled before its reply has arrived by then.
    _ = try? await rig.client.readValue(at: "\(Self.device)/service0008/char0009", from: 0)
    async let received = bearer.receive()
    await clock.pass(.milliseconds(500))
    let change = ATTHandleValue(handle: 3, value: [1, 0, 0xFF, 0xFF])
    #expect(try ATTServerPDU(decoding: try await received) == .indication(change))
    await rig.bluez.reply(to: "ReadValue") { _, path, _ in
      .values([.bytes(path.hasSuffix("service0008/char0009") ? [80] : [])])
    }
    let read = try await answer(bearer, to: .read(handle: 10))
    #expect(read == .response(.read(value: [80])))
    bearer.close(.user)
    await rig.close()
  }

  @Test func `the end of bluetoothd is no hang-up of the headphone`() async throws {
    let rig = try await Rig()
    let bearer = try await Self.bearer(rig)
    let receiving = Task { try await bearer.receive() }
    try await rig.bluez.leave()
    await #expect(throws: BearerClosed(.bluetoothdGone)) { _ = try await receiving.value }
    await rig.close()
  }

  @Test func `two searches for audio sides share the one discovery that a client may have`()
    async throws
  {
    let rig = try await Rig()
    let other = "F0:F1:F2:F3:F4:F6"
    let adapter = try await rig.client.anAdapter()
    func search(_ address: String) async throws -> Bool {
      let wanted = try #require(BluetoothAddress(address))
      return await rig.client.discover(on: adapter) { $0.device(wanted, of: adapter) != nil }
    }
    async let first = search(Self.address)
    for await call in rig.bluez.called where call == "StartDiscovery hci0" { break }
    await rig.bluez.fail("StartDiscovery", "InProgress")
    async let second = search(other)
    await rig.bluez.add(Self.address, Self.name)
    #expect(try await first)
    await rig.bluez.add(other, Self.name)
    #expect(try await second)
    await rig.close()
  }

  @Test func `a headphone of the same name that the user has blocked is left alone`() async throws {
    let rig = try await Rig()
    let blocked = "F0:F1:F2:F3:F4:F7"
    await rig.bluez.add(Self.address, Self.name.merging(["AddressType": .string("random")]) { $1 })
    await rig.bluez.add(blocked, Self.name.merging(["Blocked": .boolean(true)]) { $1 })
    let peer = PeerAddress(rig.address, .random)
    try await rig.client.securing(peer, onLoss: {}) {
      await rig.bluez.change(Self.address, Self.paired)
    }
    #expect(await !rig.bluez.calls.contains("RemoveDevice hci0"))
    await rig.close()
  }
}

extension BlueZClient {
  fileprivate func anAdapter() async throws -> BlueZAdapter {
    await load()
    return try adapter()
  }
}
