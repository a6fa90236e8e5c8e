import BluetoothCodec
import BluetoothRadio
import Companion
import CompanionRuntime
import TestSupport
import Testing

/// Several screens that show one state.
@MainActor @Suite struct ViewpointTests {
  private final class Collector: EffectHandler {
    var begun: [Effect] = []
    func begin(_ effect: Effect, send: @escaping @MainActor (Action) -> Void) {
      begun.append(effect)
    }
  }

  private let collector = Collector()
  private let clock = ManualClock()

  private var store: Store {
    let store = Store(handler: collector, now: { [clock] in clock.timestamp })
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
    #expect(store.state.seen(from: view).dialog == store.state.dialog)
    #expect(store.state.pairings.map(\.question) == [question])
    // The reducer reads the time alone.
    clock.jump(by: .milliseconds(500))
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

  @Test func `a screen without a dialog gets the question while another one is busy`() {
    let store = store
    store.send(.pressed(.filter))
    store.send(.typed(.character("w")))
    let question = PairingAgent.Question(
      id: 1, peer: PeerAddress(BluetoothAddress(value: 1), .random), request: .consent,
      limit: .seconds(25))
    let view = store.state.firstViewpoint
    store.send(.pairing(.asked(HeadphoneID(rawValue: "One"), question)))
    guard case .entry(let entry) = store.state.dialog, entry.text == "w",
      case .pairing(let asked) = store.state.seen(from: view).dialog
    else {
      Issue.record("what is being typed is lost, or nobody is asked")
      return
    }
    #expect(asked.question == question)
  }

  @Test func `what answers a key is shown on the screen of that key alone`() {
    let store = store
    var view = store.send(.unknownKey("Z"), from: store.state.firstViewpoint)
    #expect(store.state.notice == nil)
    #expect(store.state.seen(from: view).notice?.text == "\"Z\" does nothing here")
    view = store.send(.timerFired(.notice), from: view)
    #expect(store.state.seen(from: view).notice == nil)
    store.send(.unknownKey("Y"))
    #expect(store.state.seen(from: view).notice == nil)
    store.press(.pair, for: HeadphoneID(rawValue: "Three"))
    #expect(store.state.notice?.text == "\"Y\" does nothing here")
  }

  @Test func `a command that selects a headphone turns no page, and moves no selection`() {
    let store = store
    store.send(.pressed(.help))
    let own = store.state.viewpoint
    let two = HeadphoneID(rawValue: "Two")
    store.send(.selected(two))
    #expect(store.state.viewpoint == own && store.state.headphoneOfCommands?.id == two)
    #expect(store.state.firstViewpoint.selected == two)
  }

  @Test func `while the program ends, a key of another screen begins nothing`() {
    let store = store
    store.send(
      .adapterChanged(
        .ready(Adapter(name: "hci0", address: BluetoothAddress(value: 0), isPowered: true))))
    store.send(.pressed(.quit))
    collector.begun = []
    let view = store.send(.pressed(.connectOrDisconnect), from: store.state.firstViewpoint)
    store.press(.connectOrDisconnect, for: HeadphoneID(rawValue: "Two"))
    #expect(!view.isQuitting)
    #expect(!collector.begun.contains { if case .connect = $0 { true } else { false } })
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
