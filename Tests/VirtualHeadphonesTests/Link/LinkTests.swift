import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import EventLoop
import HeadphoneProtocols
import TestSupport
import Testing
import VirtualHeadphones

/// An independent client at the other end of the descriptor.
@Suite struct LinkTests {
  @Test(arguments: VirtualModel.environment)
  func `a client discovers the whole model`(model: VirtualModel) async throws {
    let phone = Phone(model)
    let client = try await phone.connect()
    try await client.exchangeMTU()
    #expect(await client.mtu == Int(model.server.mtu))
    let database = try await client.discoverAll()
    let control = try #require(database.service(model.control.service))
    #expect(control.characteristic(model.control.command) != nil)
    #expect(control.characteristic(model.control.event) != nil)
    #expect((control.characteristic(model.control.eqPreset) != nil) == model.features.contains(.eq))
    #expect(database.services(.bit16(0x180F)).count == model.batteries.count)
    await client.close()
  }

  @Test func `the end's reason reaches the phone`() async throws {
    for reason in [
      BearerClosed.Reason.peer, .supervisionTimeout, .micFailure, .localHost, .firmwareRestart,
    ] {
      let phone = Phone()
      let bearer = try await phone.bearer()
      _ = try await bearer.exchange([0x02, 0x05, 0x02])
      await phone.headphone.dropLink(reason)
      await #expect(throws: BearerClosed(reason)) { try await bearer.receive() }
    }
  }

  @Test func `leaving the range is a supervision timeout`() async throws {
    let phone = Phone()
    let bearer = try await phone.bearer()
    await phone.headphone.setInRange(false)
    await #expect(throws: BearerClosed(.supervisionTimeout)) { try await bearer.receive() }
    #expect(await !phone.headphone.isConnected)
  }

  @Test func `a phone that closes frees the headphone`() async throws {
    let phone = Phone()
    let bearer = try await phone.bearer()
    await #expect(throws: RadioError.busy("another phone is connected to this headphone")) {
      try await phone.bearer()
    }
    bearer.close(.user)
    let again = try await phone.bearer()
    #expect(try await again.exchange([0x02, 0x05, 0x02]) == [0x03, 0x05, 0x02])
  }

  @Test func `an absent headphone times out`() async throws {
    let phone = Phone()
    await phone.headphone.setInRange(false)
    let attempt = Task { try await phone.bearer() }
    await phone.clock.pass(.seconds(10))
    await #expect(throws: RadioError.timedOut) { try await attempt.value }
  }

  @Test func `a headphone that comes into range is connected`() async throws {
    let phone = Phone()
    await phone.headphone.setInRange(false)
    let attempt = Task { try await phone.bearer() }
    await phone.clock.sleepers(1)
    await phone.headphone.setInRange(true)
    #expect(try await attempt.value.exchange([0x02, 0x05, 0x02]) == [0x03, 0x05, 0x02])
  }

  @Test func `a cancelled attempt ends at once`() async throws {
    let phone = Phone()
    await phone.headphone.setInRange(false)
    let attempt = Task { try await phone.bearer() }
    await phone.clock.sleepers(1)
    attempt.cancel()
    await #expect(throws: RadioError.cancelled) { try await attempt.value }
  }

  @Test func `pairing opens what demands encryption`() async throws {
    let phone = Phone(.cipher)
    let client = try await phone.connect()
    try await client.exchangeMTU()
    let database = try await client.discoverAll()
    let anc = try #require(database.characteristic(ControlService.long.ancMode))
    #expect(try await client.read(anc.handle) == [1])
    #expect(await client.bearer.security == .medium)
    await client.close()
  }

  @Test func `refused pairing is named`() async throws {
    let phone = Phone(.cipher)
    await phone.headphone.injectFaults { $0.refusesPairing = true }
    let client = try await phone.connect()
    try await client.exchangeMTU()
    let database = try await client.discoverAll()
    let anc = try #require(database.characteristic(ControlService.long.ancMode))
    await #expect(throws: GATTError.security(.refused)) { try await client.read(anc.handle) }
    await client.close()
  }

  @Test func `the RSSI of the link is the model's`() async throws {
    let bearer = try await Phone(.drift).bearer()
    let quality = await bearer.measure()
    #expect(quality.rssi == -68 && quality.transmit == .le2M)
  }
}
