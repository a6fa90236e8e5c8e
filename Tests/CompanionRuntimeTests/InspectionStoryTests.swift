import BluetoothAttributes
import Companion
import CompanionRuntime
import EventLoop
import HeadphoneProtocols
import Persistence
import TestSupport
import Testing
import VirtualHeadphones

/// The inspector page with a virtual headphone, over the session's link.
@MainActor @Suite struct `An inspection over the session's link` {
  private let folder = TemporaryFolder()

  private func stage() async -> (effects: LiveEffectHandler, store: Store) {
    let model = VirtualModel.aurora
    let headphone = VirtualHeadphone(model, loop: .shared, clock: ManualClock())
    let known = KnownHeadphones(in: folder.state, environment: "virtual")
    let profile = DeviceProfile.earshot
    let effects = LiveEffectHandler(
      dependencies: Dependencies(
        radio: VirtualRadio(headphones: [headphone], clock: ManualClock()),
        services: profile.advertisedServices,
        prepareDriver: HeadphoneConnection.drivers(
          of: [profile], keepingIn: known, clock: ManualClock()),
        makeAudio: { SilentAudio() }, clock: ManualClock(), known: known))
    let store = Store(handler: effects, now: { .now })
    await effects.start(autoConnect: .matching(model.name)) { store.send($0) }
    await until(store) { $0.link.use == .ready && $0.anc.confirmed != nil }
    store.send(.pressed(.info))
    store.send(.pressed(.info))
    await until(store) { $0.inspection?.stage == .known }
    return (effects, store)
  }

  private func until(_ store: Store, _ isReached: (HeadphoneState) -> Bool) async {
    if store.state.headphones.selected.map(isReached) == true { return }
    for await state in store.states where state.headphones.selected.map(isReached) == true {
      return
    }
  }

  private func handle(_ title: String, in store: Store) throws -> UInt16 {
    let services = try #require(store.state.headphones.selected?.inspection?.services)
    return try #require(
      services.flatMap(\.characteristics).first { $0.title.hasPrefix(title) }?.handle)
  }

  /// Moves the cursor to the characteristic with a handle.
  private func go(to handle: UInt16, in store: Store) {
    store.send(.pressed(.top))
    while case .list(.inspector, let line) = store.state.page,
      store.state.inspectorEntries[line].handle != handle,
      line + 1 < store.state.inspectorEntries.count
    {
      store.send(.pressed(.down))
    }
  }

  @Test func `all values come with what they mean`() async throws {
    let (effects, store) = await stage()
    let mode = try handle("ANC Mode", in: store)
    await until(store) { $0.inspection?.values[mode] != nil }
    guard
      case .bytes(let bytes, let words)? = store.state.headphones.selected?.inspection?
        .values[mode]?.content
    else {
      Issue.record("the mode is not read")
      return
    }
    #expect(bytes.count == 1 && words != nil)
    await effects.stop()
  }

  @Test func `bytes that are written change the headphone, and the driver hears of it`()
    async throws
  {
    let (effects, store) = await stage()
    let mode = try handle("ANC Mode", in: store)
    go(to: mode, in: store)
    store.send(.pressed(.write))
    for character in "03" { store.send(.typed(.character(character))) }
    for command in [UserCommand.accept, .right, .accept] { store.send(.pressed(command)) }
    await until(store) {
      $0.inspection?.values[mode]?.content == .bytes([3], displayText: "adaptive")
    }
    #expect(store.state.problem == nil)
    await effects.stop()
  }

  @Test func `a value that is subscribed to is reported, and the driver goes on hearing it`()
    async throws
  {
    let (effects, store) = await stage()
    let event = try handle("Event", in: store)
    go(to: event, in: store)
    store.send(.pressed(.subscribe))
    await until(store) { $0.inspection?.subscribed == [event] }
    store.send(.pressed(.toggleWearDetection))
    await until(store) {
      $0.settings[.wearDetection].confirmed == .toggle(true)
        && $0.inspection?.values[event]?.reported ?? 0 > 0
    }
    store.send(.pressed(.subscribe))
    await until(store) { $0.inspection?.subscribed == [] }
    store.send(.pressed(.toggleWearDetection))
    await until(store) { $0.settings[.wearDetection].confirmed == .toggle(false) }
    await effects.stop()
  }
}
