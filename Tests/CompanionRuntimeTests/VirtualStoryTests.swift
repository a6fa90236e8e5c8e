import AudioRoute
import BluetoothAttributes
import BluetoothCodec
import BluetoothRadio
import Companion
import CompanionRuntime
import EventLoop
import HeadphoneProtocols
import Persistence
import TestSupport
import Testing
import VirtualHeadphones

/// Whole sessions of the program with virtual headphones, over real descriptors.
@MainActor @Suite struct VirtualStoryTests {
  private let folder = TemporaryFolder()

  /// The program with one headphone in range.
  private struct Stage {
    let headphone: VirtualHeadphone
    let effects: LiveEffectHandler
    let store: Store

    @MainActor
    func until(_ isReached: (HeadphoneState) -> Bool) async {
      if store.state.headphones.selected.map(isReached) == true { return }
      for await state in store.states
      where state.headphones.selected.map(isReached) == true { return }
    }
  }

  private func stage(_ model: VirtualModel = .aurora) async -> Stage {
    let headphone = VirtualHeadphone(model, loop: .shared, clock: ManualClock())
    let known = KnownHeadphones(in: folder.state, environment: "virtual")
    let profile = DeviceProfile.earshot
    let effects = LiveEffectHandler(
      dependencies: Dependencies(
        radio: VirtualRadio(headphones: [headphone], clock: ManualClock()),
        services: profile.advertisedServices,
        prepareDriver: HeadphoneConnection.drivers(
          of: [profile], keepingIn: known, clock: ManualClock()),
        makeAudio: { SilentAudio() },
        clock: ManualClock(), known: known))
    let store = Store(handler: effects, now: { .now })
    await effects.start(autoConnect: .matching(model.name)) { store.send($0) }
    let stage = Stage(headphone: headphone, effects: effects, store: store)
    await stage.until(\.link.isReady)
    await stage.until { $0.anc.confirmed != nil }
    return stage
  }

  @Test(arguments: VirtualModel.environment)
  func `every model of the environment becomes ready`(model: VirtualModel) async throws {
    let stage = await stage(model)
    let headphone = try #require(stage.store.state.headphones.selected)
    #expect(headphone.capabilities?.ancModes == model.ancModes)
    #expect(headphone.isEncrypted == (model.security > .low))
    #expect(headphone.malformed == 0)
    await stage.effects.stop()
  }

  @Test func `keys change the headphone, and the headphone changes the screen`() async throws {
    let stage = await stage()
    stage.store.send(.pressed(.setANC(.adaptive)))
    await stage.until { $0.anc == Setting(.adaptive) }
    #expect(await stage.headphone.snapshot.anc == .adaptive)
    stage.store.send(.pressed(.nextEQ))
    await stage.until { $0.eq == Setting(.bassBoost) }
    await stage.headphone.happen(.takeOut(.left))
    await stage.until { $0.wearing?.left == false }
    await stage.effects.stop()
  }

  @Test func `a cached headphone is ready in fewer requests`() async throws {
    func requests(_ stage: Stage) -> Int? {
      for line in stage.store.state.log.lines.reversed() where line.text.hasPrefix("ready after") {
        return line.text.split(separator: " ").dropFirst(2).first.flatMap { Int($0) }
      }
      return nil
    }
    let cold = await stage()
    let first = try #require(requests(cold))
    await cold.effects.stop()
    let warm = await stage()
    let second = try #require(requests(warm))
    await warm.effects.stop()
    #expect(second < first)
    #expect(first <= 12 && second <= 5)
  }

  @Test(arguments: [
    (BearerClosed.Reason.peer, DisconnectReason.peer),
    (.supervisionTimeout, .timeout), (.micFailure, .micFailure),
  ])
  func `a link that the headphone drops is reported with its reason`(
    reason: BearerClosed.Reason, reported: DisconnectReason
  ) async {
    let stage = await stage()
    await stage.headphone.dropLink(reason)
    // The state goes on at once where the headphone is still heard; what was logged stays.
    let line = "link ended: \(reported.displayText)"
    for await state in stage.store.states
    where state.log.lines.contains(where: { $0.text == line }) { break }
    await stage.effects.stop()
  }
}
