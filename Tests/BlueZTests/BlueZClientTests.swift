import Bluetooth
import BluetoothCodec
import DBus
import EventLoop
import TestSupport
import Testing

@testable import BlueZ

/// With a fake org.bluez on a private bus that behaves as bluetoothd 5.66 was measured to.
@Suite(.timeLimit(.minutes(5))) struct BlueZClientTests {
  private static let address = "F0:F1:F2:F3:F4:F5"
  private static let headphoneClass = ["Class": DBusValue.uint32(0x240418)]
  /// Paired on one side at least, and known to have one of BR/EDR.
  private static let paired = headphoneClass.merging(["Paired": .boolean(true)]) { $1 }
  private static let name = ["RSSI": DBusValue.int16(-60), "Name": .string("Ear")]

  /// A radio beside bluetoothd, and the person who answers.
  private struct Rig: Sendable {
    nonisolated(unsafe) let daemon: BusDaemon
    let bus: String
    let bluez: FakeBlueZ
    let client: BlueZClient
    let radio: BlueZRadio
    let base: ScriptedBase
    let agent: PairingAgent
    let address: BluetoothAddress

    init(
      clock: any Clock<Duration> = ContinuousClock(), isPowered: Bool = true,
      scanFailure: RadioError? = nil
    ) async throws {
      daemon = try BusDaemon()
      bus = daemon.address
      bluez = try await FakeBlueZ(daemon, isPowered: isPowered)
      agent = PairingAgent(clock: clock)
      client = BlueZClient(
        address: DBusAddress(daemon.address), agent: agent, loop: PollLoop(name: "test"),
        clock: clock)
      base = ScriptedBase(scanFailure: scanFailure)
      radio = BlueZRadio(over: base, client: client)
      address = try #require(BluetoothAddress(BlueZClientTests.address))
    }

    func close() async {
      await client.close()
      await bluez.close()
    }

    /// What bluetoothd reports from now on.
    func news() async -> AsyncStream<DeviceNews> {
      let (news, stream) = AsyncStream.makeStream(of: DeviceNews.self)
      await client.follow(into: stream)
      return news
    }

    /// Answers what is asked, and tells what it was.
    func reply(_ answers: [PairingAnswer]) -> Task<[PairingRequest], Never> {
      let events = agent.events()
      return Task { [agent] in
        var asked: [PairingRequest] = []
        var left = answers[...]
        for await event in events {
          guard case .asked(let question) = event, let answer = left.popFirst() else { continue }
          asked.append(question.request)
          agent.reply(to: question.id, with: answer)
          if left.isEmpty { break }
        }
        return asked
      }
    }
  }

  private static func pairing(_ body: @Sendable () async throws -> Void) async -> SecurityFailure? {
    do {
      try await body()
      return nil
    } catch { return error as? SecurityFailure }
  }

  // MARK: Discovery

  @Test func `discovery finds what comes, and ends with its consumer`() async throws {
    let rig = try await Rig()
    let scanning = Task { () -> [DiscoveredPeripheral] in
      var found: [DiscoveredPeripheral] = []
      for try await result in rig.radio.scan(ScanOptions(duration: nil)) {
        found.append(result)
        if found.count == 2 { break }
      }
      return found
    }
    for await call in rig.bluez.called where call == "StartDiscovery hci0" { break }
    await rig.bluez.add(Self.address, Self.name)
    await rig.bluez.change(Self.address, ["Class": .uint32(0x240418)])
    let found = try await scanning.value
    #expect(found.map(\.peer) == Array(repeating: PeerAddress(rig.address, .public), count: 2))
    #expect(found.last?.audioAddress == rig.address)
    for await call in rig.bluez.called where call == "StopDiscovery hci0" { break }
    #expect(
      await rig.bluez.calls == [
        "SetDiscoveryFilter hci0", "StartDiscovery hci0", "StopDiscovery hci0",
      ])
    await rig.close()
  }

  @Test func `a scan ends after its time, and what is there already is reported first`()
    async throws
  {
    let rig = try await Rig()
    await rig.bluez.add(Self.address, Self.name)
    var count = 0
    for try await _ in rig.radio.scan(ScanOptions(duration: .milliseconds(10))) { count += 1 }
    #expect(count == 1)
    await rig.close()
  }

  @Test func `discovery waits for the end of one that a killed bluetoothd has left`() async throws {
    let clock = ManualClock()
    let rig = try await Rig(clock: clock)
    await rig.bluez.fail("StartDiscovery", "InProgress")
    let scanning = Task {
      for try await _ in rig.radio.scan(ScanOptions(duration: nil)) {}
    }
    for _ in 0..<2 {
      for await call in rig.bluez.called where call == "StartDiscovery hci0" { break }
      await clock.sleepers(1, within: .seconds(1))
      clock.advance(by: .seconds(1))
    }
    scanning.cancel()
    await rig.close()
  }

  @Test(arguments: [true, false])
  func `a private address that was bonded is that of the identity`(isBonded: Bool) async throws {
    let rig = try await Rig()
    let passing = PeerAddress(try #require(BluetoothAddress("4A:4F:CE:E9:1E:21")), .random)
    let stranger = PeerAddress(try #require(BluetoothAddress("4A:4F:CE:E9:1E:22")), .random)
    // The audio side's object is there, too, until bluetoothd has merged both.
    await rig.bluez.add(Self.address, Self.headphoneClass)
    await rig.bluez.add(
      FakeBlueZ.path("\(passing.address)"), "org.bluez.Device1",
      [
        "Address": .string(Self.address), "AddressType": .string("public"),
        "Adapter": .objectPath(FakeBlueZ.adapter), "Paired": .boolean(isBonded),
      ])
    await rig.bluez.add("\(stranger.address)", ["AddressType": .string("random")])
    let identity = PeerAddress(rig.address, .public)
    #expect(await rig.radio.identity(of: passing) == (isBonded ? identity : passing))
    #expect(await rig.radio.identity(of: stranger) == stranger)
    #expect(await rig.radio.identity(of: identity) == identity)
    _ = try? await rig.radio.connect(to: passing, timeout: .seconds(1))
    #expect(rig.base.peers == [isBonded ? identity : passing])
    await rig.close()
  }

  @Test func `discovery rests while a link is made`() async throws {
    let rig = try await Rig()
    let scanning = Task {
      for try await _ in rig.radio.scan(ScanOptions(duration: nil)) {}
    }
    for await call in rig.bluez.called where call == "StartDiscovery hci0" { break }
    _ = try? await rig.radio.connect(
      to: PeerAddress(rig.address, .public), timeout: .seconds(1))
    let atConnect = rig.base.calls
    #expect(atConnect == ["connect"])
    for await call in rig.bluez.called where call == "StopDiscovery hci0" { break }
    for await call in rig.bluez.called where call == "StartDiscovery hci0" { break }
    scanning.cancel()
    await rig.close()
  }

  @Test func `a connected device is found by its product`() async throws {
    let rig = try await Rig()
    await rig.bluez.add(
      Self.address,
      Self.headphoneClass.merging([
        "Connected": .boolean(true), "Modalias": .string("bluetooth:v004Cp2014d0B87"),
        "Name": .string("Pods"),
      ]) { $1 })
    let options = ScanOptions(
      patterns: [.product(vendor: 0x004C)], name: "pods", duration: nil)
    for try await found in rig.radio.scan(options) {
      #expect(found.data.localName == "Pods")
      #expect(found.peer == PeerAddress(rig.address, .classic))
      #expect(found.product == ProductID(vendor: 0x004C, product: 0x2014))
      break
    }
    await rig.close()
  }

  @Test func `an adapter that is off is reported`() async throws {
    let clock = ManualClock()
    let rig = try await Rig(clock: clock, isPowered: false)
    let scan = Task { for try await _ in rig.radio.scan(ScanOptions()) {} }
    await clock.sleepers(1, within: .seconds(1))
    clock.advance(by: .seconds(1))
    await #expect(throws: RadioError.poweredOff(adapter: "hci0")) { try await scan.value }
    try await rig.radio.setPower(true)
    let calls = await rig.bluez.calls
    #expect(calls.last == "Set hci0 Powered")
    await rig.close()
  }

  @Test func `an adapter whose power bluetoothd reports a moment later is scanned with`()
    async throws
  {
    let clock = ManualClock()
    let rig = try await Rig(clock: clock, isPowered: false)
    let scan = Task { for try await _ in rig.radio.scan(ScanOptions(duration: nil)) {} }
    await clock.sleepers(1, within: .seconds(1))
    try await rig.radio.setPower(true)
    for await call in rig.bluez.called where call == "StartDiscovery hci0" { break }
    scan.cancel()
    await rig.close()
  }

  @Test func `what bluetoothd refuses is reported in its message`() async throws {
    let rig = try await Rig()
    await rig.bluez.fail("StartDiscovery", "Failed", "no")
    await #expect(throws: RadioError.bluetoothd("no", during: "scanning")) {
      for try await _ in rig.radio.scan(ScanOptions()) {}
    }
    await rig.close()
  }

  @Test func `bluetoothd goes and comes back during a scan, which goes on`() async throws {
    let rig = try await Rig()
    let (found, finding) = AsyncStream.makeStream(of: DiscoveredPeripheral.self)
    let scanning = Task {
      for try await result in rig.radio.scan(ScanOptions(duration: nil)) { finding.yield(result) }
    }
    for await call in rig.bluez.called where call == "StartDiscovery hci0" { break }
    try await rig.bluez.leave()
    try await rig.bluez.comeBack()
    for await call in rig.bluez.called where call == "StartDiscovery hci0" { break }
    await rig.bluez.add(Self.address, Self.name)
    for await result in found {
      #expect(result.peer.address == rig.address)
      break
    }
    scanning.cancel()
    await rig.close()
  }

  @Test func `bluetoothd comes back some time before its adapter, and a scan goes on`()
    async throws
  {
    let rig = try await Rig()
    var news = await rig.news().makeAsyncIterator()
    let scanning = Task { for try await _ in rig.radio.scan(ScanOptions(duration: nil)) {} }
    for await call in rig.bluez.called where call == "StartDiscovery hci0" { break }
    try await rig.bluez.leave()
    await rig.bluez.remove(FakeBlueZ.adapter)
    try await rig.bluez.comeBack()
    #expect(await news.next() == .bluetoothdStarted)
    await rig.bluez.add(FakeBlueZ.adapter, "org.bluez.Adapter1", ["Powered": .boolean(true)])
    for await call in rig.bluez.called where call == "StartDiscovery hci0" { break }
    scanning.cancel()
    await rig.close()
  }

  @Test(arguments: [false, true])
  func `a scan that begins before bluetoothd shows its adapter begins with it`(isKilled: Bool)
    async throws
  {
    let clock = ManualClock()
    let rig = try await Rig(clock: clock)
    await rig.bluez.remove(FakeBlueZ.adapter)
    var news = await rig.news().makeAsyncIterator()
    let scanning = Task { for try await _ in rig.radio.scan(ScanOptions(duration: nil)) {} }
    await clock.sleepers(1, within: .seconds(1))
    if isKilled {
      try await rig.bluez.leave()
      try await rig.bluez.comeBack()
      #expect(await news.next() == .bluetoothdStarted)
      clock.advance(by: .seconds(1))
    }
    await rig.bluez.add(FakeBlueZ.adapter, "org.bluez.Adapter1", ["Powered": .boolean(true)])
    for await call in rig.bluez.called where call == "StartDiscovery hci0" { break }
    scanning.cancel()
    await rig.close()
  }

  @Test func `without bluetoothd the radio below does it`() async throws {
    let rig = try await Rig()
    try await rig.bluez.leave()
    for try await _ in rig.radio.scan(ScanOptions()) {}
    try await rig.radio.pairAudio(rig.address)
    try await rig.radio.unpair(PeerAddress(rig.address, .public))
    #expect(rig.base.calls == ["scan", "pair", "unpair"])
    await #expect(throws: AudioLinkError.noBluetoothd) {
      try await rig.radio.connectAudio(rig.address)
    }
    await rig.close()
  }

  @Test func `a scan that only bluetoothd permits says that it is not running, and when it is`()
    async throws
  {
    let rig = try await Rig()
    try await rig.bluez.leave()
    let base = ScriptedBase(
      scanFailure: .notPermitted(operation: "scanning", capability: "CAP_NET_RAW"))
    let radio = BlueZRadio(over: base, client: rig.client)
    await #expect(
      throws: RadioError.noBluetoothd(operation: "scanning", capability: "CAP_NET_RAW")
    ) {
      for try await _ in radio.scan(ScanOptions()) {}
    }
    var news = await rig.news().makeAsyncIterator()
    try await rig.bluez.comeBack()
    #expect(await news.next() == .bluetoothdStarted)
    await rig.close()
  }

  @Test func `a scan that was not permitted goes on with a bluetoothd that came meanwhile`()
    async throws
  {
    let rig = try await Rig()
    try await rig.bluez.leave()
    let (bluez, news) = (rig.bluez, await rig.news())
    let base = ScriptedBase(
      scanFailure: .notPermitted(operation: "scanning", capability: "CAP_NET_RAW")
    ) {
      try? await bluez.comeBack()
      for await _ in news { break }
    }
    let radio = BlueZRadio(over: base, client: rig.client)
    let scanning = Task { for try await _ in radio.scan(ScanOptions(duration: nil)) {} }
    for await call in rig.bluez.called where call == "StartDiscovery hci0" { break }
    scanning.cancel()
    await rig.close()
  }

  @Test func `the sound waits for a sound server that registers later than bluetoothd starts`()
    async throws
  {
    let rig = try await Rig()
    await rig.bluez.change(FakeBlueZ.adapter, "org.bluez.Adapter1", ["UUIDs": .strings([])])
    await rig.bluez.add(Self.address, ["Paired": .boolean(true)])
    await rig.bluez.reply(to: "Connect") { bluez, path, _ in
      let isThere =
        await bluez.objects[FakeBlueZ.adapter]?["org.bluez.Adapter1"]?["UUIDs"] != .strings([])
      Task {
        guard isThere else { return }
        await bluez.add("\(path)/sep1/fd0", "org.bluez.MediaTransport1", ["Codec": .byte(0)])
      }
      return .values([])
    }
    #expect(await rig.client.isPresent)
    let connecting = Task { try await rig.radio.connectAudio(rig.address) }
    let source = DBusValue.strings(["0000110a-0000-1000-8000-00805f9b34fb"])
    await rig.bluez.change(FakeBlueZ.adapter, "org.bluez.Adapter1", ["UUIDs": source])
    try await connecting.value
    #expect(await rig.bluez.calls == ["Connect dev_F0_F1_F2_F3_F4_F5"])
    await rig.close()
  }

  @Test func `the sound waits longer for a sound server that was there before`() async throws {
    let clock = ManualClock()
    let rig = try await Rig(clock: clock)
    let source = DBusValue.strings(["0000110a-0000-1000-8000-00805f9b34fb"])
    func setSources(_ sources: DBusValue) async {
      await rig.bluez.change(FakeBlueZ.adapter, "org.bluez.Adapter1", ["UUIDs": sources])
    }
    await setSources(source)
    await rig.bluez.add(Self.address, ["Paired": .boolean(true)])
    await rig.bluez.reply(to: "Connect") { bluez, path, _ in
      let sources = await bluez.objects[FakeBlueZ.adapter]?["org.bluez.Adapter1"]?["UUIDs"]
      guard sources == source else {
        return .error(
          name: "org.bluez.Error.Failed", message: "br-connection-profile-unavailable")
      }
      Task { await bluez.add("\(path)/sep1/fd0", "org.bluez.MediaTransport1", ["Codec": .byte(0)]) }
      return .values([])
    }
    try await rig.radio.connectAudio(rig.address)

    var news = await rig.news().makeAsyncIterator()
    try await rig.bluez.leave()
    await rig.bluez.remove("\(FakeBlueZ.path(Self.address))/sep1/fd0")
    await setSources(.strings([]))
    try await rig.bluez.comeBack()
    #expect(await news.next() == .bluetoothdStarted)
    let connecting = Task { try await rig.radio.connectAudio(rig.address) }
    // Each round trip leaves the attempt time to go on.
    for _ in 0..<40 {
      clock.advance(by: AudioConnection.endpointTimeout / 30)
      #expect(await rig.client.isPresent)
    }
    await setSources(source)
    try await connecting.value
    await rig.close()
  }

  @Test func `without a system bus, too`() async throws {
    let base = ScriptedBase()
    let client = BlueZClient(
      address: DBusAddress("unix:path=/nonexistent/bus"), agent: PairingAgent(),
      loop: PollLoop(name: "test"))
    let radio = BlueZRadio(over: base, client: client)
    for try await _ in radio.scan(ScanOptions()) {}
    #expect(base.calls == ["scan"])
  }

  @Test func `a system bus that comes back is reported`() async throws {
    let clock = ManualClock()
    let rig = try await Rig(clock: clock)
    var news = await rig.news().makeAsyncIterator()
    #expect(await rig.client.isPresent)
    try await rig.bluez.leave()
    try await rig.bluez.comeBack()
    #expect(await news.next() == .bluetoothdStarted)
    rig.daemon.end()
    try rig.daemon.start()
    let bluez = try await FakeBlueZ(rig.daemon)
    await clock.sleepers(1, within: .seconds(1))
    clock.advance(by: .seconds(1))
    #expect(await news.next() == .bluetoothdStarted)
    await bluez.close()
    await rig.close()
  }

  @Test func `a scan without a system bus reports that bluetoothd is missing`() async throws {
    let client = BlueZClient(
      address: DBusAddress("unix:path=/nonexistent/bus"), agent: PairingAgent(),
      loop: PollLoop(name: "test"))
    let base = ScriptedBase(
      scanFailure: .notPermitted(operation: "scanning", capability: "CAP_NET_RAW"))
    let radio = BlueZRadio(over: base, client: client)
    await #expect(
      throws: RadioError.noBluetoothd(operation: "scanning", capability: "CAP_NET_RAW")
    ) {
      for try await _ in radio.scan(ScanOptions()) {}
    }
  }

  @Test func `objects that another process announces are none`() async throws {
    let rig = try await Rig()
    #expect(await rig.client.isPresent)
    await #expect(throws: AudioLinkError.self) {
      await rig.bluez.fail("StartDiscovery", "Failed", "no")
      try await rig.radio.connectAudio(rig.address)
    }
    let me = await rig.bluez.client
    let impostor = try DBusConnection(
      address: try #require(DBusAddress(rig.bus)), loop: PollLoop(name: "impostor"))
    await impostor.emit(
      DBusSignal(
        "InterfacesAdded", of: "org.freedesktop.DBus.ObjectManager", at: "/",
        [
          .objectPath(FakeBlueZ.path(Self.address)),
          .dictionary(
            key: "s", value: "a{sv}",
            [
              .string("org.bluez.Device1"): .options([
                "Address": .string(Self.address), "Adapter": .objectPath(FakeBlueZ.adapter),
                "Paired": .boolean(true),
              ])
            ]),
        ]), to: me)
    await #expect(throws: AudioLinkError.notFound) {
      try await rig.radio.connectAudio(rig.address)
    }
    await impostor.close()
    await rig.close()
  }

  // MARK: Pairing

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

  /// Without a pairing under way, `CancelPairing` removes the keys of LE.
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
      _ = await bluez.ask("RequestAuthorization", [.objectPath(FakeBlueZ.path(Self.address))])
      await bluez.stop()
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
    await clock.sleepers(1, within: .seconds(1))
    clock.advance(by: .seconds(1))
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
    clock.advance(by: .seconds(65))
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

  /// Lets the time pass in which bluetoothd has to answer, for each of so many questions.
  private static func passReplyTimes(_ count: Int, of clock: ManualClock) async {
    for _ in 0..<count {
      await clock.sleepers(1, within: replyTime)
      clock.advance(by: replyTime)
    }
  }

  private static let replyTime: Duration = .seconds(5)

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

  private static let noRights = RadioError.notPermitted(
    operation: "scanning", capability: "CAP_NET_RAW")

  private static func scanFailure(of radio: BlueZRadio) async -> RadioError? {
    do {
      for try await _ in radio.scan(ScanOptions()) {}
      return nil
    } catch { return error as? RadioError }
  }

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
    await clock.sleepers(1, within: .seconds(1))
    clock.advance(by: .seconds(1))
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
    await clock.sleepers(1, within: .seconds(1))
    clock.advance(by: .seconds(1))
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
