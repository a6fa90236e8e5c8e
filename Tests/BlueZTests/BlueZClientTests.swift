import BluetoothCodec
import BluetoothRadio
import DBus
import EventLoop
import TestSupport
import Testing

@testable import BlueZ

/// Tests with a fake org.bluez on a private bus that behaves as bluetoothd 5.66 was measured to.
@Suite struct BlueZClientTests {
  static let address = "F0:F1:F2:F3:F4:F5"
  static let headphoneClass = ["Class": DBusValue.uint32(0x240418)]
  /// A device that is paired on at least one side and known to have a BR/EDR side.
  static let paired = headphoneClass.merging(["Paired": .boolean(true)]) { $1 }
  static let name = ["RSSI": DBusValue.int16(-60), "Name": .string("Ear")]

  /// A radio beside bluetoothd, and a user who answers.
  struct Rig: Sendable {
    nonisolated(unsafe) let daemon: BusDaemon
    let bus: String
    let bluez: FakeBlueZ
    let client: BlueZClient
    let radio: BlueZRadio
    let base: ScriptedBase
    let agent: PairingAgent
    let address: BluetoothAddress

    init(
      clock: any Clock<Duration> = ManualClock(), isPowered: Bool = true,
      scanFailure: RadioError? = nil, consents: Bool = true
    ) async throws {
      daemon = try BusDaemon()
      bus = daemon.address
      bluez = try await FakeBlueZ(daemon, isPowered: isPowered)
      agent = PairingAgent(clock: clock, consentsUnattended: consents)
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

    /// Returns bluetoothd's reports from now on.
    func news() async -> AsyncStream<DeviceNews> {
      let (news, stream) = AsyncStream.makeStream(of: DeviceNews.self)
      await client.follow(into: stream)
      return news
    }

    /// Answers the questions in order, and returns them.
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

  static func pairing(_ body: @Sendable () async throws -> Void) async -> SecurityFailure? {
    do {
      try await body()
      return nil
    } catch { return error as? SecurityFailure }
  }

  /// Passes the time in which bluetoothd has to answer, for each of `count` questions.
  static func passReplyTimes(_ count: Int, of clock: ManualClock) async {
    for _ in 0..<count {
      await clock.pass(replyTime)
    }
  }

  private static let replyTime: Duration = .seconds(5)

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
    let clock = ManualClock()
    let rig = try await Rig(clock: clock)
    await rig.bluez.add(Self.address, Self.name)
    var count = 0
    for try await _ in rig.radio.scan(ScanOptions(duration: .milliseconds(10))) {
      count += 1
      await clock.pass(.milliseconds(10))
    }
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
      await clock.pass(.seconds(1))
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
    await clock.pass(.seconds(1))
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
      await clock.pass(.seconds(1))
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
      clock.jump(by: AudioConnection.endpointTimeout / 30)
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
    await clock.pass(.seconds(1))
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
      address: try #require(DBusAddress(rig.bus)), loop: PollLoop(name: "impostor"),
      clock: ManualClock())
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
}
