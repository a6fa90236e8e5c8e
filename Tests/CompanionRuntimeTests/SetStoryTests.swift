import BluetoothAttributes
import BluetoothCodec
import Companion
import EventLoop
import HeadphoneProtocols
import Persistence
import TestSupport
import Testing
import VirtualHeadphones

@testable import CompanionRuntime

/// Two buds with a link each, which are one headphone on the screen and for commands.
@MainActor @Suite struct SetStoryTests {
  private let linkedSet = LinkedSet(.leftBud, .rightBud)
  private var left: VirtualHeadphone { linkedSet.left }
  private var right: VirtualHeadphone { linkedSet.right }

  private let quiet = HeadphoneVolume(level: 20, isMuted: false)

  private func until(_ store: Store, _ isReached: (State) -> Bool) async {
    await linkedSet.until(store, isReached)
  }

  private func ringing(_ headphone: VirtualHeadphone) async -> UInt8? {
    await headphone.value(of: .bit16(0x2A06))?.first
  }

  @Test func `two rows become one, with a battery for each bud`() async throws {
    let (effects, store) = await linkedSet.linked()
    await until(store) { $0.headphones.first?.battery?.value.count == 2 }
    let headphone = try #require(store.state.headphones.first)
    #expect(store.state.headphones.count == 1)
    #expect(headphone.battery?.value == [.left: Battery(level: 83), .right: Battery(level: 78)])
    #expect(headphone.capabilities?.batteries == [.left, .right])
    await effects.stop()
    #expect(
      try KnownHeadphones(in: linkedSet.folder.state, environment: "virtual").all().count == 1)
  }

  @Test func `an order goes to both buds, and one side is found alone`() async throws {
    let (effects, store) = await linkedSet.linked()
    let id = try #require(store.state.headphones.first?.id)
    #expect(await effects.perform(.setVolume(quiet), on: id) { store.send($0) } == .done)
    for bud in [left, right] { #expect(await bud.value(of: .volumeState)?.first == 51) }
    #expect(await effects.perform(.find(.right, isOn: true), on: id) { store.send($0) } == .done)
    #expect(await ringing(left) == 0)
    #expect(await ringing(right) == 2)
    await until(store) { $0.headphones.first?.find.confirmed == .right }
    await effects.stop()
  }

  @Test func `a bud that goes takes its charge with it, and is linked again when it is received`()
    async throws
  {
    let (effects, store) = await linkedSet.linked()
    let peer = try #require(store.state.headphones.first?.address.address.description)
    let isLeft = peer == left.model.address.address.description
    let other = isLeft ? right : left
    let part = isLeft ? Part.right : .left
    await until(store) { $0.headphones.first?.battery?.value.count == 2 }
    await other.setInRange(false)
    await until(store) { $0.headphones.first?.linkedMembers == 1 }
    #expect(store.state.headphones.first?.link.use == .ready)
    #expect(store.state.headphones.first?.battery?.value[part] == nil)
    await other.setInRange(true)
    await until(store) { $0.headphones.first?.linkedMembers == 2 }
    await effects.stop()
  }

  private func endScan(_ store: Store) async {
    if store.state.scan == .scanning { store.send(.pressed(.scan)) }
    await until(store) { $0.scan == .idle }
  }

  @Test func `a bud that comes back after the scan is linked again without another one`()
    async throws
  {
    let (effects, store) = await linkedSet.linked()
    let peer = try #require(store.state.headphones.first?.address.address.description)
    let other = peer == left.model.address.address.description ? right : left
    await other.setInRange(false)
    await until(store) { $0.headphones.first?.linkedMembers == 1 && $0.scan == .scanning }
    // A scan ends the wait for it, and its end begins another.
    for _ in 0..<2 {
      await endScan(store)
      store.send(.pressed(.scan))
      await until(store) { $0.scan == .scanning }
    }
    await endScan(store)
    await other.setInRange(true)
    await until(store) { $0.headphones.first?.linkedMembers == 2 }
    #expect(store.state.scan == .idle)
    let id = try #require(store.state.headphones.first?.id)
    #expect(await effects.perform(.setVolume(quiet), on: id) { store.send($0) } == .done)
    for bud in [left, right] { #expect(await bud.value(of: .volumeState)?.first == 51) }
    await effects.stop()
  }

  @Test func `a later run knows both as one from the first peripheral on`() async throws {
    let (effects, _) = await linkedSet.linked()
    await effects.stop()
    let later = LiveEffectHandler(dependencies: linkedSet.dependencies)
    let store = Store(handler: later, now: { .now })
    await later.start(autoConnect: .lastUsed(else: .only)) { store.send($0) }
    await until(store) { $0.headphones.first?.linkedMembers == 2 }
    #expect(store.state.headphones.count == 1)
    await later.stop()
  }

  @Test func `a later run forgets both by the address of either`() async throws {
    let (effects, store) = await linkedSet.linked()
    await until(store) { $0.headphones.first?.memberAddresses.count == 1 }
    await effects.stop()
    let known = linkedSet.dependencies.known
    let other = try #require(try known.all().first?.memberAddresses.first)
    let (later, laterStore) = await lone()
    let target = CommandTarget(store: laterStore, effects: later, timeout: .seconds(20))
    let forgotten = try await target.forget(other.address.description) { _ in true }
    #expect(forgotten.kept == [])
    #expect(try known.all() == [])
    await later.stop()
  }

  /// Returns a program that runs for one command.
  private func lone() async -> (LiveEffectHandler, Store) {
    let effects = LiveEffectHandler(dependencies: linkedSet.dependencies)
    let store = Store(handler: effects, now: { .now })
    await effects.start(autoConnect: .never, doing: []) { store.send($0) }
    return (effects, store)
  }

  @Test func `a command without a screen reaches both`() async throws {
    let (effects, store) = await lone()
    let target = CommandTarget(
      store: store, effects: effects, fallback: .lastUsed(else: .nearest), timeout: .seconds(20))
    target.namesakeTime = .zero
    try await target.run("LE Duo") { () throws(CommandError) in
      #expect(target.headphone?.linkedMembers == 2)
      try await target.perform(.setVolume(quiet))
      try await target.until { $0.battery?.value.count == 2 }
    }
    for bud in [left, right] { #expect(await bud.value(of: .volumeState)?.first == 51) }
    await effects.stop()
  }
}
