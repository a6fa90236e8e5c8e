import BluetoothAttributes
import BluetoothCodec
import Companion
import Configuration
import EventLoop
import HeadphoneProtocols
import Persistence
import TestSupport
import Testing
import VirtualHeadphones

@testable import CompanionRuntime

/// Commands for AirPods that advertise and whose BR/EDR side is linked, as one headphone.
@MainActor @Suite struct AirPodsStoryTests {
  private let folder = TemporaryFolder()
  private let headphone = VirtualHeadphone(
    .airPodsHere, loop: .shared, clock: ManualClock())

  /// Returns the effects of a program with the AirPods in range.
  private func handler(_ clock: ManualClock = ManualClock()) -> LiveEffectHandler {
    let known = KnownHeadphones(in: folder.state, environment: "virtual")
    return LiveEffectHandler(
      dependencies: Dependencies(
        radio: VirtualRadio(headphones: [headphone], clock: clock),
        services: FamilyAdvertisements.services,
        patterns: FamilyAdvertisements.patterns, models: .bundled,
        prepareDriver: HeadphoneConnection.drivers(
          keepingIn: known, models: .bundled, clock: clock),
        makeAudio: { SilentAudio() }, clock: clock, known: known))
  }

  /// Runs a command in a separate program.
  private func run(
    _ selector: String, family: HeadphoneFamily? = nil,
    _ work: (CommandTarget) async throws(CommandError) -> Void = { _ in }
  ) async throws -> CommandTarget {
    let effects = handler()
    let store = Store(handler: effects, now: { .now })
    await effects.start(autoConnect: .never, doing: []) { store.send($0) }
    let target = CommandTarget(
      store: store, effects: effects, fallback: .lastUsed(else: .only), family: family,
      timeout: .seconds(20))
    target.namesakeTime = .zero
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

  @Test func `they have no attributes to inspect, which is said with what serves instead`()
    async throws
  {
    _ = try await run("AirPods 4 (ANC)") { target throws(CommandError) in
      var refusal: CommandError?
      do throws(CommandError) {
        _ = try await target.inspect("AirPods 4 (ANC)") { inspector throws(CommandError) in
          try await inspector.survey()
        }
      } catch {
        refusal = error
      }
      #expect(refusal?.status == .failed)
      let lines = refusal?.message.split(separator: "\n") ?? []
      #expect(lines.first == "this kind of link has no GATT attributes")
      #expect(lines.last?.contains("earshot capture FILE") == true)
    }
  }

  /// AirPods advertise before their BR/EDR side reveals their identity.
  @Test func `they are listed once by a scan where they are known`() async throws {
    _ = try await run("AirPods 4 (ANC)")
    let clock = ManualClock()
    let effects = handler(clock)
    let store = Store(handler: effects, now: { .now })
    await effects.start(autoConnect: .never, doing: []) { store.send($0) }
    let target = CommandTarget(
      store: store, effects: effects, timeout: .seconds(20))
    let scan = Task {
      var listed: Set<HeadphoneID> = []
      _ = try? await target.scan(for: .seconds(1)) { listed.insert($0.id) }
      return listed
    }
    let id = HeadphoneID(rawValue: "apple-201b-0")
    if store.state.headphones[id]?.isNearby != true {
      for await state in store.states where state.headphones[id]?.isNearby == true { break }
    }
    // The radio's pause, and the end of the scan.
    await clock.sleepers(2, within: .seconds(1))
    await clock.pass(.seconds(1))
    #expect(await scan.value == [id])
    await effects.stop()
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
    let effects = handler()
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
