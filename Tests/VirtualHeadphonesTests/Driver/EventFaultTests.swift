import BluetoothAttributes
import BluetoothCodec
import HeadphoneDrivers
import HeadphoneProtocols
import TestSupport
import Testing
import VirtualHeadphones

/// Nonsense on the event characteristic is reported and counted, and changes nothing.
@Suite struct EventFaultTests {
  @Test(
    arguments: [
      [0x55, 1, 2], [], [0x03], [0x03, 9], [0x02, 101, 1, 1], [0x01, 1], [0xA5], [0xA5, 1, 2, 3],
      [0xA5, 1, 3, 9, 1, 0xFF, 1, 2, 3], [0xA5, 1, 2, 7, 1, 0, 0x99],
    ] as [Bytes])
  func `garbage is reported and the link stays`(garbage: Bytes) async throws {
    let (listener, _) = try await Listener.started()
    _ = await listener.reported()
    await listener.phone.headphone.notify(garbage)
    await listener.phone.headphone.happen(.press(.off))
    let reported = await listener.reported()
    #expect(reported.last == .ancChanged(.off))
    let complaints = reported.count { if case .malformed = $0 { true } else { false } }
    #expect(complaints == reported.count - 1 && complaints >= 1)
    try await listener.driver.perform(.setANCLevel(1))
    await listener.driver.client.close()
  }

  @Test func `garbage is reported with its bytes`() async throws {
    let (listener, _) = try await Listener.started()
    _ = await listener.reported()
    await listener.phone.headphone.notify([0x03, 0x09])
    #expect(
      await listener.reported()
        == [.malformed("malformed event at byte 1: impossible value 0x9: 03 09")])
    await listener.driver.client.close()
  }

  @Test func `a packet that never ends holds nothing back for long`() async throws {
    let (listener, _) = try await Listener.started()
    _ = await listener.reported()
    await listener.phone.headphone.injectFaults { $0.commands = .after(ignored: 1) }
    let change = Task { [driver = listener.driver] in try await driver.perform(.setANCLevel(3)) }
    await listener.clock.sleepers(1)
    await listener.phone.headphone.notify([0xA5, 1, 0x11, 0x77, 1, 0xFF])
    await listener.phone.headphone.happen(.press(.off))
    await listener.clock.pass(.seconds(2))
    try await change.value
    let reported = await listener.reported()
    #expect(reported.contains(.ancChanged(.off)) && reported.contains(.ancLevelChanged(3)))
    await listener.driver.client.close()
  }

  @Test func `unknown packets and foreign responses are ignored`() async throws {
    let (listener, _) = try await Listener.started()
    _ = await listener.reported()
    let foreign = HeadphonePacket(
      command: .setANC, sequence: 200, flags: .response, payload: [0, 1])
    await listener.phone.headphone.notify(foreign.encoded()[...])
    await listener.phone.headphone.notify(
      HeadphonePacket(command: .ping, sequence: 0).encoded()[...])
    #expect(await listener.reported() == [])
    await listener.driver.client.close()
  }

  @Test func `an old headphone's own values are received`() async throws {
    let (listener, _) = try await Listener.started(.veteran)
    // Nothing waits for the subscriptions to single values, of which the battery's is the last.
    let client = listener.driver.client
    let level = try #require(
      await client.database.services(BatteryUUIDs.standard.service).last?
        .characteristic(BatteryUUIDs.standard.level))
    let configuration = try #require(
      await client.discoverDescriptors(of: [level])[level.handle]?
        .first { $0.uuid == .clientConfiguration })
    while try await client.read(configuration.handle) == [0, 0] {}
    _ = await listener.reported()
    await listener.phone.headphone.injectFaults { $0.omitsEvents = true }
    await listener.phone.headphone.happen(.setLevel(.left, 17))
    await listener.phone.headphone.happen(.press(.adaptive))
    #expect(
      await listener.reported(until: .ancChanged(.adaptive))
        == [.batteryChanged([.left: Battery(level: 17)])])
    await listener.phone.headphone.injectFaults { $0.omitsEvents = false }
    await listener.phone.headphone.happen(.press(.off))
    #expect(await listener.reported() == [.ancChanged(.off)])
    await listener.driver.client.close()
  }

  @Test func `firmware events pass`() async throws {
    let (listener, _) = try await Listener.started()
    _ = await listener.reported()
    await listener.phone.headphone.notify([0x04, 55])
    await listener.phone.headphone.notify([0x08, 1, 0, 0, 0, 4, 0, 0, 0, 0])
    #expect(await listener.reported() == [.firmwareProgress(55)])
    await listener.driver.client.close()
  }
}
