import Bluetooth

extension UserCommand {
  /// Pairs, or pairs again.
  package static let pair = UserCommand(
    "pair", keys: ["p"], "pair, or pair again", hint: 50,
    isHinted: { $0.canPair == .available && $0.headphones.selected?.isEncrypted == false },
    isUrgent: { _ in true }, label: "Pair", shell: "pair it: earshot pair NAME",
    availability: \.canPair
  ) { $0.pair(at: $1) }
}

extension State {
  fileprivate var canPair: Availability {
    guard let headphone = headphones.selected else { return notConnected }
    if [.control, .audio].contains(headphone.pairing.step) {
      return .refused("pairing is under way")
    }
    let hasAudio = headphone.isAudioOnly && headphone.publicAddress != nil
    return headphone.isAdvertisingOnly && !hasAudio && headphone.link.use != .ready
      ? .notConnectable(headphone) : .available
  }

  /// Reduces a pairing event.
  ///
  /// | event | changes |
  /// | --- | --- |
  /// | asked | a dialog is queued; one tick a second counts it down |
  /// | closed | the dialog goes; a notice if it was out of time |
  /// | ended | the LE side is paired, or a problem says why not |
  /// | audioEnded | the BR/EDR side is paired, or a notice says why not |
  /// | bonded | whether keys of the headphone are stored |
  mutating func follow(_ event: PairingEvent, at timestamp: Timestamp) -> [Effect] {
    switch event {
    case .asked(let id, let question): return ask(question, of: id, at: timestamp)
    case .closed(let id, let isTooLate): return close(id, isTooLate: isTooLate, at: timestamp)
    case .ended(let id, let failure): return endPairing(id, failure, at: timestamp)
    case .audioEnded(let id, let failure): return endAudioPairing(id, failure, at: timestamp)
    case .bonded(let id, let isBonded):
      headphones.update(id) { $0.learn(isBonded: isBonded) }
      return []
    }
  }

  /// `p`: pairs with the selected headphone.
  ///
  /// On a ready link pairing begins at once; otherwise the headphone is connected first. Keys that
  /// the headphone no longer has are dropped before. A headphone that is paired already only gets a
  /// notice.
  ///
  /// | state | effects |
  /// | --- | --- |
  /// | a pairing is under way, or it is paired | none but a notice |
  /// | the headphone has an audio side only | `pairSound` |
  /// | the link is ready | `pair` |
  /// | the keys differ | `unpair`, then a connection |
  /// | not connected | a connection; it is paired as soon as that is ready |
  fileprivate mutating func pair(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones.selected else { return [] }
    let id = headphone.id
    if headphone.isAudioOnly, let address = headphone.publicAddress {
      headphones.update(id) { $0.pairing = .underWay(.audio) }
      return note(.info, id, "pairing requested", at: timestamp)
        + [.pairSound(id, address: address)]
    }
    if headphone.link.use == .ready {
      let lacksAudio = if case .audioFailed = headphone.pairing { true } else { false }
      guard headphone.isBonded != true || headphone.isEncrypted != true || lacksAudio else {
        headphones.update(id) { $0.pairing = .none }
        return explain("already paired", id, at: timestamp)
      }
      return beginPairing(id, at: timestamp)
    }
    // Keys that the headphone deleted must go before new ones can be made.
    let unpairing: [Effect] = headphone.link.hasLostKeys ? [.unpair(id)] : []
    if !unpairing.isEmpty { headphones.update(id) { $0.isBonded = false } }
    headphones.update(id) {
      $0.pairing = .underWay(.awaitingLink, thenSound: $0.pairing.wantsSound)
    }
    problem = nil
    autoConnect = .never
    return note(.info, id, "connecting, then pairing", at: timestamp) + unpairing
      + wantLink(id, isUrgent: true)
  }

  /// Pairs a headphone whose link is ready, if that was wanted.
  ///
  /// Called whenever a link becomes ready. The start may have paired already, because the headphone
  /// demanded it: its identity address and its audio side are still to follow.
  mutating func pairIfWanted(_ id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    guard headphones[id]?.pairing.step == .awaitingLink else { return [] }
    return beginPairing(id, at: timestamp)
  }

  /// The link's state becomes `pairing`; the BR/EDR side follows where its address is known.
  private mutating func beginPairing(_ id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    headphones.update(id) { $0.pairing = .underWay(.control, thenSound: $0.pairing.wantsSound) }
    return begin(.pairing, id, at: timestamp)
      + [.pair(id, audio: headphones[id]?.publicAddress)]
  }

