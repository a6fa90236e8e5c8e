import BluetoothCodec
import Companion
import CompanionRuntime
import EventLoop
import HeadphoneProtocols
import Persistence
import TestSupport
import VirtualHeadphones

/// Two members of a coordinated set with a link each, which are one headphone on the screen.
@MainActor struct LinkedSet {
  let folder = TemporaryFolder()
  let left: VirtualHeadphone
  let right: VirtualHeadphone
  /// The clock of drivers and effects.
  private let clock = ManualClock()
  private let broadcasts: [VirtualBroadcast]

  init(_ left: VirtualModel, _ right: VirtualModel, broadcasts: [VirtualBroadcast] = []) {
    self.left = VirtualHeadphone(left, loop: .shared, clock: ManualClock())
    self.right = VirtualHeadphone(right, loop: .shared, clock: ManualClock())
    self.broadcasts = broadcasts
  }

  var dependencies: Dependencies {
    let known = KnownHeadphones(in: folder.state, environment: "virtual")
    return Dependencies(
      radio: VirtualRadio(
        headphones: [left, right], broadcasts: broadcasts, clock: ContinuousClock()),
      services: FamilyAdvertisements.services, patterns: FamilyAdvertisements.patterns,
      prepareDriver: HeadphoneConnection.drivers(keepingIn: known, clock: clock),
      makeAudio: { SilentAudio() }, clock: clock, known: known)
  }

  /// Returns the app, with both members linked.
  func linked() async -> (LiveEffectHandler, Store) {
    let effects = LiveEffectHandler(dependencies: dependencies)
    let store = Store(handler: effects, now: { .now })
    await effects.start(autoConnect: .never) { store.send($0) }
    await until(store) { $0.headphones.count == 2 }
    store.send(.pressed(.connectOrDisconnect))
    await until(store) { $0.headphones.first?.linkedMembers == 2 }
    return (effects, store)
  }

  func until(_ store: Store, _ isReached: (State) -> Bool) async {
    if isReached(store.state) { return }
    for await state in store.states where isReached(state) { return }
  }
}
