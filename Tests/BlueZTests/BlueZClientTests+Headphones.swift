import BluetoothCodec
import BluetoothRadio
import DBus
import TestSupport
import Testing

@testable import BlueZ

/// Charges, keys and sound of paired headphones.
extension BlueZClientTests {
  // MARK: Charges and removals

  private static let battery = "org.bluez.Battery1"

  private static func charge(_ percent: UInt8, from source: String) -> [String: DBusValue] {
    ["Percentage": .byte(percent), "Source": .string(source)]
  }

  @Test func `charges that bluetoothd has are reported, but for this program's own`()
    async throws
  {
    let rig = try await Rig()
    let device = FakeBlueZ.path(Self.address)
    await rig.bluez.add(Self.address, Self.paired)
    await rig.bluez.add(device, Self.battery, Self.charge(80, from: "GATT Battery Service"))
    var news = rig.radio.deviceNews().makeAsyncIterator()
    #expect(await news.next() == .charge(rig.address, 80))
    await rig.bluez.change(device, Self.battery, ["Percentage": .byte(75)])
    #expect(await news.next() == .charge(rig.address, 75))
    await rig.bluez.change(device, Self.battery, ["Source": .string("Earshot")])
    #expect(await news.next() == .charge(rig.address, nil))
    // Nonsense is no charge.
    await rig.bluez.change(
      device, Self.battery, ["Source": .uint32(1), "Percentage": .byte(101)])
    await rig.bluez.change(device, Self.battery, ["Percentage": .byte(5)])
    #expect(await news.next() == .charge(rig.address, 5))
    try await rig.bluez.leave()
    #expect(await news.next() == .charge(rig.address, nil))
    await rig.close()
  }

  @Test func `a paired device that another program removes is reported, one second later`()
    async throws
  {
    let clock = ManualClock()
    let rig = try await Rig(clock: clock)
    let device = FakeBlueZ.path(Self.address)
    await rig.bluez.add(Self.address, Self.paired)
    let other = BluetoothAddress(value: 0xF0F1_F2F3_F4F6)
    await rig.bluez.add("\(other)", ["Paired": .boolean(false)])
    var news = await rig.news().makeAsyncIterator()
    #expect(await rig.client.isPresent)
    // Not one that is only no longer nearby.
    await rig.bluez.remove(FakeBlueZ.path("\(other)"))
    await rig.bluez.remove(device)
    await clock.pass(.seconds(1))
    #expect(await news.next() == .removed(rig.address))
    await rig.close()
  }

  @Test func `what bluetoothd removes as it ends is not removed`() async throws {
    let clock = ManualClock()
    let rig = try await Rig(clock: clock)
    await rig.bluez.add(Self.address, Self.paired)
    await rig.bluez.add(
      FakeBlueZ.path(Self.address), Self.battery, Self.charge(80, from: "HFP"))
    var news = await rig.news().makeAsyncIterator()
    #expect(await news.next() == .charge(rig.address, 80))
    await rig.bluez.remove(FakeBlueZ.path(Self.address))
    #expect(await news.next() == .charge(rig.address, nil))
    try await rig.bluez.leave()
    try await rig.bluez.comeBack()
    #expect(await news.next() == .bluetoothdStarted)
    let other = BluetoothAddress(value: 0xF0F1_F2F3_F4F6)
    await rig.bluez.add("\(other)", Self.paired)
    let path = FakeBlueZ.path("\(other)")
    await rig.bluez.add(path, Self.battery, Self.charge(70, from: "HFP"))
    #expect(await news.next() == .charge(other, 70))
    await clock.pass(.seconds(1))
    await rig.bluez.change(path, Self.battery, ["Percentage": .byte(60)])
    #expect(await news.next() == .charge(other, 60))
    await rig.close()
  }

