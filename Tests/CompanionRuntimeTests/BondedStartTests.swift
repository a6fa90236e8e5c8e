import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Companion
import EventLoop
import HeadphoneProtocols
import Persistence
import TestSupport
import Testing
import VirtualHeadphones

@testable import CompanionRuntime

/// A bonded headphone need not prove an earlier discovery, but a change must be noticed.
@MainActor @Suite struct BondedStartTests {
  private let folder = TemporaryFolder()
  private let bonds = BondFile()
  private let headphone: VirtualHeadphone
  private let known: KnownHeadphones
  /// The drivers' clock.
  private let clock = ManualClock()

  init() {
    var model = VirtualModel.cipher
    model.pairings = [.comparison]
    headphone = VirtualHeadphone(model, loop: .shared, clock: ManualClock())
    known = KnownHeadphones(in: folder.state, environment: "virtual")
  }

  private struct Run {
    let effects: LiveEffectHandler
    let store: Store

    @MainActor
    func untilReady() async {
      var states = store.states.makeAsyncIterator()
      while store.state.headphones.selected.map({ $0.link.isReady && $0.anc.confirmed != nil })
        != true
      {
        if case .pairing(let open) = store.state.dialog {
          if !open.isYesChosen { store.send(.pressed(.right)) }
          store.send(.pressed(.accept))
        }
        if let headphone = store.state.headphones.selected, case .reconnecting = headphone.link {
          store.send(.timerFired(.reconnect(headphone.id)))
        }
        guard await states.next() != nil else { return }
      }
    }

    /// The numbers of requests that the starts took, from the log.
    @MainActor var requests: [Int] {
      store.state.log.lines.compactMap { line in
        guard line.text.hasPrefix("ready after") else { return nil }
        return line.text.split(separator: " ").dropFirst(2).first.flatMap { Int($0) }
      }
    }
  }

  /// A radio whose links withhold services.
  private struct HeldRadio: ForwardingRadio {
    struct Link: ForwardingBearer {
      let base: any Bearer
      let withheldServices: Set<BluetoothUUID>
    }

    let base: any Radio
    let withheld: Set<BluetoothUUID>

    func connect(
      to peer: PeerAddress, timeout: Duration
    ) async throws(RadioError) -> any Bearer {
      Link(base: try await base.connect(to: peer, timeout: timeout), withheldServices: withheld)
    }
  }

  /// Runs the program until the headphone is ready.
  private func run(withheld: Set<BluetoothUUID> = []) async -> Run {
    let agent = PairingAgent(clock: ManualClock(), consentsUnattended: true)
    let effects = LiveEffectHandler(
      dependencies: Dependencies(
        radio: HeldRadio(
          base: VirtualRadio(
            headphones: [headphone], clock: ManualClock(), agent: agent, bonds: bonds),
          withheld: withheld),
        services: DeviceProfile.earshot.advertisedServices,
        prepareDriver: HeadphoneConnection.drivers(
          keepingIn: known, bonds: bonds, clock: clock),
        makeAudio: { SilentAudio() }, clock: ManualClock(), known: known, agent: agent,
        bonds: bonds))
    let store = Store(handler: effects, now: patientTime())
    await effects.start(autoConnect: .matching("Cipher Studio")) { store.send($0) }
    let run = Run(effects: effects, store: store)
    await run.untilReady()
    return run
  }

  /// Waits until the program has subscribed to Service Changed, which it does last.
  private func untilWatched() async throws {
    try await until { await headphone.isWatched }
  }

