import AudioRoute
import Companion
import CompanionRuntime
import EventLoop
import GATT
import Headphones
import Persistence
import TestSupport
import Testing
import VirtualHeadphones

/// Commands of other processes on the link of this one.
@MainActor @Suite(.timeLimit(.minutes(1))) struct SharedHeadphoneTests {
  private let folder = TemporaryFolder()

  private struct Stage {
    /// Aurora Buds.
    let headphone: VirtualHeadphone
    let effects: LiveEffectHandler
    let store: Store

    @MainActor var shared: SharedHeadphone { shared { _ throws(CommandError) in } }

    @MainActor func shared(_ willAct: @escaping SharedHeadphone.Warning) -> SharedHeadphone {
      SharedHeadphone(
        store: store, effects: effects, timeout: .seconds(20), willAct: willAct)
    }
  }

  private func stage(
    _ autoConnect: AutoConnect = .matching("Aurora"), beside others: [VirtualModel] = []
  ) -> Stage {
    let headphone = VirtualHeadphone(.aurora, loop: .shared, clock: ContinuousClock())
    let neighbours = others.map { VirtualHeadphone($0, loop: .shared, clock: ContinuousClock()) }
    let known = KnownHeadphones(in: folder.state, environment: "virtual")
    let profile = DeviceProfile.earshot
    let effects = LiveEffectHandler(
      world: Dependencies(
        radio: VirtualRadio(headphones: neighbours + [headphone]),
        services: profile.advertisedServices,
        makeDriver: [profile].drivers(keepingIn: known, clock: ManualClock()),
        makeAudio: { SilentAudio() },
        clock: ContinuousClock(), known: known))
    let store = Store(handler: effects, now: { .now })
    effects.start(autoConnect: autoConnect) { store.send($0) }
    return Stage(headphone: headphone, effects: effects, store: store)
  }

  @Test func `a key and a command reach the headphone, and the screen sees it`() async throws {
    let stage = stage()
    let shared = stage.shared
    try await shared.run("aurora") { () throws(CommandError) in
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
    let stage = stage()
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

  @Test func `which step it is is reported before the headphone hears of it`() async throws {
    let stage = stage()
    var reported: [HeadphoneCommand?] = []
    let shared = stage.shared { command throws(CommandError) in
      #expect(await stage.headphone.snapshot.anc == .noiseCancelling)
      reported.append(command)
    }
    try await shared.run(nil) { () throws(CommandError) in
      try await shared.until { $0.anc.confirmed != nil }
      try await shared.press(.nextANC)
    }
    #expect(reported == [.setANC(.transparency)])
    #expect(await stage.headphone.snapshot.anc == .transparency)
    await stage.effects.stop()
  }

  @Test func `a step comes after the change that is on the air`() async throws {
    let stage = stage()
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

  @Test func `nothing is done for who has gone`() async throws {
    let stage = stage()
    let shared = stage.shared { _ throws(CommandError) in throw .command(.cancelled) }
    await #expect(throws: CommandError.command(.cancelled)) {
      try await shared.run(nil) { () throws(CommandError) in
        try await shared.until { $0.anc.confirmed != nil }
        try await shared.press(.setANC(.adaptive))
      }
    }
    #expect(await stage.headphone.snapshot.anc == .noiseCancelling)
    #expect(stage.store.state.headphones.selected?.anc == Setting(.noiseCancelling))
    await stage.effects.stop()
  }

  @Test func `a link that only the command wanted goes with it`() async throws {
    let stage = stage(.never)
    try await stage.shared.run("aurora") { () throws(CommandError) in
      #expect(stage.store.state.headphones.selected?.link.isReady == true)
    }
    #expect(stage.store.state.headphones.selected?.isWanted == false)
    let kept = stage.shared
    try await kept.run("aurora") { () throws(CommandError) in kept.keepLink() }
    #expect(stage.store.state.headphones.selected?.isWanted == true)
    await stage.effects.stop()
  }

  @Test func `a refusal is reported to who asked`() async throws {
    let stage = stage()
    let shared = stage.shared
    await #expect(throws: CommandError.command(.refused(.wrongState))) {
      try await shared.run(nil) { () throws(CommandError) in
        try await shared.perform(.find(.left, isOn: true))
      }
    }
    await stage.effects.stop()
  }

  @Test func `a command waits until the program has chosen its headphone`() async throws {
    let stage = stage(beside: [.drift])
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
    #expect(stage.store.state.headphones.contains { $0.name == "Drift Neckband" && !$0.isWanted })
    await stage.effects.stop()
  }

  @Test func `what nobody has received of is not found`() async throws {
    let stage = stage()
    let shared = SharedHeadphone(
      store: stage.store, effects: stage.effects, timeout: .milliseconds(1))
    await #expect(throws: CommandError.notFound(selector: "nobody")) {
      try await shared.run("nobody") { () throws(CommandError) in }
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
      world: Dependencies(
        radio: radio, services: [],
        makeDriver: { bearer, _, _, emitter in ScriptedDriver(bearer: bearer, emitter: emitter) },
        makeAudio: { SilentAudio() }, clock: clock, known: KnownHeadphones(in: folder.state)))
    let store = Store(handler: effects, now: { .now })
    effects.start(autoConnect: .never) { store.send($0) }
    let shared = SharedHeadphone(store: store, effects: effects, timeout: .seconds(20))
    await #expect(throws: CommandError.adapter(.absent)) {
      try await shared.run("aurora") { () throws(CommandError) in }
    }
    await #expect(throws: CommandError.adapter(.absent)) {
      _ = try await listen(with: store, effects, for: .seconds(20)) { _ in }
    }
    #expect(CommandError.adapter(.absent).status == .noAdapter)
    await effects.stop()
  }
}
