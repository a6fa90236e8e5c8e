import AudioRoute
import BluetoothAttributes
import BluetoothRadio
import Companion
import EventLoop
import HeadphoneProtocols
import Persistence
import TestSupport
import Testing
import VirtualHeadphones

@testable import CompanionRuntime

/// Commands of other processes over this process's link.
@MainActor @Suite struct CommandTargetTests {
  private let folder = TemporaryFolder()

  private struct Stage {
    let headphone: VirtualHeadphone
    let effects: LiveEffectHandler
    let store: Store
    let clock: ManualClock

    @MainActor var shared: CommandTarget {
      let target = CommandTarget(store: store, effects: effects, timeout: .seconds(20))
      target.namesakeTime = .zero
      return target
    }
  }

  private func stage(
    _ autoConnect: AutoConnect = .matching("Aurora Buds"), beside others: [VirtualModel] = []
  ) async -> Stage {
    let headphone = VirtualHeadphone(.aurora, loop: .shared, clock: ManualClock())
    let neighbours = others.map { VirtualHeadphone($0, loop: .shared, clock: ManualClock()) }
    let known = KnownHeadphones(in: folder.state, environment: "virtual")
    let profile = DeviceProfile.earshot
    let clock = ManualClock()
    let effects = LiveEffectHandler(
      dependencies: Dependencies(
        radio: VirtualRadio(headphones: neighbours + [headphone], clock: ContinuousClock()),
        services: profile.advertisedServices,
        prepareDriver: HeadphoneConnection.drivers(
          of: [profile], keepingIn: known, clock: ManualClock()),
        makeAudio: { SilentAudio() },
        clock: clock, known: known))
    let store = Store(handler: effects, now: { .now })
    await effects.start(autoConnect: autoConnect) { store.send($0) }
    return Stage(headphone: headphone, effects: effects, store: store, clock: clock)
  }

  @Test func `a key and a command reach the headphone, and the screen sees it`() async throws {
    let stage = await stage()
    let shared = stage.shared
    try await shared.run("aurora buds") { () throws(CommandError) in
      try shared.require({ !$0.ancModes.isEmpty }, "noise control")
      try await shared.until { $0.anc.confirmed != nil }
      try await shared.press(.setANC(.adaptive))
      try await shared.perform(.setEQ(.vocal))
      await shared.observeAudio()
    }
    try await shared.run(nil) { () throws(CommandError) in
      try await shared.until { $0.anc == Setting(.adaptive) }
    }
    #expect(await stage.headphone.snapshot.eq == .vocal)
    #expect(stage.store.state.headphones.selected?.link.isReady == true)
    #expect(stage.store.state.page == .main)
    await stage.effects.stop()
  }

  @Test func `two commands at once both arrive`() async throws {
    let stage = await stage()
    let (first, second) = (stage.shared, stage.shared)
    try await first.run(nil) { () throws(CommandError) in
      try await first.until { $0.anc.confirmed != nil && $0.eq.confirmed != nil }
    }
    async let one: Void = first.run(nil) { () throws(CommandError) in
      try await first.press(.setANC(.off))
    }
    async let two: Void = second.run(nil) { () throws(CommandError) in
      try await second.press(.nextEQ)
    }
    _ = try await (one, two)
    // What was read at the start may still be told after what was changed since.
    try await first.run(nil) { () throws(CommandError) in
      try await first.until { $0.anc == Setting(.off) && $0.eq == Setting(.bassBoost) }
    }
    await stage.effects.stop()
  }

  @Test func `a step is resolved to the value that it comes to, and changes nothing`() async throws
  {
    let stage = await stage()
    let shared = stage.shared
    try await shared.run(nil) { () throws(CommandError) in
      try await shared.until { $0.anc.confirmed != nil && $0.eq.confirmed != nil }
      #expect(try await shared.resolve(.nextANC) == .setANC(.transparency))
      #expect(try await shared.resolve(.nextEQ) == .setEQ(.bassBoost))
      #expect(shared.headphone?.anc == Setting(.noiseCancelling))
    }
    #expect(await stage.headphone.snapshot.anc == .noiseCancelling)
    await stage.effects.stop()
  }

