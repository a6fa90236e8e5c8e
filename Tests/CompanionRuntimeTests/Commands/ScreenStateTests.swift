import Bluetooth
import BluetoothCodec
import Companion
import CompanionRuntime
import Testing

/// Several screens on one state.
@MainActor @Suite struct ViewpointTests {
  private final class Collector: EffectHandler {
    var begun: [Effect] = []
    func begin(_ effect: Effect, send: @escaping @MainActor (Action) -> Void) {
      begun.append(effect)
    }
  }

  private let collector = Collector()

  private var store: Store {
    let store = Store(handler: collector, now: { Timestamp(milliseconds: 0) })
    for (name, address) in [("One", 0xF0F1_F2F3_F401), ("Two", 0xF0F1_F2F3_F402)]
      as [(String, UInt64)]
    {
      store.send(
        .discovered(
          DiscoveredHeadphone(
            id: HeadphoneID(rawValue: name), name: name,
            address: PeerAddress(BluetoothAddress(value: address), .random))))
    }
    return store
  }

  @Test func `a screen turns its pages without turning those of others`() {
    let store = store
    var view = store.state.firstViewpoint
    view = store.send(.pressed(.help), from: view)
    view = store.send(.pressed(.pageDown), from: view)
    #expect(store.state.page == .main)
    let page = store.state.seen(from: view).page
    #expect(page.kind == .help && page.line.map { $0 > 0 } == true)
  }

  @Test func `a screen chooses its own headphone, and its commands go there`() {
    let store = store
    var view = store.state.firstViewpoint
    view = store.send(.pressed(.nextHeadphone), from: view)
    #expect(store.state.headphones.selected?.id.rawValue == "One")
    #expect(store.state.seen(from: view).headphones.selected?.id.rawValue == "Two")
    view = store.send(.pressed(.connectOrDisconnect), from: view)
    let two = HeadphoneID(rawValue: "Two")
    #expect(store.state.headphones[two]?.link.isWanted == true)
    #expect(store.state.headphones.selected?.link.isWanted == false)
  }

  @Test func `what pairing asks is asked on every screen, and answered on one`() {
    let store = store
    var view = store.send(.pressed(.help), from: store.state.firstViewpoint)
    let one = HeadphoneID(rawValue: "One")
    let question = PairingAgent.Question(
      id: 1, peer: PeerAddress(BluetoothAddress(value: 1), .random), request: .consent,
      limit: .seconds(25))
    store.send(.pairing(.asked(one, question)))
    #expect(store.state.seen(from: view).dialog?.isForAll == true)
    view = store.send(.pressed(.right), from: view)
    view = store.send(.pressed(.accept), from: view)
    #expect(collector.begun.contains(.replyToPairing(question.id, .yes)))
    store.send(.pairing(.closed(question.id, isTooLate: false)))
    #expect(store.state.dialog == nil && store.state.seen(from: view).dialog == nil)
    guard view.page.kind == .help else {
      Issue.record("the page has turned")
      return
    }
  }

  @Test func `quitting one screen quits no other, and ends nothing that is under way`() {
    let store = store
    store.send(.pressed(.connectOrDisconnect))
    store.send(.scan(.started))
    collector.begun = []
    let view = store.send(.pressed(.quit), from: store.state.firstViewpoint)
    #expect(view.isQuitting)
    #expect(!store.state.isQuitting)
    #expect(collector.begun.isEmpty)
  }

  @Test func `a screen keeps the effects that are its own`() {
    let store = store
    var kept: [Effect] = []
    let view = store.send(.pressed(.redraw), from: store.state.firstViewpoint) { effect in
      guard effect == .redraw else { return false }
      kept.append(effect)
      return true
    }
    #expect(kept == [.redraw])
    #expect(!collector.begun.contains(.redraw))
    _ = store.send(.pressed(.redraw), from: view)
    #expect(collector.begun.contains(.redraw))
  }

  @Test func `all followers see each change, and end with the store`() async {
    let store = store
    let followers = [store.follow(), store.follow()]
    store.send(.noted(.info, nil, "news"))
    for follower in followers {
      for await state in follower where state.log.lines.last?.text == "news" { break }
    }
    let last = store.follow()
    store.finish()
    for await _ in last {}
  }
}
