import BluetoothCodec
import BluetoothRadio
import DBus
import Locking
import TestSupport
import Testing

@testable import BlueZ

extension BlueZClientTests {
  @Test func `Just Works asks the person first, and the device is trusted`() async throws {
    let rig = try await Rig()
    await rig.bluez.add(Self.address, ["Paired": .boolean(false), "Trusted": .boolean(false)])
    let asked = rig.reply([.yes])
    try await rig.radio.pairAudio(rig.address)
    #expect(await asked.value == [.consent])
    let device = "dev_F0_F1_F2_F3_F4_F5"
    #expect(
      await rig.bluez.calls == [
        "RegisterAgent bluez", "Pair \(device)", "UnregisterAgent bluez", "Set \(device) Trusted",
      ])
    await rig.close()
  }

  @Test func `a person who does not want it is asked nothing more`() async throws {
    let rig = try await Rig()
    await rig.bluez.add(Self.address, [:])
    let asked = rig.reply([.no])
    let failed = await Self.pairing { try await rig.radio.pairAudio(rig.address) }
    #expect(failed == .declined)
    _ = await asked.value
    let calls = await rig.bluez.calls
    #expect(calls == [])
    await rig.close()
  }

  @Test func `numbers are compared by the person`() async throws {
    let rig = try await Rig()
    await rig.bluez.add(Self.address, [:])
    await rig.bluez.reply(to: "Pair") { bluez, path, _ in
      let answer = await bluez.ask("RequestConfirmation", [.objectPath(path), .uint32(31415)])
      return (try? answer.get()) == []
        ? .values([]) : .error(name: "org.bluez.Error.AuthenticationFailed", message: "")
    }
    let asked = rig.reply([.yes, .yes])
    try await rig.radio.pairAudio(rig.address)
    #expect(await asked.value == [.consent, .compare(Passkey(truncating: 31415))])
    let refused = rig.reply([.yes, .no])
    let failed = await Self.pairing { try await rig.radio.pairAudio(rig.address) }
    #expect(failed == .declined)
    _ = await refused.value
    await rig.close()
  }

  @Test func `a number is typed, and a question for another device is refused`() async throws {
    let rig = try await Rig()
    await rig.bluez.add(Self.address, [:])
    await rig.bluez.reply(to: "Pair") { bluez, path, _ in
      let other = await bluez.ask("RequestAuthorization", [.objectPath(path + "x")])
      guard case .failure(let error) = other, error.name == "org.bluez.Error.Rejected" else {
        return .error(name: "org.bluez.Error.Failed", message: "another device was paired")
      }
      let answer = await bluez.ask("RequestPasskey", [.objectPath(path)])
      return (try? answer.get()) == [.uint32(31415)]
        ? .values([]) : .error(name: "org.bluez.Error.AuthenticationFailed", message: "")
    }
    let asked = rig.reply([.yes, .passkey(Passkey(truncating: 31415))])
    try await rig.radio.pairAudio(rig.address)
    #expect(await asked.value == [.consent, .enter])
    await rig.close()
  }

  @Test(arguments: [PairingAnswer.pin(.usual), .no])
  func `the PIN of an old headphone is typed, or is not`(answer: PairingAnswer) async throws {
    let rig = try await Rig()
    await rig.bluez.add(Self.address, [:])
    await rig.bluez.reply(to: "Pair") { bluez, path, _ in
      let other = await bluez.ask("RequestPinCode", [.objectPath(path + "x")])
      guard case .failure(let error) = other, error.name == "org.bluez.Error.Rejected" else {
        return .error(name: "org.bluez.Error.Failed", message: "another device got a PIN")
      }
      let answer = await bluez.ask("RequestPinCode", [.objectPath(path)])
      return (try? answer.get()) == [.string("0000")]
        ? .values([]) : .error(name: "org.bluez.Error.AuthenticationFailed", message: "")
    }
    let asked = rig.reply([.yes, answer])
    let failed = await Self.pairing { try await rig.radio.pairAudio(rig.address) }
    #expect(failed == (answer == .no ? .declined : nil))
    #expect(await asked.value == [.consent, .enterPIN])
    await rig.close()
  }

  @Test func `a PIN to be typed on the headphone is shown until the person cancels`() async throws {
    let rig = try await Rig()
    await rig.bluez.add(Self.address, [:])
    let (cancelled, cancelling) = AsyncStream.makeStream(of: Void.self)
    await rig.bluez.reply(to: "Pair") { bluez, path, _ in
      let shown = await bluez.ask("DisplayPinCode", [.objectPath(path), .string("271828")])
      guard (try? shown.get()) == [] else {
        return .error(name: "org.bluez.Error.Failed", message: "the PIN was not shown")
      }
      for await _ in cancelled { break }
      return .error(name: "org.bluez.Error.AuthenticationCanceled", message: "")
    }
    await rig.bluez.reply(to: "CancelPairing") { _, _, _ in
      cancelling.yield()
      return .values([])
    }
    let asked = rig.reply([.yes, .no])
    let failed = await Self.pairing { try await rig.radio.pairAudio(rig.address) }
    #expect(failed == .declined)
    #expect(await asked.value == [.consent, .showPIN(try #require(PIN("271828")))])
    await rig.close()
  }

  @Test func `the other side of a paired headphone needs no second consent`() async throws {
    let rig = try await Rig()
    await rig.bluez.add(Self.address, Self.paired)
    try await rig.radio.pairAudio(rig.address)
    let calls = await rig.bluez.calls
    #expect(calls.contains("Pair dev_F0_F1_F2_F3_F4_F5"))
    // Its keys came with the first side's.
    await rig.bluez.fail("Pair", "AlreadyExists", "Already Exists")
    try await rig.radio.pairAudio(rig.address)
    await rig.close()
  }

  @Test func `a device that is not known is looked for, on BR/EDR`() async throws {
    let rig = try await Rig()
    await rig.bluez.reply(to: "StartDiscovery") { bluez, _, _ in
      await bluez.add(Self.address, ["Class": .uint32(0x240418)])
      return .values([])
    }
    let asked = rig.reply([.yes])
    try await rig.radio.pairAudio(rig.address)
    _ = await asked.value
    let calls = await rig.bluez.calls
    #expect(
      calls.prefix(3) == [
        "SetDiscoveryFilter hci0", "StartDiscovery hci0", "StopDiscovery hci0",
      ])
    await rig.close()
  }

  @Test(arguments: [
    ("AuthenticationFailed", SecurityFailure.refused), ("AuthenticationCanceled", .refused),
    ("AuthenticationTimeout", .timedOut),
    ("ConnectionAttemptFailed", .closed(BearerClosed(.connectTimeout))),
  ])
  func `why pairing failed`(name: String, failure: SecurityFailure) async throws {
    let rig = try await Rig()
    await rig.bluez.add(Self.address, Self.paired)
    await rig.bluez.fail("Pair", name)
    let failed = await Self.pairing { try await rig.radio.pairAudio(rig.address) }
    #expect(failed == failure)
    #expect(await rig.bluez.agent == nil)
    await rig.close()
  }

  /// Without a pairing under way, `CancelPairing` removes the LE keys.
  @Test(arguments: [false, true])
  func `a cancelled pairing is cancelled there, but not of a paired device`(
    isPaired: Bool
  ) async throws {
    let rig = try await Rig()
    await rig.bluez.add(Self.address, isPaired ? Self.paired : [:])
    let (cancelled, cancelling) = AsyncStream.makeStream(of: Void.self)
    await rig.bluez.reply(to: "Pair") { _, _, _ in
      for await _ in cancelled { break }
      return .error(name: "org.bluez.Error.AuthenticationCanceled", message: "")
    }
    await rig.bluez.reply(to: "CancelPairing") { _, _, _ in
      cancelling.yield()
      return .values([])
    }
    let asked = rig.reply(isPaired ? [] : [.yes])
    let pairing = Task {
      await Self.pairing { try await rig.radio.pairAudio(rig.address) }
    }
    for await call in rig.bluez.called where call.hasPrefix("Pair") { break }
    pairing.cancel()
    #expect(await pairing.value != nil)
    asked.cancel()
    let isCancelled = await rig.bluez.calls.contains("CancelPairing dev_F0_F1_F2_F3_F4_F5")
    #expect(isCancelled != isPaired)
    await rig.close()
  }

  @Test(arguments: [false, true])
  func `with nobody to ask, a link is encrypted by bluetoothd's keys and never paired`(
    isPaired: Bool
  ) async throws {
    let rig = try await Rig(consents: false)
    await rig.bluez.add(Self.address, isPaired ? Self.paired : [:])
    let raised = Mutex(0)
    rig.base.security = { raised.withLock { $0 += 1 } }
    let bearer = try await rig.radio.connect(
      to: PeerAddress(rig.address, .public), timeout: .seconds(1))
    let failure = await Self.pairing { try await bearer.raiseSecurity(to: .medium) }
    #expect(failure == (isPaired ? nil : .unattended))
    #expect(raised.withLock(\.self) == (isPaired ? 1 : 0))
    if !isPaired {
      #expect(await Self.pairing { try await rig.radio.pairAudio(rig.address) } == .unattended)
      #expect(await !rig.bluez.calls.contains { $0.hasPrefix("Pair") })
    }
    await rig.close()
  }

  @Test func `a link's own pairing is answered by this program's agent`() async throws {
    let rig = try await Rig()
    await rig.bluez.add(Self.address, ["Trusted": .boolean(false)])
    let bluez = rig.bluez
    rig.base.security = {
      _ = await bluez.ask(
        "RequestAuthorization", [.objectPath(FakeBlueZ.path(Self.address))])
      await bluez.change(Self.address, ["Bonded": .boolean(true)])
    }
    let asked = rig.reply([.yes])
    let bearer = try await rig.radio.connect(
      to: PeerAddress(rig.address, .public), timeout: .seconds(1))
    try await bearer.raiseSecurity(to: .medium)
    #expect(await asked.value == [.consent])
    let calls = await rig.bluez.calls
    #expect(calls.contains("RequestDefaultAgent bluez"))
    #expect(await rig.bluez.calls.last == "Set dev_F0_F1_F2_F3_F4_F5 Trusted")
    await rig.close()
  }

  @Test func `what may be the audio side of a private address goes before its pairing`()
    async throws
  {
    let rig = try await Rig()
    let name = ["Name": DBusValue.string("Aurora")]
    let passing = PeerAddress(try #require(BluetoothAddress("4A:4F:CE:E9:1E:21")), .random)
    await rig.bluez.add(
      "\(passing.address)", name.merging(["AddressType": .string("random")]) { $1 })
    await rig.bluez.add(Self.address, name)
    await rig.bluez.add("F0:F1:F2:F3:F4:A1", name.merging(["Paired": .boolean(true)]) { $1 })
    await rig.bluez.add("F0:F1:F2:F3:F4:A2", name.merging(["Connected": .boolean(true)]) { $1 })
    await rig.bluez.add("F0:F1:F2:F3:F4:A3", ["Name": .string("Other")])
    await rig.bluez.reply(to: "RemoveDevice") { bluez, _, _ in
      await bluez.remove(FakeBlueZ.path(Self.address))
      return .values([])
    }
    let bluez = rig.bluez
    rig.base.security = {
      #expect(await bluez.calls.filter { $0 == "RemoveDevice hci0" }.count == 1)
      await bluez.change("\(passing.address)", ["Paired": .boolean(true)])
    }
    let bearer = try await rig.radio.connect(to: passing, timeout: .seconds(1))
    try await bearer.raiseSecurity(to: .medium)
    await rig.close()
  }

  @Test func `a link's pairing ends with bluetoothd, and nobody failed to answer`() async throws {
    let rig = try await Rig()
    await rig.bluez.add(Self.address, [:])
    let (bluez, open) = (rig.bluez, rig.base.open)
    // The kernel waits for the answer, which only the bluetoothd that asked could pass on.
    rig.base.security = { () throws(SecurityFailure) in
      _ = await bluez.ask("RequestAuthorization", [.objectPath(FakeBlueZ.path(Self.address))])
      for await _ in open {}
      throw .refused
    }
    let events = rig.agent.events()
    let bearer = try await rig.radio.connect(
      to: PeerAddress(rig.address, .public), timeout: .seconds(1))
    let raising = Task { await Self.pairing { try await bearer.raiseSecurity(to: .medium) } }
    for await case .asked in events { break }
    var news = await rig.news().makeAsyncIterator()
    try await rig.bluez.leave()
    #expect(await raising.value == .bluetoothd("it ended while pairing"))
    try await rig.bluez.comeBack()
    #expect(await news.next() == .bluetoothdStarted)
    // The next link comes after the end of this one, whose pairing the kernel goes on with.
    rig.base.linked = [[RadioLink(.le, rig.address)], [], [RadioLink(.le, rig.address)]]
    for _ in 0..<2 {
      _ = try await rig.radio.connect(
        to: PeerAddress(rig.address, .public), timeout: .seconds(1))
    }
    #expect(rig.base.calls == ["connect", "link", "no link", "connect", "connect"])
    #expect(await rig.bluez.calls.last == "Disconnect dev_F0_F1_F2_F3_F4_F5")
    await rig.close()
  }

  @Test func `a link's pairing ends when bluetoothd hangs with the person's reply`() async throws {
    let clock = ManualClock()
    let rig = try await Rig(clock: clock)
    await rig.bluez.add(Self.address, [:])
    let (bluez, open) = (rig.bluez, rig.base.open)
    rig.base.security = { () throws(SecurityFailure) in
      // Before it asks: what it is asked with the reply must not be answered any more.
      await bluez.stop()
      _ = await bluez.ask("RequestAuthorization", [.objectPath(FakeBlueZ.path(Self.address))])
      for await _ in open {}
      throw .refused
    }
    let asked = rig.reply([.yes])
    let bearer = try await rig.radio.connect(
      to: PeerAddress(rig.address, .public), timeout: .seconds(1))
    let raising = Task { await Self.pairing { try await bearer.raiseSecurity(to: .medium) } }
    #expect(await asked.value == [.consent])
    await Self.passReplyTimes(1, of: clock)
    #expect(await raising.value == .bluetoothdUnresponsive)
    await rig.close()
  }

  @Test func `a question that bluetoothd withdraws is not unanswered`() async throws {
    let rig = try await Rig()
    await rig.bluez.add(Self.address, [:])
    let bluez = rig.bluez
    let events = rig.agent.events()
    rig.base.security = { () throws(SecurityFailure) in
      async let asking = bluez.ask(
        "RequestAuthorization", [.objectPath(FakeBlueZ.path(Self.address))])
      for await case .asked in events { break }
      _ = await bluez.ask("Cancel", [])
      _ = await asking
      throw .closed(BearerClosed(.supervisionTimeout))
    }
    let bearer = try await rig.radio.connect(
      to: PeerAddress(rig.address, .public), timeout: .seconds(1))
    let failed = await Self.pairing { try await bearer.raiseSecurity(to: .medium) }
    #expect(failed == .closed(BearerClosed(.supervisionTimeout)))
    await rig.close()
  }

  @Test func `LE paired on this program's link is consent for the other side, too`() async throws {
    let rig = try await Rig()
    await rig.bluez.add(Self.address, Self.headphoneClass)
    // bluetoothd does not signal Paired there.
    await rig.bluez.change(Self.address, ["Bonded": .boolean(true)])
    try await rig.radio.pairAudio(rig.address)
    #expect(await rig.bluez.calls.contains("Pair dev_F0_F1_F2_F3_F4_F5"))
    await rig.close()
  }

  @Test func `a paired LE side alone is not paired again, which bluetoothd never replies to`()
    async throws
  {
    let rig = try await Rig()
    await rig.bluez.add(
      Self.address, ["Bonded": .boolean(true), "AdvertisingFlags": .bytes([0x06])])
    await rig.bluez.fail("StartDiscovery", "InProgress")
    let failed = await Self.pairing { try await rig.radio.pairAudio(rig.address) }
    #expect(failed == .unsupported)
    // Until an inquiry finds the other side.
    await rig.bluez.reply(to: "StartDiscovery") { bluez, _, _ in
      await bluez.change(Self.address, Self.headphoneClass)
      return .values([])
    }
    try await rig.radio.pairAudio(rig.address)
    let calls = await rig.bluez.calls
    #expect(calls.filter { $0.hasPrefix("Pair") }.count == 1)
    await rig.close()
  }

  @Test func `forgetting removes the device`() async throws {
    let rig = try await Rig()
    await rig.bluez.add(Self.address, ["Paired": .boolean(true)])
    await rig.bluez.reply(to: "RemoveDevice") { bluez, _, _ in
      await bluez.remove(FakeBlueZ.path(Self.address))
      return .values([])
    }
    try await rig.radio.unpair(PeerAddress(rig.address, .public))
    let calls = await rig.bluez.calls
    #expect(calls == ["RemoveDevice hci0"])
    #expect(rig.base.calls.isEmpty)
    await rig.close()
  }

  @Test func `a device that bluetoothd keeps is reported with its reason`() async throws {
    let rig = try await Rig()
    await rig.bluez.add(Self.address, ["Paired": .boolean(true)])
    await rig.bluez.fail("RemoveDevice", "Failed")
    let peer = PeerAddress(rig.address, .public)
    let failed = await Self.pairing { try await rig.radio.unpair(peer) }
    #expect(failed == .bluetoothd("org.bluez.Error.Failed"))
    await rig.close()
  }

  @Test func `a device that stays for its other link is removed again`() async throws {
    let clock = ManualClock()
    let rig = try await Rig(clock: clock)
    await rig.bluez.add(Self.address, ["Paired": .boolean(true)])
    let removing = Task { try await rig.radio.unpair(PeerAddress(rig.address, .public)) }
    for await call in rig.bluez.called where call == "RemoveDevice hci0" { break }
    await rig.bluez.reply(to: "RemoveDevice") { bluez, _, _ in
      await bluez.remove(FakeBlueZ.path(Self.address))
      return .values([])
    }
    await clock.pass(.seconds(1))
    try await removing.value
    let calls = await rig.bluez.calls
    #expect(calls == ["RemoveDevice hci0", "RemoveDevice hci0"])
    await rig.close()
  }

  @Test(arguments: [(517, true), (23, false), (nil, false)] as [(UInt16?, Bool)])
  func `a control link that bluetoothd has shows its MTU`(mtu: UInt16?, isHeld: Bool) async throws {
    let rig = try await Rig()
    await rig.bluez.add(Self.address, Self.name.merging(["Connected": .boolean(true)]) { $1 })
    await rig.bluez.add(
      FakeBlueZ.path(Self.address) + "/service0006/char0007", "org.bluez.GattCharacteristic1",
      mtu.map { ["MTU": .uint16($0)] } ?? [:])
    #expect(await rig.client.heldControlLinks() == (isHeld ? ["Ear"] : []))
    await rig.close()
  }
}
