import Companion
import CompanionRuntime
import EventLoop
import HeadphoneProtocols
import Persistence
import TestSupport
import Testing
import VirtualHeadphones

/// Two buds of a set in an airport.
@MainActor @Suite struct BroadcastStoryTests {
  private let linkedSet = LinkedSet(
    .leftGate, .rightGate, broadcasts: VirtualBroadcast.airport)
  private var left: VirtualHeadphone { linkedSet.left }
  private var right: VirtualHeadphone { linkedSet.right }

  private func until(_ store: Store, _ isReached: (State) -> Bool) async {
    await linkedSet.until(store, isReached)
  }

  /// Returns the app with both buds linked as one headphone, on the page of broadcasts.
  private func atTheAirport() async -> (LiveEffectHandler, Store) {
    let (effects, store) = await linkedSet.linked()
    await until(store) { $0.headphones.first?.receptions.count == 2 }
    store.send(.pressed(.broadcasts))
    await until(store) { $0.broadcasts.list.count == 5 }
    return (effects, store)
  }

  private func text(_ state: State) -> String? {
    state.headphones.first.flatMap(state.broadcastText)
  }

  @Test func `Enter sends both buds, another line both to that one, and Enter there back`() async {
    let (effects, store) = await atTheAirport()
    #expect(store.state.broadcastLines.first?.title == "Gate B12")
    store.send(.pressed(.accept))
    await until(store) { text($0) == "listening to Gate B12 (Auracast), not to this computer" }
    await until(store) { $0.headphones.first?.broadcastRequest == nil }
    store.send(.pressed(.down))
    store.send(.pressed(.accept))
    await until(store) { text($0) == "listening to Gate B14 (Auracast), not to this computer" }
    await until(store) { $0.headphones.first?.broadcastRequest == nil }
    store.send(.pressed(.accept))
    await until(store) { text($0) == nil && $0.headphones.first?.broadcastRequest == nil }
    for bud in [left, right] { #expect(await bud.broadcastBud?.states == [nil, nil]) }
    store.send(.pressed(.back))
    #expect(!store.state.broadcasts.isSearching)
    await effects.stop()
  }

  @Test func `a code that is typed lets both buds in`() async {
    let (effects, store) = await atTheAirport()
    store.send(.pressed(.down))
    store.send(.pressed(.down))
    store.send(.pressed(.accept))
    for character in "lounge22" { store.send(.typed(.character(character))) }
    store.send(.pressed(.accept))
    await until(store) { text($0) == "listening to Lounge (Auracast), not to this computer" }
    await until(store) { $0.headphones.first?.receptions.allSatisfy { $0.playing != nil } == true }
    await effects.stop()
  }

  @Test func `one bud that loses it is said, and the other plays on`() async {
    let (effects, store) = await atTheAirport()
    store.send(.pressed(.accept))
    await until(store) { $0.headphones.first?.receptions.allSatisfy { $0.playing != nil } == true }
    await right.loseBroadcast(VirtualBroadcast.airport[0].id)
    await until(store) {
      text($0) == "left bud: listening to Gate B12 (Auracast); other bud: not found"
    }
    await effects.stop()
  }
}
