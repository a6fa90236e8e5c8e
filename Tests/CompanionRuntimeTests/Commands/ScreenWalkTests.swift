import BluetoothCodec
import BluetoothRadio
import Companion
import CompanionRuntime
import HeadphoneProtocols
import TestSupport
import Testing

/// Two screens with dialogs, questions and commands in any order.
@MainActor @Suite struct ScreenWalkTests {
  private final class Collector: EffectHandler {
    var begun: [Effect] = []
    func begin(_ effect: Effect, send: @escaping @MainActor (Action) -> Void) {
      begun.append(effect)
    }
  }

  private static let ids = ["One", "Two"].map(HeadphoneID.init(rawValue:))

  /// A program whose own screen and a client's screen show the same two headphones.
  @MainActor private final class Walk {
    let collector = Collector()
    let clock = ManualClock()
    let store: Store
    /// The state of the client's screen.
    var view: ScreenState
    var random: SeededGenerator
    private var questions: UInt64 = 0
    /// The pairing question that each screen shows, and since when in ms.
    private var shown: [(id: UInt64, since: Int64)?] = [nil, nil]

    init(seed: UInt64) {
      store = Store(handler: collector, now: { [clock] in clock.timestamp })
      random = SeededGenerator(seed: seed)
      view = store.state.viewpoint
      store.send(
        .adapterChanged(
          .ready(Adapter(name: "hci0", address: BluetoothAddress(value: 0), isPowered: true))))
      var capabilities = Capabilities()
      capabilities.hasRename = true
      for (number, id) in ScreenWalkTests.ids.enumerated() {
        store.send(
          .discovered(
            DiscoveredHeadphone(
              id: id, name: id.rawValue,
              address: PeerAddress(
                BluetoothAddress(value: 0xF0F1_F2F3_F400 + UInt64(number)), .random))))
        store.send(.linkWanted(id, by: .program, retries: true))
        store.send(.link(id, .connected))
        store.send(
          .link(
            id,
            .ready(
              HeadphoneDescription(
                driver: "x", capabilities: capabilities, information: DeviceInformation(), mtu: 185,
                requests: 1), isEncrypted: false)))
      }
      view = store.state.firstViewpoint
    }

    /// The time in ms.
    var now: Int64 { clock.timestamp.milliseconds }

    func seen(_ screen: Int) -> State { screen == 0 ? store.state : store.state.seen(from: view) }

    private func own(_ screen: Int) -> ScreenState { screen == 0 ? store.state.viewpoint : view }

    private func pick<Value>(_ values: [Value]) -> Value { values[random.below(values.count)] }

    /// Takes one step, and checks the invariants.
    func step(_ place: SourceLocation) {
      // The reducer reads the time alone.
      clock.jump(by: .milliseconds(random.below(300)))
      collector.begun = []
      let kind = random.below(12)
      let screen = kind < 8 ? random.below(2) : nil
      let before = (0...1).map(own)
      if let screen { pressKey(on: screen, place) } else { moveWorld(kind, place) }
      for other in 0...1 where other != screen {
        var after = own(other)
        // What has happened is told on the program's own screen.
        if screen == nil { after.notice = before[other].notice }
        #expect(after == before[other], sourceLocation: place)
      }
      for screen in 0...1 { follow(screen, place) }
    }

    /// Presses a key, or types a character, on a screen.
    private func pressKey(on screen: Int, _ place: SourceLocation) {
      let dialog = seen(screen).dialog
      let action: Action =
        switch dialog {
        case .entry, .commands:
          pick([.typed(.character("y")), .typed(.character("n")), .pressed(.back)])
        case .pairing:
          pick([
            .pressed(.right), .pressed(.accept), .pressed(.back), .typed(.character("1")),
          ])
        case .question, .soundChoice, .theme: .pressed(pick([.back, .right]))
        case nil:
          pick([
            .pressed(.rename), .pressed(.filter), .pressed(.help), .pressed(.back),
            .pressed(.nextHeadphone), .pressed(.forget), .unknownKey("\(now)"),
          ])
        }
      if screen == 0 { store.send(action) } else { view = store.send(action, from: view) }
      for case .replyToPairing(let id, _) in collector.begun {
        #expect(shown[screen]?.id == id, sourceLocation: place)
        #expect(now - (shown[screen]?.since ?? now) >= 500, sourceLocation: place)
      }
      if case .entry(let entry) = dialog, case .typed(.character(let character)) = action {
        guard case .entry(let typed) = seen(screen).dialog else {
          Issue.record("what was typed is lost", sourceLocation: place)
          return
        }
        #expect(typed.text == entry.text + String(character), sourceLocation: place)
      }
      if case .unknownKey(let name) = action {
        #expect(seen(screen).notice?.text.contains(name) == true, sourceLocation: place)
        #expect(seen(1 - screen).notice?.text.contains(name) != true, sourceLocation: place)
      }
    }

    /// Asks a question, runs another process's command, or advances the time.
    private func moveWorld(_ kind: Int, _ place: SourceLocation) {
      let id = pick(ScreenWalkTests.ids)
      let open = store.state.pairings.count
      switch kind {
      case 8:
        questions += 1
        let question = PairingAgent.Question(
          id: questions, peer: PeerAddress(BluetoothAddress(value: 1), .random),
          request: pick([.consent, .enter, .compare(Passkey(truncating: 7))]), limit: .seconds(25))
        store.send(.pairing(.asked(id, question)))
      case 9:
        guard let question = store.state.pairings.randomElement(using: &random)?.question.id else {
          return
        }
        store.send(.pairing(.closed(question, isTooLate: random.below(2) == 0)))
      case 10:
        store.press(
          pick([.help, .rename, .nextHeadphone, .back, .accept, .filter]), for: id,
          as: store.holder())
        #expect(store.state.pairings.count == open, sourceLocation: place)
        #expect(
          !collector.begun.contains { if case .replyToPairing = $0 { true } else { false } },
          sourceLocation: place)
      default: store.send(pick([.selected(id), .timerFired(.pairing), .noted(.info, id, "x")]))
      }
    }

    /// Records the question that a screen shows: the first, unless a dialog is open.
    private func follow(_ screen: Int, _ place: SourceLocation) {
      let question = store.state.pairings.first?.question.id
      guard own(screen).dialog == nil, let question else {
        shown[screen] = nil
        return
      }
      guard case .pairing(let open) = seen(screen).dialog, open.question.id == question else {
        Issue.record("the question is on no screen", sourceLocation: place)
        return
      }
      if shown[screen]?.id != question { shown[screen] = (question, now) }
    }
  }

  @Test func `no key answers a new question, nothing typed is lost, no page is turned`() {
    for seed in 0..<UInt64(Thoroughness.rounds(100, thorough: 10_000)) {
      let walk = Walk(seed: seed)
      for _ in 0..<200 { walk.step(#_sourceLocation) }
    }
  }
}
