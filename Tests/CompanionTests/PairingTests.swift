import BluetoothCodec
import BluetoothRadio
import HeadphoneProtocols
import Testing

@testable import Companion

@Suite struct PairingTests {
  private let consent = Self.question(1, .consent)
  private let compare = Self.question(2, .compare(Passkey(truncating: 31_415)))
  private let enter = Self.question(3, .enter, hint: "it says 031415")
  private let show = Self.question(4, .show(Passkey(truncating: 31_415), entered: 0))

  private static func question(
    _ id: UInt64, _ request: PairingRequest, hint: String? = nil
  ) -> PairingAgent.Question {
    PairingAgent.Question(
      id: id, peer: randomPeer("F0:F1:F2:F3:F4:F5"), request: request, hint: hint,
      limit: .seconds(25))
  }

  private let tick = Effect.startTimer(.pairing, .exactly(.seconds(1)))

  private func asked(_ question: PairingAgent.Question) -> Action {
    .pairing(.asked(ear, question))
  }

  /// Returns the dialog of a question that has just appeared.
  private func open(
    _ question: PairingAgent.Question, secondsLeft: Int = 25
  ) -> PairingDialog {
    var open = PairingDialog(question, for: ear)
    open.secondsLeft = secondsLeft
    open.appeared = Scenario().now
    return open
  }

  /// Returns a ready link with a question that appeared half a second ago.
  private func asking(_ question: PairingAgent.Question) -> Scenario {
    var scenario = Scenario.withReady()
    scenario.given(asked(question))
    scenario.now.milliseconds += 500
    return scenario
  }

  // MARK: Asking

  @Test func `a question opens its dialog, with No chosen and the time that is left`() {
    var scenario = Scenario.withReady()
    scenario.send(asked(compare), effects: [tick]) {
      $0.pairings = [open(compare)]
      $0.logs(.notice, ear, "asking whether the numbers are the same")
      $0.logs(.info, ear, "pairing")
      $0.headphones.update(ear) {
        $0.link = .connected(.pairing())
      }
    }
  }

  @Test func `each second that passes is counted while the question is open`() {
    var scenario = asking(compare)
    scenario.send(.timerFired(.pairing), effects: [tick]) {
      $0.pairings = [open(compare, secondsLeft: 24)]
    }
    for _ in 0..<30 { scenario.given(.timerFired(.pairing)) }
    guard case .pairing(let open) = scenario.state.dialog else {
      Issue.record("the desk closes it, not the count")
      return
    }
    #expect(open.secondsLeft == 0)
    scenario.given(.pairing(.closed(compare.id, isTooLate: false)))
    scenario.send(.timerFired(.pairing))
  }

  @Test func `a question that is closed in time leaves the link as it was`() {
    var scenario = asking(compare)
    scenario.now = Scenario().now
    let before = Scenario.withReady().state
    scenario.send(
      .pairing(.closed(compare.id, isTooLate: false)), effects: [.cancelTimer(.pairing)]
    ) {
      $0.pairings = []
      $0.headphones = before.headphones
      $0.logs(.debug, ear, "no longer pairing")
    }
  }

  @Test func `a question that nobody answered says so, with the key to try again`() {
    var scenario = asking(consent)
    scenario.given(.pairing(.closed(consent.id, isTooLate: true)))
    #expect(scenario.state.dialog == nil)
    #expect(scenario.state.notice == Notice("nobody answered in time", remedy: .pair))
  }

  @Test func `what is closed already is nothing new`() {
    var scenario = Scenario.withReady()
    scenario.send(.pairing(.closed(9, isTooLate: true)))
  }

  @Test func `digits typed on the headphone change the open question`() {
    var scenario = asking(show)
    scenario.given(.timerFired(.pairing))
    var typed = show
    typed.request = .show(Passkey(truncating: 31_415), entered: 3)
    scenario.send(asked(typed)) {
      $0.pairings = [open(typed, secondsLeft: 24)]
    }
  }

