import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import EventLoop
import Locking
import TestSupport
import Testing

@testable import BluetoothKernel

@Suite struct KernelPairingTests {
  private let channel = ScriptedManagement()
  private let clock = ManualClock()
  private let adapter = AdapterInfo(
    index: 0, name: "hci0", address: BluetoothAddress(value: 0x001A_7DDA_7113), isPowered: true)
  private let bud = ManagementPeer(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .leRandom)
  private let key = SecretKey(Bytes(0..<16))

  private func pairing(
    _ agent: PairingAgent? = nil, bonds: any BondStore = EmptyBondStore(),
    rule: PairingAuthority = .own
  ) -> KernelPairing {
    KernelPairing(
      agent: agent ?? PairingAgent(clock: clock, consentsUnattended: true), bonds: bonds,
      loop: .shared, rule: { rule },
      open: { [channel] in channel })
  }

  /// Begins a pairing in which the bud asks for consent.
  private func beginAndAsk(_ pairing: KernelPairing) async {
    await pairing.prepare(adapter, for: bud.named)
    _ = await pairing.begin(bud.named)
    channel.clear()
    channel.say(.userConfirmationRequest(bud, value: 0, isHint: true))
  }

  private func longTermKey(of peer: ManagementPeer? = nil) throws -> LongTermKey {
    LongTermKey(
      peer: peer ?? bud, kind: .unauthenticatedP256, central: 0, encryptionSize: 16,
      encryptedDiversifier: 0, random: 0, key: try #require(key))
  }

  private let settings: [ManagementCommand] = [
    .setLE(true), .setSecureSimplePairing(true), .setSecureConnections(.on), .setBondable(true),
    .loadIdentityResolvingKeys([]),
  ]

  // MARK: Preparing

  @Test func `an adapter is prepared once, and the log says so`() async {
    let notices = Mutex<[RadioWarning]>([])
    let pairing = KernelPairing(
      agent: PairingAgent(clock: clock, consentsUnattended: true), bonds: EmptyBondStore(),
      loop: .shared, rule: { .own },
      open: { [channel] in channel }, notice: { notice in notices.withLock { $0.append(notice) } })
    defer { #expect(notices.withLock { $0 } == [.prepared(adapter: "hci0")]) }
    await pairing.prepare(adapter, for: bud.named)
    await pairing.prepare(adapter, for: bud.named)
    let capability = ManagementCommand.setIOCapability(.keyboardDisplay)
    #expect(channel.sent == [capability] + settings + [capability])
  }

  @Test(arguments: [
    (ManagementStatus.success, nil),
    (
      .permissionDenied,
      RadioError.notPermitted(operation: "switching the adapter", capability: "CAP_NET_ADMIN")
    ), (.rfkilled, .blocked(adapter: "hci0")), (.invalidIndex, .noAdapter),
  ])
  func `the adapter is switched by the kernel`(status: ManagementStatus, error: RadioError?) async {
    let pairing = pairing()
    async let switched = { () async -> RadioError? in
      do throws(RadioError) {
        try await pairing.setPower(true, of: adapter)
        return nil
      } catch {
        return error
      }
    }()
    #expect(await channel.commands(1) == [.setPowered(true)])
    let result: ManagementReturn = status.isSuccess ? .settings([]) : .other([])
    channel.say(.commandComplete(.setPowered, status, result))
    #expect(await switched == error)
  }

  @Test func `with a person there this host has keyboard and display`() async {
    let agent = PairingAgent(clock: clock, consentsUnattended: true)
    let events = agent.events()
    await pairing(agent).prepare(adapter, for: bud.named)
    #expect(channel.sent.first == .setIOCapability(.keyboardDisplay))
    withExtendedLifetime(events) {}
  }

  @Test func `the keys of earlier runs are loaded`() async throws {
    var bond = Bond(adapter: adapter.address, identity: bud.named)
    let longTerm = try longTermKey()
    bond.add(.longTerm(longTerm))
    bond.identityResolvingKey = key
    let foreign = Bond(adapter: BluetoothAddress(value: 9), identity: bud.named)
    await pairing(bonds: TestBonds([bond, foreign])).prepare(adapter, for: bud.named)
    let identity = IdentityResolvingKey(peer: bud, key: try #require(key))
    #expect(
      channel.sent.dropFirst(5) == [
        .loadIdentityResolvingKeys([identity]), .loadLongTermKeys([longTerm]),
        .loadLinkKeys([], acceptsDebugKeys: false),
      ])
  }

  @Test(arguments: [PairingAuthority.daemon, .others])
  func `nothing is touched that others decide`(rule: PairingAuthority) async throws {
    var bond = Bond(adapter: adapter.address, identity: bud.named)
    bond.add(.longTerm(try longTermKey()))
    await pairing(bonds: TestBonds([bond]), rule: rule).prepare(adapter, for: bud.named)
    #expect(channel.sent == [])
  }

  @Test func `a controller that was plugged in again gets its keys again`() async {
    let pairing = pairing()
    await pairing.prepare(adapter, for: bud.named)
    channel.clear()
    channel.say(.indexRemoved)
    // What is heard after it shows that it was heard.
    let peer = bud
    async let status = pairing.execute(
      .unpairDevice(peer, disconnects: true), about: peer, on: adapter)
    _ = await channel.commands(1)
    channel.say(.commandComplete(.unpairDevice, .notPaired, .peer(peer)))
    #expect(await status == .notPaired)
    channel.clear()
    await pairing.prepare(adapter, for: bud.named)
    #expect(channel.sent.dropFirst() == settings[...])
  }

  // MARK: Asking

  @Test func `the agent is asked and the kernel answered`() async throws {
    let agent = PairingAgent(clock: clock, consentsUnattended: true)
    var events = agent.events().makeAsyncIterator()
    let pairing = pairing(agent)
    await pairing.prepare(adapter, for: bud.named)
    channel.clear()
    channel.say(.userConfirmationRequest(bud, value: 31_415, isHint: false))
    let number = try #require(Passkey(31_415))
    let question = PairingAgent.Question(
      id: 1, peer: bud.named, request: .compare(number), limit: .seconds(25))
    #expect(await events.next() == .asked(question))
    agent.reply(to: 1, with: .yes)
    #expect(await channel.commands(1) == [.userConfirmationReply(bud)])
  }

  @Test func `with nobody there consent is given and numbers are not`() async {
    let pairing = pairing()
    await beginAndAsk(pairing)
    _ = await channel.commands(1)
    channel.say(.userPasskeyRequest(bud))
    #expect(
      await channel.commands(2) == [.userConfirmationReply(bud), .userPasskeyNegativeReply(bud)])
  }

  @Test func `unknown devices are not answered`() async {
    let pairing = pairing()
    let unknownDevice = ManagementPeer(BluetoothAddress(value: 7), .lePublic)
    await pairing.prepare(adapter, for: bud.named)
    channel.clear()
    channel.say(.userConfirmationRequest(unknownDevice, value: 0, isHint: true))
    channel.say(.userConfirmationRequest(bud, value: 0, isHint: true))
    #expect(await channel.commands(1) == [.userConfirmationNegativeReply(bud)])
  }

  @Test func `with nobody there a pairing that the headphone began is refused`() async {
    let pairing = pairing()
    await pairing.prepare(adapter, for: bud.named)
    _ = await pairing.begin(bud.named)
    await pairing.finish(bud.named)
    channel.clear()
    channel.say(.userConfirmationRequest(bud, value: 0, isHint: true))
    #expect(await channel.commands(1) == [.userConfirmationNegativeReply(bud)])
  }

  @Test func `whose link has ended is an unknown device`() async {
    let pairing = pairing()
    let other = ManagementPeer(BluetoothAddress(value: 7), .lePublic)
    await pairing.prepare(adapter, for: bud.named)
    await pairing.prepare(adapter, for: other.named)
    channel.clear()
    channel.say(.deviceDisconnected(bud, .remote))
    channel.say(.userConfirmationRequest(bud, value: 0, isHint: true))
    channel.say(.userConfirmationRequest(other, value: 0, isHint: true))
    #expect(await channel.commands(1) == [.userConfirmationNegativeReply(other)])
  }

  @Test func `who decides is looked for once a link and once a pairing`() async throws {
    let looks = Mutex(0)
    let bonds = TestBonds()
    var keys = bonds.keys.makeAsyncIterator()
    let pairing = KernelPairing(
      agent: PairingAgent(clock: clock, consentsUnattended: true), bonds: bonds, loop: .shared,
      rule: {
        looks.withLock { $0 += 1 }
        return .own
      }, open: { [channel] in channel })
    await pairing.prepare(adapter, for: bud.named)
    #expect(looks.withLock { $0 } == 1)
    _ = await pairing.begin(bud.named)
    channel.clear()
    channel.say(.userConfirmationRequest(bud, value: 0, isHint: true))
    _ = await channel.commands(1)
    channel.say(.newLongTermKey(try longTermKey(), isToBeStored: true))
    _ = await keys.next()
    #expect(await !pairing.expectsKeys(of: bud.named))
    #expect(looks.withLock { $0 } == 2)
    // The next link is encrypted with the key: nobody has to decide anything.
    await pairing.finish(bud.named)
    await pairing.prepare(adapter, for: bud.named)
    _ = await pairing.begin(bud.named, to: .medium)
    #expect(looks.withLock { $0 } == 3)
  }

  @Test func `links go on while it is found out who decides`() async {
    let (answers, answer) = AsyncStream<PairingAuthority>.makeStream()
    let pairing = KernelPairing(
      agent: PairingAgent(clock: clock, consentsUnattended: true), bonds: EmptyBondStore(),
      loop: .shared,
      rule: { await answers.first { _ in true } ?? .others }, open: { [channel] in channel })
    let preparing = Task { await pairing.prepare(adapter, for: bud.named) }
    // The actor shares the thread that polls the links: it is free to answer.
    #expect(await pairing.decided == nil)
    answer.yield(.own)
    await preparing.value
    #expect(await pairing.decided == .own)
  }

  @Test func `a failure says whose it was`() async {
    for (answer, failure): (PairingAnswer, SecurityFailure) in [
      (.no, .declined), (.yes, .refused),
    ] {
      let agent = PairingAgent(clock: clock, consentsUnattended: true)
      var events = agent.events().makeAsyncIterator()
      let channel = ScriptedManagement()
      let pairing = KernelPairing(
        agent: agent, bonds: EmptyBondStore(), loop: .shared, rule: { .own }, open: { channel })
      await pairing.prepare(adapter, for: bud.named)
      var progress = await pairing.begin(bud.named).makeAsyncIterator()
      channel.clear()
      channel.say(.userConfirmationRequest(bud, value: 0, isHint: true))
      _ = await events.next()
      agent.reply(to: 1, with: answer)
      _ = await channel.commands(1)
      channel.say(.authenticationFailed(bud, .authenticationFailed))
      #expect(await progress.next() == .failed(failure))
      #expect(await pairing.verdict(on: bud.named) == failure)
      await pairing.finish(bud.named)
    }
  }

  /// A refusal ends the link, whose end may be noticed before the kernel reports the refusal.
  @Test(arguments: [
    (PairingAnswer?.some(.no), SecurityFailure.declined), (nil, .unanswered),
    (.yes, .closed(BearerClosed(.peer))),
  ])
  func `a link that ends over an answer ends because of it`(
    answer: PairingAnswer?, failure: SecurityFailure
  ) async {
    let agent = PairingAgent(clock: clock, consentsUnattended: true)
    var events = agent.events().makeAsyncIterator()
    let pairing = pairing(agent)
    await beginAndAsk(pairing)
    _ = await events.next()
    if let answer {
      agent.reply(to: 1, with: answer)
    } else {
      await clock.pass(.seconds(25))
    }
    _ = await channel.commands(1)
    let ended = SecurityFailure.closed(BearerClosed(.peer))
    #expect(await pairing.verdict(on: bud.named, after: ended) == failure)
  }

  @Test func `a question that the link's end takes back is no answer`() async {
    let agent = PairingAgent(clock: clock, consentsUnattended: true)
    var events = agent.events().makeAsyncIterator()
    let pairing = pairing(agent)
    await beginAndAsk(pairing)
    _ = await events.next()
    channel.say(.deviceDisconnected(bud, .timeout))
    #expect(await events.next() == .closed(1, .ended))
    // What is asked next shows that the first question has come to its end.
    channel.say(.userConfirmationRequest(bud, value: 0, isHint: true))
    _ = await events.next()
    let ended = SecurityFailure.closed(BearerClosed(.supervisionTimeout))
    #expect(await pairing.verdict(on: bud.named, after: ended) == ended)
    #expect(channel.sent == [])
  }

  @Test func `a link of the audio side that ends leaves the other side's question`() async {
    let agent = PairingAgent(clock: clock, consentsUnattended: true)
    var events = agent.events().makeAsyncIterator()
    let pairing = pairing(agent)
    let same = ManagementPeer(bud.address, .brEdr)
    await pairing.prepare(adapter, for: bud.named)
    var progress = await pairing.begin(bud.named).makeAsyncIterator()
    channel.clear()
    channel.say(.userPasskeyRequest(bud))
    _ = await events.next()
    channel.say(.authenticationFailed(same, .authenticationFailed))
    channel.say(.deviceDisconnected(same, .remote))
    channel.say(.authenticationFailed(bud, .authenticationFailed))
    #expect(await events.next() == .closed(1, .ended))
    #expect(await progress.next() == .failed(.refused))
    await pairing.finish(bud.named)
    #expect(await progress.next() == nil, "one failure was told: its own")
  }

  @Test func `an ended link takes the question back`() async {
    let agent = PairingAgent(clock: clock, consentsUnattended: true)
    var events = agent.events().makeAsyncIterator()
    let pairing = pairing(agent)
    await pairing.prepare(adapter, for: bud.named)
    channel.say(.userPasskeyRequest(bud))
    _ = await events.next()
    channel.say(.deviceDisconnected(bud, .remote))
    #expect(await events.next() == .closed(1, .ended))
  }

  @Test(arguments: [
    (PairingAuthority.own, SecurityFailure.refused), (.daemon, .noAgent),
    (.others, .notPermitted(capability: "CAP_NET_ADMIN")),
  ])
  func `what has no reason is the fault of who decides`(
    rule: PairingAuthority, failure: SecurityFailure
  )
    async
  {
    #expect(await pairing(rule: rule).verdict(on: bud.named) == failure)
  }

  // MARK: Keys

  @Test func `new keys are kept`() async throws {
    let bonds = TestBonds()
    var keys = bonds.keys.makeAsyncIterator()
    let pairing = pairing(bonds: bonds)
    await pairing.prepare(adapter, for: bud.named)
    #expect(await pairing.expectsKeys(of: bud.named))
    var progress = await pairing.begin(bud.named).makeAsyncIterator()
    channel.say(.newLongTermKey(try longTermKey(), isToBeStored: true))
    #expect(await keys.next() == .longTerm(try longTermKey()))
    #expect(await progress.next() == .bonded)
    #expect(bonds.isBonded(bud.named))
    #expect(await !pairing.expectsKeys(of: bud.named))
  }

  @Test func `a private address becomes an identity on the way`() async throws {
    let bonds = TestBonds()
    let pairing = pairing(bonds: bonds)
    let today = PeerAddress(BluetoothAddress(value: 0x4001_0203_0405), .random)
    await pairing.prepare(adapter, for: today)
    var progress = await pairing.begin(today).makeAsyncIterator()
    channel.say(
      .newIdentityResolvingKey(
        IdentityResolvingKey(peer: bud, key: try #require(key)), from: today.address,
        isToBeStored: true))
    channel.say(.newLongTermKey(try longTermKey(), isToBeStored: true))
    #expect(await progress.next() == .bonded)
    #expect(bonds.bonds().allSatisfy { $0.identity == bud.named })
    await pairing.finish(today)
  }

  // MARK: Commands

  @Test(arguments: [
    (ManagementStatus.success, SecurityFailure?.none), (.notPaired, nil),
    (.notPowered, .closed(BearerClosed(.adapterGone))),
  ])
  func `unpairing drops the bond whatever the kernel says`(
    status: ManagementStatus, failure: SecurityFailure?
  ) async throws {
    var bond = Bond(adapter: adapter.address, identity: bud.named)
    bond.add(.longTerm(try longTermKey()))
    let bonds = TestBonds([bond])
    let pairing = pairing(bonds: bonds)
    async let outcome = unpair(pairing)
    #expect(await channel.commands(1) == [.unpairDevice(bud, disconnects: true)])
    channel.say(.commandComplete(.unpairDevice, status, .peer(bud)))
    #expect(await outcome == failure)
    #expect(bonds.bonds() == [])
  }

  @Test func `what bluetoothd keeps is not unpaired`() async throws {
    let pairing = pairing(rule: .daemon)
    #expect(await unpair(pairing) == .noAgent)
    #expect(await pairAudio(pairing) == .noAgent)
    #expect(channel.sent == [])
  }

  @Test func `with nobody to ask, keys protect a link and nothing is paired`() async throws {
    var bond = Bond(adapter: adapter.address, identity: bud.named)
    bond.add(.longTerm(try longTermKey()))
    let unattended = PairingAgent(clock: clock)
    for (bonds, isProtected) in [([bond], true), ([], false)] {
      let pairing = pairing(unattended, bonds: TestBonds(bonds))
      #expect(await pairing.mayProtect(bud.named, to: .medium) == isProtected)
      // It would need another key.
      #expect(await !pairing.mayProtect(bud.named, to: .high))
      #expect(await pairAudio(pairing) == .unattended)
    }
    // Whether bluetoothd has keys its own radio knows.
    #expect(await pairing(unattended, rule: .daemon).mayProtect(bud.named, to: .medium))
    #expect(!channel.sent.contains { if case .pairDevice = $0 { true } else { false } })
  }

  @Test func `with nobody to ask, a key of the audio side protects its links alone`() async throws {
    var bond = Bond(adapter: adapter.address, identity: bud.named)
    let linkKey = try linkKey(0x07)
    bond.add(.link(linkKey))
    let pairing = pairing(PairingAgent(clock: clock), bonds: TestBonds([bond]))
    #expect(await pairing.mayProtect(PeerAddress(linkKey.peer.address, .classic), to: .medium))
    #expect(await !pairing.mayProtect(bud.named, to: .medium))
  }

  @Test func `the audio side is paired by the kernel`() async {
    let pairing = pairing()
    let audio = ManagementPeer(bud.address, .brEdr)
    async let outcome = pairAudio(pairing)
    let sent = await channel.commands(7)
    #expect(sent.last == .pairDevice(audio, .keyboardDisplay))
    channel.say(.userConfirmationRequest(audio, value: 0, isHint: true))
    #expect(await channel.commands(8).last == .userConfirmationReply(audio))
    channel.say(.commandComplete(.pairDevice, .success, .peer(audio)))
    #expect(await outcome == nil)
  }

  private func linkKey(_ kind: UInt8) throws -> LinkKey {
    LinkKey(
      peer: ManagementPeer(bud.address, .brEdr), kind: kind, key: try #require(key), pinLength: 0)
  }

  @Test func `the audio side is paired once the key that follows for the other side is stored`()
    async throws
  {
    let bonds = TestBonds()
    let pairing = pairing(bonds: bonds)
    let linkKey = try linkKey(0x07)
    let derived = try longTermKey(of: ManagementPeer(bud.address, .lePublic))
    let stored = Task {
      _ = await pairAudio(pairing, by: clock)
      return bonds.stored
    }
    _ = await channel.commands(7)
    channel.say(.newLinkKey(linkKey, isToBeStored: true))
    channel.say(.commandComplete(.pairDevice, .success, .peer(linkKey.peer)))
    await clock.sleepers(1, within: .seconds(1))
    channel.say(.newLongTermKey(derived, isToBeStored: true))
    #expect(await stored.value == [.link(linkKey), .longTerm(derived)])
  }

  @Test func `a weaker key that follows from the audio side replaces no authenticated one`()
    async throws
  {
    var bond = Bond(adapter: adapter.address, identity: PeerAddress(bud.address, .public))
    var strong = try longTermKey(of: ManagementPeer(bud.address, .lePublic))
    strong.kind = .authenticatedP256
    bond.add(.longTerm(strong))
    let bonds = TestBonds([bond])
    let pairing = pairing(bonds: bonds)
    let linkKey = try linkKey(0x07)
    let derived = try longTermKey(of: ManagementPeer(bud.address, .lePublic))
    let stored = Task {
      _ = await pairAudio(pairing, by: clock)
      return bonds.stored
    }
    _ = await channel.commands(9)
    channel.say(.newLinkKey(linkKey, isToBeStored: true))
    channel.say(.commandComplete(.pairDevice, .success, .peer(linkKey.peer)))
    await clock.sleepers(1, within: .seconds(1))
    channel.clear()
    channel.say(.newLongTermKey(derived, isToBeStored: true))
    #expect(await stored.value == [.link(linkKey)])
    #expect(channel.sent.contains(.loadLongTermKeys([strong])), "the kernel has it back")
  }

  @Test func `a headphone that derives no key is awaited for a second`() async throws {
    let bonds = TestBonds()
    let pairing = pairing(bonds: bonds)
    let linkKey = try linkKey(0x08)
    async let outcome = pairAudio(pairing, by: clock)
    _ = await channel.commands(7)
    channel.say(.newLinkKey(linkKey, isToBeStored: true))
    channel.say(.commandComplete(.pairDevice, .success, .peer(linkKey.peer)))
    await clock.pass(.seconds(1))
    #expect(await outcome == nil)
    #expect(bonds.stored == [.link(linkKey)])
  }

  @Test func `nothing follows from a key without Secure Connections`() async throws {
    let bonds = TestBonds()
    let pairing = pairing(bonds: bonds)
    let linkKey = try linkKey(0x05)
    async let outcome = pairAudio(pairing, by: clock)
    _ = await channel.commands(7)
    channel.say(.newLinkKey(linkKey, isToBeStored: true))
    channel.say(.commandComplete(.pairDevice, .success, .peer(linkKey.peer)))
    #expect(await outcome == nil, "at once: the clock stands still")
    #expect(bonds.stored == [.link(linkKey)])
  }

  @Test func `cancelling a pairing tells the kernel`() async {
    let pairing = pairing()
    let audio = ManagementPeer(bud.address, .brEdr)
    let pairingTask = Task { await pairAudio(pairing) }
    _ = await channel.commands(7)
    pairingTask.cancel()
    #expect(await channel.commands(8).last == .cancelPairDevice(audio))
    channel.say(.commandComplete(.cancelPairDevice, .success, .peer(audio)))
    #expect(await pairingTask.value == .declined)
  }

  @Test func `No to the audio side's question is reported as that, however its link ends`() async {
    let agent = PairingAgent(clock: clock, consentsUnattended: true)
    var events = agent.events().makeAsyncIterator()
    let pairing = pairing(agent)
    let audio = ManagementPeer(bud.address, .brEdr)
    async let outcome = pairAudio(pairing)
    _ = await channel.commands(7)
    channel.say(.userConfirmationRequest(audio, value: 0, isHint: true))
    _ = await events.next()
    agent.reply(to: 1, with: .no)
    #expect(await channel.commands(8).last == .userConfirmationNegativeReply(audio))
    channel.say(.commandComplete(.pairDevice, .disconnected, .peer(audio)))
    #expect(await outcome == .declined)
  }

  @Test func `an audio side that does not answer is given up in the kernel too`() async {
    let pairing = pairing()
    let audio = ManagementPeer(bud.address, .brEdr)
    let clock = ManualClock()
    async let outcome = pairAudio(pairing, by: clock)
    _ = await channel.commands(7)
    await clock.pass(.seconds(45))
    #expect(await channel.commands(8).last == .cancelPairDevice(audio))
    channel.say(.commandComplete(.cancelPairDevice, .success, .peer(audio)))
    #expect(await outcome == .closed(BearerClosed(.connectTimeout)))
  }

  @Test func `a channel that ends ends what waits`() async {
    let pairing = pairing()
    async let outcome = pairAudio(pairing)
    _ = await channel.commands(7)
    channel.end()
    #expect(await outcome == .closed(BearerClosed(.adapterGone)))
  }

  private func unpair(_ pairing: KernelPairing) async -> SecurityFailure? {
    do throws(SecurityFailure) {
      try await pairing.unpair(bud.named, on: adapter)
      return nil
    } catch {
      return error
    }
  }

  private func pairAudio(
    _ pairing: KernelPairing, by clock: any Clock<Duration> = ManualClock()
  ) async -> SecurityFailure? {
    do throws(SecurityFailure) {
      try await pairing.pairAudio(bud.address, on: adapter, by: clock)
      return nil
    } catch {
      return error
    }
  }
}