  @Test func `a step comes after the change that is on the air`() async throws {
    let stage = await stage()
    let shared = stage.shared
    try await shared.run(nil) { () throws(CommandError) in
      try await shared.until { $0.anc.confirmed != nil }
      stage.store.send(.pressed(.setANC(.adaptive)))
      #expect(stage.store.state.headphones.selected?.anc.pending == .adaptive)
      try await shared.press(.previousANC)
      try await shared.until { $0.anc == Setting(.transparency) }
    }
    #expect(await stage.headphone.snapshot.anc == .transparency)
    await stage.effects.stop()
  }

  @Test func `a link that only the command wanted goes with it`() async throws {
    let stage = await stage(.never)
    try await stage.shared.run("aurora buds") { () throws(CommandError) in
      #expect(stage.store.state.headphones.selected?.link.isReady == true)
    }
    #expect(stage.store.state.headphones.selected?.link.isWanted == false)
    let kept = stage.shared
    try await kept.run("aurora buds") { () throws(CommandError) in kept.keepLink() }
    #expect(stage.store.state.headphones.selected?.link.isWanted == true)
    await stage.effects.stop()
  }

  @Test func `a refusal is reported to who asked`() async throws {
    let stage = await stage()
    let shared = stage.shared
    await #expect(throws: CommandError.command(.refused(.wrongState))) {
      try await shared.run(nil) { () throws(CommandError) in
        try await shared.perform(.find(.left, isOn: true))
      }
    }
    await stage.effects.stop()
  }

  @Test func `a command waits until the program has chosen its headphone`() async throws {
    let stage = await stage(beside: [.drift])
    await stage.headphone.setInRange(false)
    for await state in stage.store.follow()
    where state.headphones.selected?.name == "Drift Neckband" {
      break
    }
    let shared = stage.shared
    var name: String?
    let command = Task {
      try await shared.run(nil) { () throws(CommandError) in name = shared.headphone?.name }
    }
    await stage.headphone.setInRange(true)
    try await command.value
    #expect(name == "Aurora Buds")
    #expect(
      stage.store.state.headphones.contains { $0.name == "Drift Neckband" && !$0.link.isWanted })
    await stage.effects.stop()
  }

  @Test func `what nobody has received of is not found`() async throws {
    let stage = await stage()
    let shared = CommandTarget(
      store: stage.store, effects: stage.effects, timeout: .milliseconds(1))
    async let found: Void = shared.run("nobody") { () throws(CommandError) in }
    await stage.clock.pass(.milliseconds(1))
    do {
      try await found
      Issue.record("it was found")
    } catch {
      #expect(error as? CommandError == .notFound(selector: "nobody"))
    }
    await stage.effects.stop()
  }

  @Test func `a refusal stays one while the notice of an equal one is shown`() async throws {
    let stage = await stage(.never, beside: [.drift])
    let shared = stage.shared
    let refusal = CommandError.unavailable(#"this headphone has no noise control mode "adaptive""#)
    try await shared.run("drift neckband") { () throws(CommandError) in
      for _ in 1...2 {
        await #expect(throws: refusal) { try await shared.press(.setANC(.adaptive)) }
      }
    }
    await stage.effects.stop()
  }

  @Test func `a key of a command goes past what pairing asks on all screens`() async throws {
    let stage = await stage(beside: [.drift])
    var drift: HeadphoneID?
    for await state in stage.store.follow() {
      drift = state.headphones.first { $0.name == "Drift Neckband" }?.id
      if drift != nil { break }
    }
    let id = try #require(drift)
    let shared = stage.shared
    try await shared.run("aurora buds") { () throws(CommandError) in
      try await shared.until { $0.anc.confirmed != nil }
      stage.store.send(
        .pairing(
          .asked(
            id,
            PairingAgent.Question(id: 9, peer: earPeer, request: .consent, limit: .seconds(25)))))
      let dialog = stage.store.state.dialog
      #expect(stage.store.state.pairings.map(\.question.id) == [9])
      try await shared.press(.setANC(.adaptive))
      #expect(stage.store.state.dialog == dialog)
    }
    #expect(await stage.headphone.snapshot.anc == .adaptive)
    await stage.effects.stop()
  }

  @Test func `a command that only reads does not bring back a link that a person has dropped`()
    async throws
  {
    let stage = await stage()
    try await stage.shared.run(nil) { () throws(CommandError) in }
    stage.store.send(.pressed(.dropControlLink))
    let dropped = CommandError.disconnected(name: "Aurora Buds")
    for _ in 1...2 {
      await #expect(throws: dropped) {
        try await stage.shared.run(nil, isReading: true) { () throws(CommandError) in }
      }
      // A change does, for as long as it takes.
      let change = stage.shared
      try await change.run(nil) { () throws(CommandError) in
        try await change.perform(.setEQ(.vocal))
      }
    }
    #expect(dropped.status == .linkLost && dropped.message.contains("earshot connect"))
    await stage.effects.stop()
  }

  @Test func `the headphone that was connected is the one that is meant from then on`() async throws
  {
    let stage = await stage(beside: [.drift])
    try await stage.shared.run(nil) { () throws(CommandError) in }
    let connect = stage.shared
    try await connect.run("drift neckband") { () throws(CommandError) in
      connect.keepLink()
      connect.select()
    }
    let next = stage.shared
    try await next.run(nil) { () throws(CommandError) in
      #expect(next.headphone?.name == "Drift Neckband")
    }
    await stage.effects.stop()
  }

  @Test func `a link that is held stays until the command is over`() async throws {
    let stage = await stage(beside: [.drift])
    try await stage.shared.run(nil) { () throws(CommandError) in }
    let shared = stage.shared
    let holding = Task { try await shared.hold("drift neckband") }
    for await state in stage.store.follow()
    where state.headphones.contains(where: { $0.name == "Drift Neckband" && $0.link.isReady }) {
      break
    }
    holding.cancel()
    _ = await holding.result
    #expect(shared.headphone?.link.isWanted == false && shared.headphone?.link == .unwanted(.idle))
    await stage.effects.stop()
  }

  @Test func `of two commands the first to end leaves the link to the other`() async throws {
    let stage = await stage(.never)
    let (first, second) = (stage.shared, stage.shared)
    let (began, begin) = AsyncStream.makeStream(of: Void.self)
    let (end, ending) = AsyncStream.makeStream(of: Void.self)
    var other: Task<Void, any Error>?
    try await first.run("aurora buds") { () throws(CommandError) in
      other = Task {
        try await second.run("aurora buds") { () throws(CommandError) in
          begin.finish()
          for await _ in end {}
        }
      }
      for await _ in began {}
    }
    #expect(second.headphone?.link.isReady == true)
    ending.finish()
    try await other?.value
    #expect(second.headphone?.link == .unwanted(.idle))
    await stage.effects.stop()
  }

  @Test func `a watch leaves the link to a command, and a command to a watch`() async throws {
    let stage = await stage(.never)
    let (watch, command) = (stage.shared, stage.shared)
    let holding = Task { try await watch.hold("aurora buds") }
    for await state in stage.store.follow()
    where state.headphones.contains(where: \.link.isReady) { break }
    for isLast in [false, true] {
      try await command.run("aurora buds") { () throws(CommandError) in
        guard isLast else { return }
        holding.cancel()
        _ = await holding.result
        #expect(command.headphone?.link.isReady == true)
      }
      #expect(command.headphone?.link.isReady == !isLast)
    }
    await stage.effects.stop()
  }

  @Test func `an adapter that is none to use is reported at once, not after all the time to look`()
    async throws
  {
    let radio = ScriptedRadio()
    radio.setAdapters(.success([]))
    let clock = ManualClock()
    let effects = LiveEffectHandler(
      dependencies: Dependencies(
        radio: radio, services: [],
        prepareDriver: { _, _ in { ScriptedDriver(bearer: $0, emitter: $1) } },
        makeAudio: { SilentAudio() }, clock: clock, known: KnownHeadphones(in: folder.state)))
    let store = Store(handler: effects, now: { .now })
    await effects.start(autoConnect: .never) { store.send($0) }
    let shared = CommandTarget(store: store, effects: effects, timeout: .seconds(20))
    await #expect(throws: CommandError.radio(.noAdapter)) {
      try await shared.run("aurora buds") { () throws(CommandError) in }
    }
    await #expect(throws: CommandError.radio(.noAdapter)) {
      _ = try await shared.scan(for: .seconds(20)) { _ in }
    }
    await effects.stop()
  }
}