  @Test func `a question waits while something else is answered`() {
    var scenario = Scenario.withReady()
    scenario.given(.pressed(.rename), asked(consent))
    guard case .entry = scenario.state.dialog else {
      Issue.record("keys that were meant for the name answer the question")
      return
    }
    scenario.given(.timerFired(.pairing), .pressed(.back))
    #expect(scenario.state.dialog == .pairing(open(consent, secondsLeft: 24)))
  }

  @Test func `a waiting question that ends is not shown any more`() {
    var scenario = Scenario.withReady()
    scenario.given(.pressed(.rename), asked(consent))
    let effects = scenario.effects(of: .pairing(.closed(consent.id, isTooLate: false)))
    #expect(effects == [.cancelTimer(.pairing)])
    scenario.given(.pressed(.back))
    #expect(scenario.state.dialog == nil)
  }

  @Test func `two headphones are asked about one after the other`() {
    var scenario = asking(consent)
    let effects = scenario.effects(of: asked(compare))
    #expect(!effects.contains(tick), "one tick is enough for both")
    scenario.given(.pairing(.closed(consent.id, isTooLate: false)))
    guard case .pairing(let next) = scenario.state.dialog else {
      Issue.record("the second one is not asked")
      return
    }
    #expect(next.question == compare && next.appeared == scenario.now)
  }

  @Test func `an unknown device's question is answered with No`() {
    var scenario = Scenario.withAdapter()
    scenario.send(asked(consent), effects: [.replyToPairing(consent.id, .no)]) {
      $0.logs(.debug, nil, "ignored: a question about an unknown headphone")
    }
  }

  // MARK: Answering

  @Test func `no key answers a question in its first half second, on whatever screen`() {
    var scenario = Scenario.withReady()
    scenario.given(asked(compare))
    let keys: [Action] = [
      .pressed(.right), .pressed(.accept), .pressed(.back), .typed(.character("y")),
    ]
    for key in keys {
      scenario.now.milliseconds += 100
      scenario.send(key)
    }
    scenario.now.milliseconds += 100
    #expect(scenario.effects(of: .pressed(.back)) == [.replyToPairing(compare.id, .no)])
    // A screen on which something else was open sees it when that is closed.
    scenario = Scenario.withReady()
    scenario.given(.pressed(.rename), asked(compare))
    scenario.now.milliseconds += 10_000
    scenario.given(.typed(.character("y")))
    let now = scenario.now
    scenario.press(.back) {
      $0.dialog = nil
      $0.dialogClosed = now
    }
    scenario.now.milliseconds += 499
    scenario.send(.pressed(.accept))
    scenario.now.milliseconds += 1
    #expect(scenario.effects(of: .pressed(.accept)) == [.replyToPairing(compare.id, .no)])
  }

  @Test func `Enter means No until Yes is chosen`() {
    for question in [consent, compare] {
      var scenario = asking(question)
      scenario.press(.accept, effects: [.replyToPairing(question.id, .no)])
      for turn in [UserCommand.left, .right, .otherPanel] {
        scenario.given(.pressed(turn))
        let effects = scenario.effects(of: .pressed(.accept))
        #expect(effects == [.replyToPairing(question.id, .yes)])
        scenario.given(.pressed(turn))
      }
    }
  }

  @Test func `Esc refuses whatever is asked`() {
    for question in [consent, compare, enter, show] {
      var scenario = asking(question)
      scenario.press(.back, effects: [.replyToPairing(question.id, .no)])
    }
  }

  @Test func `the headphone's number is typed, six digits and nothing else`() {
    var scenario = asking(enter)
    for character in "0x3１1é41" { scenario.given(.typed(.character(character))) }
    scenario.press(.accept) {
      guard case .pairing(var open) = $0.dialog else { return }
      open.complaint = "the number has six digits"
      $0.dialog = .pairing(open)
    }
    for character in "5999" { scenario.given(.typed(.character(character))) }
    scenario.given(.typed(.backspace), .typed(.character("5")))
    guard case .pairing(let open) = scenario.state.dialog else {
      Issue.record("no dialog")
      return
    }
    #expect(open.typed == "031415" && open.complaint == nil)
    scenario.press(
      .accept, effects: [.replyToPairing(enter.id, .passkey(Passkey(truncating: 31_415)))])
    scenario.given(.typed(.clear))
    guard case .pairing(let cleared) = scenario.state.dialog else { return }
    #expect(cleared.typed.isEmpty)
  }

