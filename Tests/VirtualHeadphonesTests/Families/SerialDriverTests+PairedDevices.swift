import BluetoothCodec
import HeadphoneDrivers
import HeadphoneProtocols
import TestSupport
import Testing

@testable import VirtualHeadphones

extension SerialDriverTests {
  /// A headphone's list of paired devices, and the commands for them.
  private struct Owner: Sendable, CustomTestStringConvertible {
    var model: VirtualModel
    var actions: [PairedDeviceAction]
    var devices: @Sendable (any VirtualSerialHeadphone) -> [PairedDevice]?

    var testDescription: String { model.name }
  }

  private static let owners = [
    Owner(model: .huawei, actions: [.connect, .disconnect, .prefer, .forget]) {
      ($0 as? VirtualHuawei)?.devices.all
    },
    Owner(model: .bose, actions: [.connect, .disconnect, .play, .forget]) {
      ($0 as? VirtualBose)?.devices?.all
    },
    Owner(model: .soundcoreSport, actions: [.connect, .disconnect, .forget]) {
      ($0 as? VirtualSoundcore)?.devices.all
    },
    Owner(model: .sonyBuds, actions: [.connect, .disconnect, .play, .forget]) {
      ($0 as? VirtualSony)?.devices.all
    },
  ]

  @Test(arguments: owners)
  private func `the devices of a headphone are listed, and each order is shown by the list`(
    _ owner: Owner
  ) async throws {
    let conversation = try await Conversation(owner.model)
    let able = try await conversation.driver.start().capabilities
    #expect(able.declaration(of: .pairedDevices)?.kind == .pairedDevices(owner.actions))
    let three = VirtualPairedDevices.three.all
    let (phone, tablet) = (three[1].address, three[2].address)
    func device(_ address: BluetoothAddress) async -> PairedDevice? {
      await conversation.virtual.flatMap(owner.devices)?.first { $0.address == address }
    }
    try await conversation.driver.perform(.pairedDevice(.disconnect, phone))
    #expect(await device(phone)?.isConnected == false)
    try await conversation.driver.perform(.pairedDevice(.connect, tablet))
    #expect(await device(tablet)?.isConnected == true)
    if owner.actions.contains(.play) {
      try await conversation.driver.perform(.pairedDevice(.play, tablet))
      #expect(await device(tablet)?.isPlaying == true)
    }
    if owner.actions.contains(.prefer) {
      try await conversation.driver.perform(.pairedDevice(.prefer, tablet))
      #expect(await device(tablet)?.isPreferred == true)
    }
    try await conversation.driver.perform(.pairedDevice(.forget, phone))
    #expect(await device(phone) == nil)
    // Neither a stranger, nor what is so already.
    for (action, address) in [(.forget, phone), (.connect, tablet)]
      as [(PairedDeviceAction, BluetoothAddress)]
    {
      await #expect(throws: HeadphoneError.self) {
        try await conversation.driver.perform(.pairedDevice(action, address))
      }
    }
    let reported = await conversation.reported()
    let lists = reported.compactMap { event -> [BluetoothAddress]? in
      guard case .settingChanged(.pairedDevices, .pairedDevices(let devices)) = event else {
        return nil
      }
      return devices.map(\.address)
    }
    #expect(lists.first == three.map(\.address))
    #expect(lists.last == [three[0].address, tablet])
    #expect(!reported.contains { if case .malformed = $0 { true } else { false } })
  }

  @Test func `a device that does not come holds up no other command`() async throws {
    var sony = VirtualSony.earbuds
    let away = sony.devices.all[2].address
    sony.devices.absent = [away]
    let clock = ManualClock()
    let conversation = try await Conversation(
      .serial(12, "WF-1000XM6", sony), clock: clock)
    _ = try await conversation.driver.start()
    let connecting = Task { try await conversation.driver.perform(.pairedDevice(.connect, away)) }
    await clock.sleepers(1, within: .seconds(1))
    let other = Task { try await conversation.driver.perform(.setANC(.off)) }
    for _ in 1...3 { await clock.pass(.seconds(1)) }
    await clock.sleepers(1, within: .seconds(1))
    let asked = try #require(await conversation.virtual(VirtualSony.self))
    #expect(asked.received.contains { $0.first == 0x68 })
    connecting.cancel()
    try await other.value
    await #expect(throws: HeadphoneError.cancelled) { try await connecting.value }
    _ = await conversation.reported()
  }
}
