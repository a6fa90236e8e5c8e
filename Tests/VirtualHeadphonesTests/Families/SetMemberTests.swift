import BluetoothAttributes
import BluetoothCodec
import HeadphoneDrivers
import HeadphoneProtocols
import TestSupport
import Testing
import VirtualHeadphones

/// One bud of a coordinated set, on a separate link.
@Suite struct SetMemberTests {
  private func start(
    _ model: VirtualModel, longTermKey: SecretKey? = nil
  ) async throws -> (description: HeadphoneDescription, events: [HeadphoneEvent]) {
    let phone = Phone(model)
    let client = try await phone.connect()
    let (emitter, stream) = EventEmitter.makeEvents()
    let driver = GATTDriver(
      client: client, models: ModelCatalog(), clock: ManualClock(), longTermKey: { longTermKey },
      emitter: emitter)
    let description = try await driver.start()
    try await driver.perform(.find(.right, isOn: true))
    await client.close()
    let events = await stream.reduce(into: []) { $0.append($1) }
    return (description, events.filter { if case .starting = $0 { false } else { true } })
  }

  /// Returns the model with a changed set member.
  private func changed(
    _ model: VirtualModel, _ change: (inout VirtualSetMember) -> Void
  ) -> VirtualModel {
    var model = model
    if case .setMember(var member) = model.family {
      change(&member)
      model.family = .setMember(member)
    }
    return model
  }

  @Test(
    arguments: [(VirtualModel.leftBud, Side.left, 83), (.rightBud, .right, 78)]
      as [(VirtualModel, Side, UInt8)])
  func `a bud tells its own side, and knows of the other`(
    _ model: VirtualModel, _ side: Side, _ level: UInt8
  ) async throws {
    for reportsLocation in [true, false] {
      let reported = try await start(changed(model) { $0.reportsLocation = reportsLocation })
      #expect(reported.description.set?.side == side)
      #expect(reported.description.set?.others == 1)
      #expect(reported.description.capabilities.batteries == [.left, .right])
      #expect(
        reported.events == [
          .batteryChanged([side.part: Battery(level: level)]),
          .volumeChanged(HeadphoneVolume(level: 50, isMuted: false)), .findChanged(.right),
        ])
    }
  }

  @Test func `an encrypted key is for who keeps the link's key`() async throws {
    let longTermKey = SecretKey(0x0706_0504_0302_0100, 0x0F0E_0D0C_0B0A_0908)
    let model = changed(.leftBud) {
      $0.key = .encrypted($0.plainKey.converted(by: longTermKey))
    }
    guard case .setMember(let member) = model.family else { return }
    let reported = try await start(model, longTermKey: longTermKey)
    #expect(reported.description.set?.key == member.plainKey)
    let unknownDevice = try await start(model)
    #expect(unknownDevice.description.set == nil)
    #expect(
      unknownDevice.description.missing.first?.hasPrefix("the other members of its set") == true)
    #expect(unknownDevice.description.capabilities.batteries == [.left])
  }

  @Test func `a key that makes no sense leaves a headphone without a set`() async throws {
    let phone = Phone(.leftBud)
    await phone.headphone.replaceServices { services in
      services.map { service in
        guard service.uuid == .coordinatedSet else { return service }
        var service = service
        service.characteristics[0].value = [1, 2, 3]
        return service
      }
    }
    let client = try await phone.connect()
    let (emitter, stream) = EventEmitter.makeEvents()
    let driver = GATTDriver(client: client, clock: ManualClock(), emitter: emitter)
    let description = try await driver.start()
    #expect(description.set == nil)
    #expect(
      description.missing.first
        == "the other members of its set: its set's key makes no sense")
    await client.close()
    let events = await stream.reduce(into: []) { $0.append($1) }
    #expect(events.contains { if case .malformed = $0 { true } else { false } })
  }
}