  @Test func `a PIN is typed, the usual one where nothing is`() throws {
    let ask = Self.question(5, .enterPIN)
    var scenario = asking(ask)
    scenario.press(.accept, effects: [.replyToPairing(ask.id, .pin(.usual))])
    scenario.press(.back, effects: [.replyToPairing(ask.id, .no)])
    for character in "Ö7\u{7}y" { scenario.given(.typed(.character(character))) }
    scenario.press(.accept, effects: [.replyToPairing(ask.id, .pin(try #require(PIN("Ö7y"))))])
    scenario.given(.typed(.backspace))
    for character in "12345678901234567" { scenario.given(.typed(.character(character))) }
    let longest = try #require(PIN("Ö71234567890123"))
    #expect(longest.text.utf8.count == 16)
    scenario.press(.accept, effects: [.replyToPairing(ask.id, .pin(longest))])
    scenario.given(.typed(.clear))
    scenario.press(.accept, effects: [.replyToPairing(ask.id, .pin(.usual))])
  }

  @Test func `a PIN to be typed on the headphone takes no text`() throws {
    let show = Self.question(6, .showPIN(.usual))
    var scenario = asking(show)
    scenario.send(.typed(.character("1")))
    scenario.press(.accept)
    scenario.press(.back, effects: [.replyToPairing(show.id, .no)])
  }

  @Test func `letters do nothing where nothing is typed`() {
    for question in [consent, compare, show] {
      var scenario = asking(question)
      scenario.send(.typed(.character("1")))
      scenario.press(.nextANC)
      scenario.press(.help)
    }
    var scenario = asking(show)
    scenario.press(.accept)
  }

  // MARK: p

  @Test func `p pairs on a ready link`() {
    var scenario = Scenario.withReady()
    scenario.press(.pair, effects: [.pair(ear, audio: nil)]) {
      $0.logs(.info, ear, "pairing")
      $0.headphones.update(ear) {
        $0.pairing = .underWay(.control)
        $0.link = .connected(.pairing())
      }
    }
    scenario.press(.pair, effects: [.noticeTimer]) { $0.explains("pairing is under way", ear) }
    scenario.given(asked(consent), .pairing(.closed(consent.id, isTooLate: false)))
    #expect(
      scenario.state.headphones[ear]?.link.use == .pairing(), "what p began lasts until its end")
    scenario.given(.pairing(.ended(ear, nil)), .pairing(.bonded(ear, true)))
    let headphone = scenario.state.headphones[ear]
    #expect(headphone?.link.use == .ready && headphone?.isEncrypted == true)
    #expect(headphone?.isBonded == true && headphone?.pairing == PairingState.none)
    #expect(scenario.state.notice == Notice("Ear (a) is paired"))
    scenario.press(.pair, effects: [.noticeTimer]) { $0.explains("already paired", ear) }
  }

  @Test func `p connects first where there is no link`() {
    var scenario = Scenario.withHeadphone()
    scenario.press(.pair, effects: [.connect(ear)]) {
      $0.logs(.info, ear, "connecting, then pairing")
      $0.headphones.update(ear) {
        $0.pairing = .underWay(.awaitingLink)
        $0.link = .pending(.connecting)
      }
    }
    scenario.given(.link(ear, .connected))
    let effects = scenario.effects(
      of: .link(ear, .ready(description(), isEncrypted: false)))
    #expect(effects.contains(.pair(ear, audio: nil)))
  }

  @Test func `a start that has paired already leaves the identity address to learn`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(.pressed(.pair), .link(ear, .connected))
    let effects = scenario.effects(of: .link(ear, .ready(description(), isEncrypted: true)))
    #expect(effects.contains(.pair(ear, audio: nil)))
    #expect(scenario.state.headphones[ear]?.pairing == .underWay(.control))
    scenario.given(.pairing(.ended(ear, nil)))
    #expect(scenario.state.notice == Notice("Ear (a) is paired"))
    #expect(scenario.state.headphones[ear]?.pairing == PairingState.none)
  }

  @Test(arguments: [
    LinkEvent.failed(.security(.keyMissing)), .ended(.micFailure),
  ])
  func `p drops keys that the headphone forgot, and pairs again`(event: LinkEvent) {
    var scenario = Scenario.withReady()
    scenario.given(.link(ear, event))
    #expect(scenario.state.problem?.remedy == .pair)
    #expect(scenario.state.problem?.advice == "pair again, or forget it here")
    let effects = scenario.effects(of: .pressed(.pair))
    #expect(effects == [.unpair(ear), .connect(ear)])
    #expect(scenario.state.problem == nil)
    #expect(scenario.state.headphones[ear]?.isBonded == false)
  }

  @Test func `giving the link up gives pairing up`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(.pressed(.pair), .pressed(.back))
    #expect(scenario.state.headphones[ear]?.pairing == PairingState.none)
  }

  @Test func `p without a headphone says how to find one`() {
    var scenario = Scenario.withAdapter()
    scenario.press(.pair, effects: [.noticeTimer]) {
      $0.explains("no headphone yet", remedy: .scan)
    }
  }

  @Test(arguments: [
    (FailureReason.security(.refused), UserCommand?.some(.pair)), (.security(.unanswered), .pair),
    (.security(.timedOut), .pair), (.security(.noAgent), .pair),
    (.security(.notPermitted(capability: "CAP_NET_ADMIN")), nil),
  ])
  func `a link whose pairing fails goes on without encryption, and what helps is said`(
    reason: FailureReason, remedy: UserCommand?
  ) {
    for endsFirst in [false, true] {
      var scenario = Scenario.withReady()
      scenario.given(.pressed(.pair))
      if endsFirst { scenario.given(.link(ear, .ended(.localHost))) }
      let effects = scenario.effects(of: .pairing(.ended(ear, reason)))
      #expect(
        effects == [.cancelTimer(.steady(ear)), .cancelTimer(.reconnect(ear)), .connect(ear)])
      let headphone = scenario.state.headphones[ear]
      #expect(headphone?.link.attempt == .connecting)
      #expect(headphone?.pairing == .failed(reason))
      #expect(
        scenario.state.problem
          == Problem("Ear (a): \(reason.displayText)", advice: reason.advice, remedy: remedy))
      #expect(!reason.advice.isEmpty)
      scenario.given(
        .link(ear, .connected), .link(ear, .ready(description(), isEncrypted: false)))
      #expect(scenario.state.headphones[ear]?.link.use == .ready)
      #expect(scenario.state.problem != nil, "the person has not seen it yet")
      scenario.given(.pressed(.pair))
      #expect(scenario.state.headphones[ear]?.pairing == .underWay(.control))
    }
  }

  @Test func `a link stays as it is where nobody can be asked to pair`() {
    var scenario = Scenario.withReady()
    scenario.given(.pressed(.pair))
    #expect(scenario.effects(of: .pairing(.ended(ear, .security(.unattended)))) == [])
    #expect(scenario.state.headphones[ear]?.link.use == .ready)
    #expect(scenario.state.problem?.remedy == .pair)
  }

  @Test func `keys that the headphone forgot end the link`() {
    var scenario = Scenario.withReady()
    scenario.given(.pressed(.pair))
    let effects = scenario.effects(of: .pairing(.ended(ear, .security(.keyMissing))))
    #expect(effects == [.cancelTimer(.steady(ear)), .disconnect(ear)])
    #expect(scenario.state.headphones[ear]?.link == .unwanted(.failed(.security(.keyMissing))))
    #expect(scenario.state.problem?.remedy == .pair)
  }

  @Test func `an adapter that cannot pair keeps the link as it is`() {
    var scenario = Scenario.withReady()
    scenario.given(.pressed(.pair))
    #expect(scenario.effects(of: .pairing(.ended(ear, .security(.unsupported)))) == [])
    #expect(scenario.state.headphones[ear]?.link.use == .ready)
    #expect(scenario.state.problem?.remedy == nil)
  }

  @Test func `a No of one's own is said for a moment, and is no failure`() {
    var scenario = Scenario.withReady()
    scenario.given(.pressed(.pair))
    let effects = scenario.effects(of: .pairing(.ended(ear, .security(.declined))))
    #expect(effects.contains(.noticeTimer))
    #expect(scenario.state.problem == nil)
    #expect(scenario.state.notice == Notice("pairing cancelled", remedy: .pair))
  }

  @Test func `what becomes of a pairing that was given up is reported to nobody`() {
    var scenario = Scenario.withReady()
    scenario.given(.pressed(.pair), .pressed(.connectOrDisconnect))
    let link = scenario.state.headphones[ear]?.link
    scenario.send(.pairing(.ended(ear, .security(.refused)))) {
      $0.logs(.debug, ear, "ignored: the end of an unexpected pairing")
    }
    #expect(scenario.state.headphones[ear]?.link == link)
    scenario.send(.pairing(.audioEnded(ear, .security(.declined))))
  }

  // MARK: The audio side

  /// Returns a paired headphone whose audio side is paired next.
  private func pairingAudio() -> Scenario {
    var scenario = Scenario.withReady()
    let reported = peripheral(ear, publicAddress: "00:00:5E:00:53:01")
    scenario.given(
      .discovered(reported), .pressed(.pair), .pairing(.ended(ear, nil)),
      .pairing(.bonded(ear, true)))
    return scenario
  }

  @Test func `the audio side is paired after the other one`() {
    var scenario = pairingAudio()
    #expect(scenario.state.headphones[ear]?.pairing.step == .audio)
    scenario.press(.pair, effects: [.noticeTimer]) { $0.explains("pairing is under way", ear) }
    scenario.send(.pairing(.audioEnded(ear, nil))) {
      $0.logs(.info, ear, "audio paired")
      $0.headphones.update(ear) { $0.pairing = .none }
    }
    scenario.press(.pair, effects: [.noticeTimer]) { $0.explains("already paired", ear) }
  }

  @Test func `an audio side that is not paired is reported of, and p pairs it again`() {
    var scenario = pairingAudio()
    scenario.send(.pairing(.audioEnded(ear, .security(.refused))), effects: [.noticeTimer]) {
      $0.says("Ear (a): its audio side is not paired: pairing was refused", ear, remedy: .pair)
      $0.headphones.update(ear) { $0.pairing = .audioFailed(.security(.refused)) }
    }
    #expect(scenario.state.headphones[ear]?.link.use == .ready)
    let effects = scenario.effects(of: .pressed(.pair))
    #expect(effects == [.pair(ear, audio: "00:00:5E:00:53:01"), .cancelTimer(.notice)])
  }

  @Test func `a start that has paired leaves the audio side to be paired`() {
    var scenario = Scenario.withHeadphone()
    let reported = peripheral(ear, publicAddress: "00:00:5E:00:53:01")
    scenario.given(.discovered(reported), .pressed(.pair), .link(ear, .connected))
    let effects = scenario.effects(of: .link(ear, .ready(description(), isEncrypted: true)))
    #expect(effects.contains(.pair(ear, audio: "00:00:5E:00:53:01")))
  }

  @Test(arguments: [
    (true, true, Bool?.some(true)), (true, false, nil), (false, true, true), (false, false, false),
  ])
  func `an encrypted link without keys of ours has someone else's`(
    isEncrypted: Bool, isKept: Bool, isBonded: Bool?
  ) {
    for isKnownBefore in [true, false] {
      var scenario = Scenario.withHeadphone()
      if isKnownBefore { scenario.given(.pairing(.bonded(ear, isKept))) }
      scenario.given(
        .pressed(.connectOrDisconnect), .link(ear, .connected),
        .link(ear, .ready(description(), isEncrypted: isEncrypted)))
      if !isKnownBefore { scenario.given(.pairing(.bonded(ear, isKept))) }
      #expect(scenario.state.headphones[ear]?.isBonded == isBonded)
    }
  }
}