  /// The end of the LE side.
  ///
  /// A success without a wish, as when the headphone demanded encryption, only clears the problem
  /// of an earlier attempt.
  ///
  /// A failure ends the wish for sound as well, which would need the keys.
  private mutating func endPairing(
    _ id: HeadphoneID, _ failure: FailureReason?, at timestamp: Timestamp
  ) -> [Effect] {
    guard let headphone = headphones[id] else { return [] }
    guard failure == nil || headphone.pairing.step == .control else {
      return ignore("the end of an unexpected pairing", id, at: timestamp)
    }
    var effects = headphone.link.isPairing ? finishActivity(of: id, at: timestamp) : []
    guard let failure else {
      headphones.update(id) {
        $0.isEncrypted = $0.link.isConnected ? true : $0.isEncrypted
        $0.pairing =
          $0.publicAddress == nil ? .none : .underWay(.audio, thenSound: $0.pairing.wantsSound)
      }
      // The problem of an earlier attempt is solved.
      if problem?.remedy == .pair { problem = nil }
      return effects + say("\(name(of: id)) is paired", id, at: timestamp)
    }
    headphones.update(id) { $0.pairing = .failed(failure) }
    effects += goOn(id, after: failure)
    return effects + complain(about: failure, id, at: timestamp)
  }

  /// Continues on a new link after a failed pairing.
  ///
  /// The kernel sends nothing more on its socket (docs/troubleshooting.md), so that another one
  /// takes its place: what worked without encryption works again.
  ///
  /// | failure | then |
  /// | --- | --- |
  /// | not supported by the adapter | the link stays as it is |
  /// | refused, declined, unanswered, no agent, no permission | the link is lost and set up again |
  /// | keys missing, channel closed, bluetoothd, start | the link ends as failed |
  private mutating func goOn(_ id: HeadphoneID, after failure: FailureReason) -> [Effect] {
    guard let headphone = headphones[id] else { return [] }
    switch failure {
    case .security(.unsupported): return []
    case .security(.refused), .security(.declined), .security(.unanswered), .security(.timedOut),
      .security(.noAgent), .security(.notPermitted):
      guard headphone.link.isConnected || headphone.link.retry != nil else {
        return []
      }
      headphones.update(id) { $0.lose() }
      return [.cancelTimer(.steady(id)), .cancelTimer(.reconnect(id))]
        + seekLink(id, isUrgent: true)
    case .security(.keyMissing), .security(.closed), .security(.bluetoothdUnresponsive),
      .security(.bluetoothd), .start:
      guard headphone.link.isConnected else { return [] }
      return stop(id, .failed(failure)) + [.disconnect(id)]
    }
  }

  /// The end of the BR/EDR side, which may bring up sound that was waiting for it.
  private mutating func endAudioPairing(
    _ id: HeadphoneID, _ failure: FailureReason?, at timestamp: Timestamp
  ) -> [Effect] {
    guard case .underWay(.audio, let wantsSound) = headphones[id]?.pairing else { return [] }
    headphones.update(id) { $0.pairing = failure.map(PairingState.audioFailed) ?? .none }
    guard let failure else {
      let effects =
        headphones[id]?.isAudioOnly == true
        ? say("\(name(of: id)) is paired", id, remedy: .routeSound, at: timestamp) + remember(id)
        : note(.info, id, "audio paired", at: timestamp)
      guard wantsSound, let headphone = headphones[id], route(of: headphone).sink == nil else {
        return effects
      }
      return effects + connectSound(headphone, at: timestamp)
    }
    guard failure != .security(.declined) else {
      return complain(about: failure, id, at: timestamp)
    }
    return say("\(name(of: id)): \(failure.wordsOfAudioSide)", id, remedy: .pair, at: timestamp)
  }

  // MARK: Questions

  /// A new question, or the change of an open one.
  ///
  /// A question about a device that is not in the list is answered with No at once, because the
  /// dialog could not name it.
  ///
  /// A dialog never replaces another one: it waits until no other lies over the page.
  private mutating func ask(
    _ question: PairingAgent.Question, of id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    if case .pairing(var open) = dialog, open.question.id == question.id {
      open.question = question
      dialog = .pairing(open)
      return []
    }
    guard headphones[id] != nil else {
      return ignore("a question about an unknown headphone", nil, at: timestamp)
        + [.replyToPairing(question.id, .no)]
    }
    var effects = note(
      .notice, id, "asking \(question.request.displayText)", at: timestamp)
    effects += begin(.pairing, id, at: timestamp)
    waitingPairings.append(PairingDialog(question, for: id))
    // One tick a second, only while something is asked.
    if waitingPairings.count == 1, !isPairingShown { effects.append(.pairingTick) }
    return effects
  }

  /// The agent closed a question: it was answered, withdrawn, or out of time.
  private mutating func close(
    _ question: UInt64, isTooLate: Bool, at timestamp: Timestamp
  ) -> [Effect] {
    guard let id = removePairing(question)?.headphone else { return [] }
    var effects: [Effect] = []
    let headphone = headphones[id]
    if let headphone, headphone.link.isPairing, headphone.pairing.step != .control {
      effects += finishActivity(of: headphone.id, at: timestamp)
    }
    if !isPairingShown, waitingPairings.isEmpty { effects.append(.cancelTimer(.pairing)) }
    guard isTooLate else { return effects }
    return effects
      + say("nobody answered in time", id, remedy: .pair, at: timestamp)
  }