  @Test func `a charge is provided to bluetoothd, again to the next one, and not beside its own`()
    async throws
  {
    let rig = try await Rig()
    let device = FakeBlueZ.path(Self.address)
    await rig.bluez.add(FakeBlueZ.adapter, "org.bluez.BatteryProviderManager1", [:])
    await rig.bluez.add(Self.address, Self.paired)
    let charge = { (percent: UInt8) in
      [HeadphoneCharge(addresses: [rig.address], percent: percent)]
    }
    await rig.radio.shareCharges(charge(77))
    for await call in rig.bluez.called where call.hasPrefix("RegisterBatteryProvider") { break }
    #expect(await rig.bluez.providedCharges() == [device: 77])
    await rig.radio.shareCharges(charge(42))
    #expect(await rig.bluez.providedCharges() == [device: 42])
    try await rig.bluez.leave()
    try await rig.bluez.comeBack()
    for await call in rig.bluez.called where call.hasPrefix("RegisterBatteryProvider") { break }
    #expect(await rig.bluez.providedCharges() == [device: 42])
    // A battery of GATT is better.
    await rig.bluez.add(device, Self.battery, Self.charge(80, from: "GATT Battery Service"))
    try await rig.radio.setPower(true)
    #expect(await rig.bluez.providedCharges() == [:])
    await rig.close()
  }

  @Test func `without a manager, or a paired device, nothing is provided`() async throws {
    let rig = try await Rig()
    await rig.bluez.add(Self.address, Self.paired)
    let charges = [HeadphoneCharge(addresses: [rig.address], percent: 77)]
    await rig.radio.shareCharges(charges)
    let other = BluetoothAddress(value: 0xF0F1_F2F3_F4F6)
    await rig.bluez.add("\(other)", ["Paired": .boolean(false)])
    await rig.radio.shareCharges([HeadphoneCharge(addresses: [other], percent: 7)])
    await rig.bluez.add(FakeBlueZ.adapter, "org.bluez.BatteryProviderManager1", [:])
    try await rig.radio.setPower(true)
    #expect(await rig.bluez.calls.allSatisfy { !$0.hasPrefix("RegisterBatteryProvider") })
    await rig.close()
  }

  // MARK: Keys

