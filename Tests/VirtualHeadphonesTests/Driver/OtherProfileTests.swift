import BluetoothAttributes
import BluetoothCodec
import HeadphoneDrivers
import HeadphoneProtocols
import Testing
import VirtualHeadphones

/// Headphones with the same values under other UUIDs, in events of another order.
@Suite struct OtherProfileTests {
  private static let control = ControlService(
    service: .bit16(0xACE0), ancMode: .bit16(0xACE3), eqPreset: .bit16(0xACE4),
    command: .bit16(0xACE1), event: .bit16(0xACE2), firmwareData: .bit16(0xACE5))

  private static let profile = DeviceProfile(
    name: "Acme", controlServices: [control], features: [.anc, .eq],
    events: EventLayout(events: [.wearing: EventLayout.Event(code: 0x31, places: [2, 1])]))

  private var model: VirtualModel {
    var model = VirtualModel.aurora
    model.control = Self.control
    return model
  }

  @Test func `a profile that is data is enough to understand one`() async throws {
    let listener = try await Listener(Phone(model), profiles: [.earshot, Self.profile])
    let description = try await listener.driver.start()
    #expect(description.driver == "Acme")
    #expect(!description.capabilities.ancModes.isEmpty && !description.capabilities.hasFind)
    await listener.phone.headphone.notify([0x31, 0, 1])
    _ = await listener.reported(until: .wearingChanged(Wearing(left: true, right: false)))
    await listener.driver.client.close()
  }

  @Test func `without its profile it is no headphone`() async throws {
    let listener = try await Listener(Phone(model))
    await #expect(throws: HeadphoneError.notAHeadphone(missing: "control service")) {
      try await listener.driver.start()
    }
    await listener.driver.client.close()
  }
}
