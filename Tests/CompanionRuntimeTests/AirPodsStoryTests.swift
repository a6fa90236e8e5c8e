import BluetoothCodec
import Companion
import CompanionRuntime
import Configuration
import EventLoop
import GATT
import HeadphoneProtocols
import Persistence
import TestSupport
import Testing
import VirtualHeadphones

/// Commands for AirPods whose audio side is linked: one headphone, in the air and on that link.
@MainActor @Suite struct AirPodsStoryTests {
  private let folder = TemporaryFolder()
  private let headphone = VirtualHeadphone(
    .airPodsHere, loop: .shared, clock: ManualClock())

  /// Runs a command in a program of its own.
  private func run(
    _ selector: String, family: HeadphoneFamily? = nil,
    _ work: (CommandTarget) async throws(CommandError) -> Void = { _ in }
  ) async throws -> CommandTarget {
    let known = KnownHeadphones(in: folder.state, environment: "virtual")
    let effects = LiveEffectHandler(
      dependencies: Dependencies(
        radio: VirtualRadio(headphones: [headphone], clock: ManualClock()),
        services: FamilyAdvertisements.services,
        patterns: FamilyAdvertisements.patterns, models: .bundled,
        prepareDriver: HeadphoneConnection.drivers(
          keepingIn: known, models: .bundled, clock: ManualClock()),
        makeAudio: { SilentAudio() }, clock: ManualClock(), known: known))
    let store = Store(handler: effects, now: { .now })
    await effects.start(autoConnect: .never, doing: []) { store.send($0) }
    let target = CommandTarget(
      store: store, effects: effects, fallback: .lastUsed(else: .only), family: family,
      timeout: .seconds(20))
    try await target.run(selector) { () throws(CommandError) in try await work(target) }
    await effects.stop()
    return target
  }

  private var noise: UInt8? {
    get async {
      guard case .airPods(let airPods, _) = await headphone.family else { return nil }
      return airPods.noise
    }
  }

  @Test func `they are found by the model's name, and take an order`() async throws {
    let command = try await run("AirPods 4 (ANC)") { target throws(CommandError) in
      try await target.perform(.setANC(.transparency))
    }
    #expect(command.headphone?.id == HeadphoneID(rawValue: "apple-201b-0"))
    #expect(command.headphone?.publicAddress == "00:00:5E:00:53:87")
    #expect(command.headphone?.capabilities?.ancModes == ANCMode.allCases)
    #expect(await noise == 3)
    let kept = try KnownHeadphones(in: folder.state, environment: "virtual").all()
    #expect(kept.map(\.address.kind) == [.classic])
  }

  @Test func `they are called by the address of their audio side, unseen`() async throws {
    _ = try await run("00:00:5E:00:53:87", family: .airpods) { target throws(CommandError) in
      try await target.perform(.setANC(.off))
    }
    #expect(await noise == 1)
    // The next time the address alone says what they are.
    _ = try await run("00:00:5E:00:53:87")
  }

  @Test func `the screen connects them by itself, and a key changes their noise control`()
    async throws
  {
    let known = KnownHeadphones(in: folder.state, environment: "virtual")
    let effects = LiveEffectHandler(
      dependencies: Dependencies(
        radio: VirtualRadio(headphones: [headphone], clock: ManualClock()),
        services: FamilyAdvertisements.services,
        patterns: FamilyAdvertisements.patterns, models: .bundled,
        prepareDriver: HeadphoneConnection.drivers(
          keepingIn: known, models: .bundled, clock: ManualClock()),
        makeAudio: { SilentAudio() }, clock: ManualClock(), known: known))
    let store = Store(handler: effects, now: { .now })
    await effects.start(autoConnect: .matching("apple-201b-0")) { store.send($0) }
    func until(_ isReached: (HeadphoneState) -> Bool) async {
      if store.state.headphones.selected.map(isReached) == true { return }
      for await state in store.states
      where state.headphones.selected.map(isReached) == true { return }
    }
    await until { $0.link.isReady && $0.anc.confirmed == .noiseCancelling }
    #expect(store.state.headphones.selected?.driver == "AirPods / Beats")
    store.send(.pressed(.setANC(.adaptive)))
    await until { $0.anc == Setting(.adaptive) }
    #expect(await noise == 4)
    await effects.stop()
  }
}