  @Test
  func `keys of headphones come in order, and again after bluetoothd and the adapter are back`()
    async throws
  {
    let rig = try await Rig()
    await rig.bluez.add(FakeBlueZ.adapter, "org.bluez.Media1", [:])
    var news = await rig.news().makeAsyncIterator()
    await rig.radio.offerPlayer(.offered(SharedPlayer(.playing, title: "Song")))
    func next() async -> DeviceNews? {
      while let event = await news.next() { if event != .bluetoothdStarted { return event } }
      return nil
    }
    #expect(await next() == .playerRegistration(.registered))
    for key in PlayerKey.allCases { _ = await rig.bluez.press(key.rawValue) }
    for key in PlayerKey.allCases { #expect(await next() == .key(key)) }
    // What no headphone presses, and the good-bye of newer ones.
    await #expect(throws: DBusError.self) { try await rig.bluez.press("OpenUri").get() }
    await #expect(throws: Never.self) { try await rig.bluez.press("Release").get() }

    try await rig.bluez.leave()
    #expect(await next() == .playerRegistration(.none))
    try await rig.bluez.comeBack()
    #expect(await next() == .playerRegistration(.registered))
    await rig.bluez.remove(FakeBlueZ.adapter)
    #expect(await next() == .playerRegistration(.none))
    await rig.bluez.add(FakeBlueZ.adapter, "org.bluez.Media1", [:])
    #expect(await next() == .playerRegistration(.registered))
    await rig.radio.offerPlayer(.withdrawn)
    #expect(await next() == .playerRegistration(.none))
    #expect(await rig.bluez.calls.filter { $0.hasPrefix("RegisterPlayer") }.count == 3)
    #expect(await rig.bluez.calls.last == "UnregisterPlayer hci0")
    await rig.close()
  }

  @Test func `a refused player is said, and bluetoothd that ends meanwhile is no refusal`()
    async throws
  {
    let rig = try await Rig()
    await rig.bluez.add(FakeBlueZ.adapter, "org.bluez.Media1", [:])
    await rig.bluez.fail("RegisterPlayer", "NotSupported", "no AVRCP")
    var news = await rig.news().makeAsyncIterator()
    await rig.radio.offerPlayer(.offered(nil))
    while let event = await news.next() {
      guard case .playerRegistration(let registration) = event else { continue }
      #expect(registration == .refused("no AVRCP"))
      break
    }
    await rig.bluez.reply(to: "RegisterPlayer") { bluez, _, _ in
      try? await bluez.leave()
      return .error(name: "org.bluez.Error.Failed", message: "ending")
    }
    await rig.radio.offerPlayer(.withdrawn)
    await rig.radio.offerPlayer(.offered(nil))
    while let event = await news.next() {
      guard case .playerRegistration(let registration) = event else { continue }
      #expect(registration == .none)
      break
    }
    await rig.close()
  }

  // MARK: Sound

  @Test func `the sound comes up by Connect and its transport`() async throws {
    let rig = try await Rig()
    await rig.bluez.add(Self.address, ["Paired": .boolean(true), "Connected": .boolean(false)])
    await rig.bluez.reply(to: "Connect") { bluez, path, _ in
      Task {
        await bluez.add("\(path)/sep1/fd0", "org.bluez.MediaTransport1", ["Codec": .byte(0)])
      }
      return .values([])
    }
    try await rig.radio.connectAudio(rig.address)
    let calls = await rig.bluez.calls
    #expect(calls == ["Connect dev_F0_F1_F2_F3_F4_F5"])
    // It is up: nothing is to be done.
    try await rig.radio.connectAudio(rig.address)
    let more = await rig.bluez.calls
    #expect(more.count == 1)
    try await rig.radio.disconnectAudio(rig.address, isControlled: true)
    #expect(await rig.bluez.calls.dropFirst().allSatisfy { $0.hasPrefix("DisconnectProfile") })
    await rig.close()
  }

  @Test(
    arguments: [
      ([.acl], false, true), ([.acl], true, false), ([.acl, .le], false, false), ([], false, false),
    ] as [([RadioLink.Kind], Bool, Bool)])
  func `with the sound the device is disconnected where nothing else needs it`(
    kinds: [RadioLink.Kind], isControlled: Bool, ends: Bool
  ) async throws {
    let rig = try await Rig()
    await rig.bluez.add(Self.address, ["Paired": .boolean(true), "Connected": .boolean(true)])
    rig.base.linked = [kinds.map { RadioLink($0, rig.address) }]
    try await rig.radio.disconnectAudio(rig.address, isControlled: isControlled)
    let calls = await rig.bluez.calls
    #expect(calls.contains("Disconnect dev_F0_F1_F2_F3_F4_F5") == ends, "\(calls)")
    #expect(calls.count == (ends ? 3 : 2))
    await rig.close()
  }

  @Test func `a headphone that is not paired is not called`() async throws {
    let rig = try await Rig()
    await rig.bluez.add(Self.address, ["Paired": .boolean(false)])
    await #expect(throws: AudioLinkError.notPaired) {
      try await rig.radio.connectAudio(rig.address)
    }
    let calls = await rig.bluez.calls
    #expect(calls == [])
    await rig.close()
  }

  @Test func `a bluetoothd that ends meanwhile is reported`() async throws {
    let rig = try await Rig()
    await rig.bluez.add(Self.address, ["Paired": .boolean(true)])
    await rig.bluez.reply(to: "Connect") { bluez, _, _ in
      Task { await bluez.close() }
      try? await Task.sleep(for: .seconds(3600))
      return .values([])
    }
    await #expect(throws: AudioLinkError.noBluetoothd) {
      try await rig.radio.connectAudio(rig.address)
    }
    await rig.close()
  }
}
