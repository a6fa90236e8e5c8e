import BluetoothCodec
import BluetoothRadio
import DBus
import TestSupport
import Testing

@testable import BlueZ

/// A bluetoothd that sends nonsense or does not answer.
extension BlueZClientTests {
  // MARK: Hostile values

  @Test func `values of wrong types are as if they were missing`() async throws {
    let rig = try await Rig()
    await rig.bluez.add(
      Self.address,
      [
        "Paired": .string("yes"), "Connected": .uint32(1), "RSSI": .string("-60"),
        "Class": .boolean(true), "UUIDs": .string("0000110b-0000-1000-8000-00805f9b34fb"),
        "ManufacturerData": .strings(["x"]), "Name": .bytes([0xFF, 0xFE]),
        "AdvertisingFlags": .uint32(6), "Modalias": .uint32(7),
      ])
    await #expect(throws: AudioLinkError.notPaired) {
      try await rig.radio.connectAudio(rig.address)
    }
    // Nor does a signal whose arguments are none of the interface's change anything.
    await rig.bluez.change(
      Self.address,
      [
        "Paired": .boolean(true),
        "Trusted": .dictionary(
          key: "s", value: "s", [.string("a"): .string("b")]),
      ])
    // Its reply follows the signal.
    try await rig.radio.setPower(true)
    await rig.bluez.fail("Connect", "Failed", "br-connection-page-timeout")
    await #expect(throws: AudioLinkError.unreachable) {
      try await rig.radio.connectAudio(rig.address)
    }
    await rig.close()
  }

  @Test func `questions with arguments of other types are not answered by the person`()
    async throws
  {
    let rig = try await Rig()
    await rig.bluez.add(Self.address, [:])
    await rig.bluez.reply(to: "Pair") { bluez, path, _ in
      for arguments in [
        [], [.string(path)], [.objectPath(path)], [.objectPath(path), .string("31415")],
        [.objectPath(path), .uint32(1_000_000)],
      ] as [[DBusValue]] {
        if case .success = await bluez.ask("RequestConfirmation", arguments) {
          return .error(name: "org.bluez.Error.Failed", message: "nonsense was confirmed")
        }
      }
      return .values([])
    }
    let asked = rig.reply([.yes, .yes])
    try await rig.radio.pairAudio(rig.address)
    asked.cancel()
    #expect(await asked.value == [.consent])
    await rig.close()
  }

  @Test func `a pairing that is never answered ends with its time`() async throws {
    let clock = ManualClock()
    let rig = try await Rig(clock: clock)
    await rig.bluez.add(Self.address, [:])
    await rig.bluez.reply(to: "Pair") { _, _, _ in
      try? await Task.sleep(for: .seconds(3600))
      return .values([])
    }
    let asked = rig.reply([.yes])
    let pairing = Task { await Self.pairing { try await rig.radio.pairAudio(rig.address) } }
    for await call in rig.bluez.called where call.hasPrefix("Pair") { break }
    // The call's, and the one that asks whether bluetoothd still answers.
    await clock.sleepers(2, within: .seconds(65))
    // bluetoothd's own limit is 60 s.
    await clock.pass(.seconds(65))
    #expect(await pairing.value == .timedOut)
    asked.cancel()
    #expect(await rig.bluez.calls.contains("CancelPairing dev_F0_F1_F2_F3_F4_F5"))
    #expect(await rig.bluez.agent == nil)
    await rig.close()
  }

  @Test func `objects that make no sense are no bluetoothd`() async throws {
    let rig = try await Rig()
    await rig.bluez.reply(to: "GetManagedObjects") { _, _, _ in .values([.string("all")]) }
    #expect(await rig.client.isPresent == false)
    try await rig.radio.pairAudio(rig.address)
    #expect(rig.base.calls == ["pair"])
    await rig.close()
  }

  // MARK: A bluetoothd that does not answer

  @Test func `a bluetoothd that hangs from the start is reported, and used when it answers`()
    async throws
  {
    let clock = ManualClock()
    let rig = try await Rig(clock: clock, scanFailure: Self.noRights)
    await rig.bluez.stop()
    async let failure = Self.scanFailure(of: rig.radio)
    // A scan that ends before that has not looked either.
    async let obstacle = rig.radio.scanObstacle()
    // The time for its name to be found is over then, and that for its objects begins.
    try await rig.bluez.untilHeld()
    await Self.passReplyTimes(1, of: clock)
    #expect(await failure == .bluetoothdUnresponsive(during: "scanning"))
    #expect(await obstacle == .bluetoothdUnresponsive(during: "scanning"))
    // At once from now on.
    #expect(await Self.scanFailure(of: rig.radio) == .bluetoothdUnresponsive(during: "scanning"))
    await #expect(throws: SecurityFailure.bluetoothdUnresponsive) {
      try await rig.radio.unpair(PeerAddress(rig.address, .public))
    }
    await #expect(throws: AudioLinkError.bluetoothdUnresponsive) {
      try await rig.radio.connectAudio(rig.address)
    }
    #expect(await rig.client.heldControlLinks() == nil)
    var news = await rig.news().makeAsyncIterator()
    await rig.bluez.resume()
    #expect(await news.next() == .bluetoothdStarted)
    #expect(await rig.client.isPresent)
    #expect(await rig.radio.scanObstacle() == nil)
    await rig.close()
  }

  @Test(arguments: ["StartDiscovery", "Pair", "ConnectProfile", "Set", "RemoveDevice"])
  func `a call to a bluetoothd that hangs ends with that reason`(member: String) async throws {
    let clock = ManualClock()
    let rig = try await Rig(clock: clock, isPowered: member != "Set", scanFailure: Self.noRights)
    let (bluez, radio, address) = (rig.bluez, rig.radio, rig.address)
    await bluez.add(
      Self.address,
      (member == "Pair" ? Self.headphoneClass : Self.paired).merging(
        ["UUIDs": .strings(["0000110b-0000-1000-8000-00805f9b34fb"])]) { $1 })
    await bluez.reply(to: member) { bluez, _, _ in
      await bluez.stop()
      return await bluez.whenResumed()
    }
    let answers = rig.reply([.yes])
    let ending = Task { () -> String in
      do {
        switch member {
        case "StartDiscovery": for try await _ in radio.scan(ScanOptions(duration: nil)) {}
        case "Pair": try await radio.pairAudio(address)
        case "ConnectProfile": try await radio.connectAudio(address)
        case "Set": try await radio.setPower(true)
        default: try await radio.unpair(PeerAddress(address, .public))
        }
        return "done"
      } catch { return "\(error)" }
    }
    for await call in bluez.called where call.hasPrefix(member) { break }
    // One until it is asked whether it answers, one until it has not.
    await Self.passReplyTimes(2, of: clock)
    let words = await ending.value
    #expect(words.contains("does not answer") || words == "bluetoothdUnresponsive", "\(words)")
    answers.cancel()
    // The next one works.
    await bluez.reply(to: member) { _, _, _ in .values([]) }
    var news = await rig.news().makeAsyncIterator()
    await bluez.resume()
    #expect(await news.next() == .bluetoothdStarted)
    try await radio.setPower(true)
    await rig.close()
  }

  @Test func `whoever waits for bluetoothd's objects may give up`() async throws {
    let rig = try await Rig(clock: ManualClock())
    await rig.bluez.stop()
    let waiting = Task { await rig.client.isPresent }
    waiting.cancel()
    #expect(await waiting.value == false)
    await rig.bluez.resume()
    await rig.close()
  }

  @Test func `a scan whose bluetoothd goes and stays away does not end as one that found nothing`()
    async throws
  {
    let rig = try await Rig()
    let scanning = Task { for try await _ in rig.radio.scan(ScanOptions(duration: nil)) {} }
    for await call in rig.bluez.called where call == "StartDiscovery hci0" { break }
    #expect(await rig.radio.scanObstacle() == nil)
    try await rig.bluez.leave()
    let missing = RadioError.noBluetoothd(operation: "scanning", capability: "CAP_NET_RAW")
    #expect(await rig.radio.scanObstacle() == missing)
    try await rig.bluez.comeBack()
    for await call in rig.bluez.called where call == "StartDiscovery hci0" { break }
    #expect(await rig.radio.scanObstacle() == nil)
    scanning.cancel()
    await rig.close()
  }

  private static let noRights = RadioError.notPermitted(
    operation: "scanning", capability: "CAP_NET_RAW")

  private static func scanFailure(of radio: BlueZRadio) async -> RadioError? {
    do {
      for try await _ in radio.scan(ScanOptions()) {}
      return nil
    } catch { return error as? RadioError }
  }
}