  /// Takes a question from the dialog or from the queue.
  private mutating func removePairing(_ id: UInt64) -> PairingDialog? {
    if case .pairing(let open) = dialog, open.question.id == id {
      dialog = nil
      return open
    }
    guard let index = waitingPairings.firstIndex(where: { $0.question.id == id }) else {
      return nil
    }
    return waitingPairings.remove(at: index)
  }

  /// Whether a pairing question is open now.
  private var isPairingShown: Bool {
    if case .pairing = dialog { true } else { false }
  }

  /// Counts down the open questions; the pairing agent, not the reducer, ends them.
  ///
  /// It starts the next tick itself while a question is open, so that no timer runs without one.
  mutating func tickPairing() -> [Effect] {
    guard isPairingShown || !waitingPairings.isEmpty else { return [] }
    if case .pairing(var open) = dialog {
      open.secondsLeft = max(0, open.secondsLeft - 1)
      dialog = .pairing(open)
    }
    for index in waitingPairings.indices {
      waitingPairings[index].secondsLeft = max(0, waitingPairings[index].secondsLeft - 1)
    }
    return [.pairingTick]
  }

  /// Shows the next question when nothing else lies over the page: no key that was meant for
  /// something else must answer it.
  mutating func showPairing() {
    guard dialog == nil, !waitingPairings.isEmpty else { return }
    dialog = .pairing(waitingPairings.removeFirst())
  }

  // MARK: Answers

  /// Enter, arrows and Esc on the open question; six digits are needed where the headphone shows a
  /// number, and the usual PIN is taken where none is typed.
  ///
  /// The dialog stays open until the agent confirms that the question is closed.
  ///
  /// Esc is No for every question; Yes must be chosen before Enter gives it.
  mutating func handle(_ open: PairingDialog, _ command: UserCommand) -> [Effect] {
    switch (open.question.request, command) {
    case (_, .back): return reply(.no, to: open)
    case (.consent, .accept), (.compare, .accept):
      return reply(open.isYesChosen ? .yes : .no, to: open)
    case (.consent, .left), (.consent, .right), (.consent, .otherPanel), (.consent, .previousPanel),
      (.compare, .left), (.compare, .right), (.compare, .otherPanel), (.compare, .previousPanel):
      var open = open
      open.isYesChosen.toggle()
      dialog = .pairing(open)
    case (.enter, .accept):
      guard let passkey = Passkey(digits: open.typed) else {
        var open = open
        open.complaint = "the number has six digits"
        dialog = .pairing(open)
        return []
      }
      return reply(.passkey(passkey), to: open)
    case (.enterPIN, .accept): return reply(.pin(PIN(open.typed) ?? .usual), to: open)
    default: break
    }
    return []
  }

  /// Sends the answer to the agent, with the question's own identifier.
  private mutating func reply(_ reply: PairingAnswer, to open: PairingDialog) -> [Effect] {
    [.replyToPairing(open.question.id, reply)]
  }

  /// Digits of the number that the headphone shows, or characters of its PIN; anything else is
  /// dropped.
  ///
  /// What would be too long is dropped, too.
  mutating func type(_ key: TextKey, into open: PairingDialog) -> [Effect] {
    guard open.acceptsText else { return [] }
    var open = open
    open.complaint = nil
    switch key {
    case .character(let character): if open.accepts(character) { open.typed.append(character) }
    case .backspace: if !open.typed.isEmpty { open.typed.removeLast() }
    case .clear: open.typed = ""
    case .delete, .left, .right, .start, .end: break
    }
    dialog = .pairing(open)
    return []
  }
}

extension HeadphoneState {
  /// A link that is encrypted without keys stored here uses those of bluetoothd.
  mutating func learn(isBonded: Bool) {
    self.isBonded = isBonded ? true : isEncrypted == true ? nil : false
  }
}

extension PairingDialog {
  /// Digits of a number.
  public static let digitCount = 6

  /// Whether the answer is typed.
  fileprivate var acceptsText: Bool {
    switch question.request {
    case .enter, .enterPIN: true
    case .consent, .compare, .show, .showPIN: false
    }
  }

  fileprivate func accepts(_ character: Character) -> Bool {
    if case .enterPIN = question.request { return PIN(typed + String(character)) != nil }
    return character.isASCII && character.isNumber && typed.count < Self.digitCount
  }
}

extension Effect {
  /// The timer behind the countdown of open questions, one second.
  static let pairingTick = Effect.startTimer(.pairing, .exactly(.seconds(1)))
}

extension LinkState {
  fileprivate var isPairing: Bool { if case .pairing? = use { true } else { false } }

  /// Whether the two sides no longer have the same keys.
  fileprivate var hasLostKeys: Bool {
    switch self {
    case .unwanted(.failed(.security(.keyMissing))), .unwanted(.disconnected(.micFailure)): true
    default: false
    }
  }
}
