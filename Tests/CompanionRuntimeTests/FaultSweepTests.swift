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

/// A session whose link breaks after each ATT PDU: start, reads, settings, events.
///
/// Each break must end in the state of its reason, after which the program works as before.
@MainActor @Suite struct FaultSweepTests {
  private static let breaks: [(BearerClosed.Reason, DisconnectReason)] = [
    (.supervisionTimeout, .timeout), (.peer, .peer), (.adapterGone, .adapterGone),
    (.micFailure, .micFailure),
  ]

  @Test func `a link that breaks after any PDU is reported with its reason and comes back`() async {
    var table = ["model             PDUs  breaks  recovered"]
    for model in VirtualModel.environment {
      let count = await Self.countPDUs(of: model)
      #expect(count > 30, "\(model.name) says little")
      var recovered = 0
      for position in stride(from: 1, through: count, by: 1) {
        let (reason, reported) = Self.breaks[position % Self.breaks.count]
        let place = "\(model.name), PDU \(position) of \(count), \(reported)"
        if await Self.recovers(model, from: reason, reported, after: position, place) {
          recovered += 1
        }
      }
      #expect(recovered == count, "\(model.name)")
      table.append(
        [model.name.padded(16), "\(count)".padded(4), "\(count)".padded(6), "\(recovered)"]
          .joined(separator: "  "))
    }
    print(table.joined(separator: "\n"))
  }

  private static func countPDUs(of model: VirtualModel) async -> Int {
    let play = await Play(model)
    await play.session()
    let count = await play.headphone.pdus
    await play.effects.stop()
    return count
  }

  private static func recovers(
    _ model: VirtualModel, from reason: BearerClosed.Reason, _ reported: DisconnectReason,
    after position: Int, _ place: String
  ) async -> Bool {
    let play = await Play(model)
    await play.headphone.injectFaults {
      $0.lastPDU = position
      $0.ending = reason
    }
    // What nobody waits for may come later than in the session that was counted.
    while !play.isBroken, !Task.isCancelled { await play.session() }
    let expected =
      reported == .micFailure
      ? LinkState.unwanted(.disconnected(.micFailure))
      : .reconnecting(Retry(attempt: 1, after: reported))
    #expect(play.headphoneState?.link == expected, "\(place)")
    guard !Task.isCancelled else { return false }
    await play.comeBack()
    await play.session()
    let state = play.headphoneState
    #expect(state?.link.use == .ready, "\(place)")
    #expect(state?.anc.pending == nil && state?.eq.pending == nil, "\(place)")
    #expect(state?.malformed == 0, "\(place)")
    let isSame = await play.headphone.snapshot.anc == state?.anc.confirmed
    #expect(isSame, "\(place)")
    await play.effects.stop()
    return state?.link.use == .ready && isSame
  }
}

/// A user with one virtual headphone.
@MainActor
private struct Play {
  let headphone: VirtualHeadphone
  let effects: LiveEffectHandler
  let store: Store
  private let folder = TemporaryFolder()

  init(_ model: VirtualModel) async {
    var model = model
    // Numbers that are compared: all that a person does is to say yes.
    model.pairings = [.comparison]
    let agent = PairingAgent(clock: ManualClock())
    let bonds = BondFile()
    headphone = VirtualHeadphone(model, loop: .shared, clock: ManualClock())
    let known = KnownHeadphones(in: folder.state, environment: "virtual")
    let profile = DeviceProfile.earshot
    effects = LiveEffectHandler(
      dependencies: Dependencies(
        // A second advertisement would reconnect by itself.
        radio: VirtualRadio(
          headphones: [headphone], clock: ManualClock(), agent: agent, bonds: bonds),
        services: profile.advertisedServices,
        prepareDriver: HeadphoneConnection.drivers(
          of: [profile], keepingIn: known, clock: ManualClock()),
        makeAudio: { SilentAudio() },
        clock: ManualClock(),
        known: known, agent: agent, bonds: bonds, jitter: { 1 }))
    store = Store(handler: effects, now: patientTime())
    let store = store
    await effects.start(autoConnect: .matching(model.name)) { store.send($0) }
  }

  var headphoneState: HeadphoneState? { store.state.headphones.selected }

  /// Whether the link is broken, and the next step waits for the clock or the user.
  var isBroken: Bool {
    switch headphoneState?.link {
    case .reconnecting, .unwanted(.disconnected), .unwanted(.failed): true
    default: false
    }
  }

  /// Waits until a state is reached; returns false if the link breaks before.
  @discardableResult
  private func until(_ isReached: (HeadphoneState) -> Bool) async -> Bool {
    var states = store.states.makeAsyncIterator()
    while headphoneState.map(isReached) != true {
      sayYesToPairing()
      guard !isBroken, await states.next() != nil else { return false }
    }
    return true
  }

  private func sayYesToPairing() {
    guard case .pairing(let open) = store.state.dialog else { return }
    if !open.isYesChosen { store.send(.pressed(.right)) }
    store.send(.pressed(.accept))
  }

  /// Performs a user's actions of one session.
  func session() async {
    guard await until({ $0.link.isReady && $0.anc.confirmed != nil }) else { return }
    for command in [UserCommand.setANC(.transparency), .setANC(.off), .nextEQ, .refresh] {
      store.send(.pressed(command))
      guard await until({ $0.anc.pending == nil && $0.eq.pending == nil }) else { return }
    }
    // By a button on the headphone.
    for mode in [ANCMode.transparency, .off] {
      await headphone.happen(.press(mode))
      guard await until({ $0.anc.confirmed == mode }) else { return }
    }
  }

  /// Ends the pause, or retries as the user where the program does not.
  func comeBack() async {
    // A question that the link's end takes back has the keys until then.
    var states = store.states.makeAsyncIterator()
    while store.state.dialog != nil, await states.next() != nil {}
    guard let headphoneState else { return }
    if case .unwanted = headphoneState.link {
      store.send(.pressed(.connectOrDisconnect))
    } else {
      store.send(.timerFired(.reconnect(headphoneState.id)))
    }
  }
}

extension String {
  fileprivate func padded(_ columns: Int) -> String {
    self + String(repeating: " ", count: max(0, columns - count))
  }
}