  /// Polls until the condition holds, or the test's time is over.
  private func until(_ condition: () async -> Bool) async throws {
    while await !condition() {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  private func pairOnce() async throws -> HeadphoneID {
    let first = await run()
    let id = try #require(first.store.state.headphones.selected?.id)
    try await untilWatched()
    await first.effects.stop()
    return id
  }

  @Test func `a bonded headphone of an earlier run is ready after 2 requests`() async throws {
    _ = try await pairOnce()
    let second = await run()
    #expect(second.requests == [2])
    #expect(second.store.state.headphones.selected?.isEncrypted == true)
    await second.effects.stop()
  }

  @Test func `new firmware is proved once, and believed from then on`() async throws {
    let id = try await pairOnce()
    let discovery = try #require(known.discovery(of: id))
    try known.keep(discovery.cache, of: id, firmware: "0.0.1")
    let second = await run()
    #expect(second.requests == [2])
    await second.effects.stop()
    #expect(known.discovery(of: id)?.firmware == VirtualModel.cipher.information.firmware)
  }

  @Test func `new firmware with other services is discovered again`() async throws {
    let id = try await pairOnce()
    let discovery = try #require(known.discovery(of: id))
    let other = GATTCache(hash: DatabaseHash(0..<16), database: discovery.cache.database)
    try known.keep(other, of: id, firmware: "0.0.1")
    let second = await run()
    #expect(second.requests.count == 1 && second.requests.allSatisfy { $0 > 4 })
    #expect(known.discovery(of: id)?.cache == discovery.cache)
    await second.effects.stop()
  }

  @Test func `where bluetoothd hides services nothing is kept`() async throws {
    let first = await run(withheld: [.bit16(0x1844)])
    let id = try #require(first.store.state.headphones.selected?.id)
    try await untilWatched()
    await first.effects.stop()
    #expect(known.discovery(of: id) == nil)
    let second = await run()
    #expect(second.requests.count == 1 && second.requests.allSatisfy { $0 > 4 })
    try await untilWatched()
    await second.effects.stop()
    let discovery = try #require(known.discovery(of: id))
    let third = await run(withheld: [.bit16(0x1844)])
    #expect(third.requests.count == 1 && third.requests.allSatisfy { $0 > 4 })
    await third.effects.stop()
    #expect(known.discovery(of: id)?.cache == discovery.cache)
  }

  @Test func `a cache that is wrong heals itself`() async throws {
    let id = try await pairOnce()
    // It keeps quiet about it.
    await headphone.replaceServices(changed: nil, Self.moveControl)
    let second = await run()
    await turnOff(second)
    await second.effects.stop()
    #expect(controlService(of: id)?.range.start == 0x100)
  }

  private nonisolated static func moveControl(_ services: [ServiceDefinition])
    -> [ServiceDefinition]
  {
    services.map { service in
      var service = service
      if service.uuid == ControlService.long.service { service.firstHandle = 0x100 }
      return service
    }
  }

  /// Turns noise control off, and waits until headphone and program agree.
  private func turnOff(_ run: Run) async {
    run.store.send(.pressed(.setANC(.off)))
    var states = run.store.states.makeAsyncIterator()
    while run.store.state.headphones.selected?.anc != Setting(.off) {
      guard await states.next() != nil else { break }
    }
    let mode = await headphone.snapshot.anc
    #expect(mode == .off)
  }

  private func controlService(of id: HeadphoneID) -> Service? {
    known.cache(of: id)?.database.service(ControlService.long.service)
  }

  @Test(arguments: [ATTHandleRange.all, ATTHandleRange(start: 0x0030, end: 0xFFFF)])
  func `services that changed while it was away are indicated and used at once`(
    range: ATTHandleRange
  ) async throws {
    let id = try await pairOnce()
    await headphone.replaceServices(changed: range, Self.moveControl)
    let second = await run()
    // One link, and no discovery but that of the range.
    #expect(second.requests.count == 1)
    #expect(controlService(of: id)?.range.start == 0x100)
    await turnOff(second)
    await second.effects.stop()
    let third = await run()
    #expect(third.requests == [2])
    await third.effects.stop()
  }

  @Test func `services that change on the link are used from then on`() async throws {
    let id = try await pairOnce()
    let second = await run()
    try await untilWatched()
    await headphone.replaceServices(Self.moveControl)
    await turnOff(second)
    // Kept at once: the headphone does not indicate it again, however the program ends.
    try await until { controlService(of: id)?.range.start == 0x100 }
    await second.effects.stop()
    #expect(controlService(of: id)?.range.start == 0x100)
  }

  @Test func `without a Database Hash the bond proves what is kept`() async throws {
    await headphone.replaceServices(changed: nil) { services in
      services.map { service in
        var service = service
        service.characteristics.removeAll { $0.uuid == .databaseHash }
        return service
      }
    }
    let id = try await pairOnce()
    let second = await run()
    await second.effects.stop()
    let kept = try #require(known.discovery(of: id))
    #expect(kept.cache.hash == nil)
    let third = await run()
    #expect(third.requests == [2])
    await third.effects.stop()
    // Nothing proves it after an update of the firmware.
    try known.keep(kept.cache, of: id, firmware: "0.0.1", isBonded: true)
    let fourth = await run()
    #expect(fourth.requests.count == 1 && fourth.requests.allSatisfy { $0 > 4 })
    await fourth.effects.stop()
  }
}
