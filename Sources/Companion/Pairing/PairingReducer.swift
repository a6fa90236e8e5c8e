internal import BluetoothCodec
import BluetoothRadio

extension UserCommand {
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

  /// Reduces a pairing event; an open question counts down every second.
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

  /// Pairs with the selected headphone.
  ///
  /// | state | effects |
  /// | --- | --- |
  /// | already paired | a notice |
  /// | the headphone has only an audio side | `pairSound` |
  /// | the link is ready | `pair` |
  /// | the keys differ | `unpair`, then a connection |
  /// | not connected | a connection, and pairing when it is ready |
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
    // Keys that the headphone has deleted must go before new ones can be made.
    let unpairing: [Effect] = headphone.link.hasLostKeys ? [.unpair(id)] : []
    if !unpairing.isEmpty { headphones.update(id) { $0.isBonded = false } }
    headphones.update(id) {
      $0.pairing = .underWay(.awaitingLink, thenSound: $0.pairing.wantsSound)
    }
    problem = nil
    autoConnect = .never
    return note(.info, id, "connecting, then pairing", at: timestamp) + unpairing
      + wantLink(id, for: holder, isUrgent: true)
  }

  /// Pairs a headphone whose link has become ready, if requested.
  ///
  /// The headphone may have demanded pairing earlier; its identity address and audio side still
  /// follow.
  mutating func pairIfWanted(_ id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    guard headphones[id]?.pairing.step == .awaitingLink else { return [] }
    return beginPairing(id, at: timestamp)
  }

  private mutating func beginPairing(_ id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    headphones.update(id) { $0.pairing = .underWay(.control, thenSound: $0.pairing.wantsSound) }
    return begin(.pairing, id, at: timestamp)
      + [.pair(id, audio: headphones[id]?.publicAddress)]
  }

  /// Handles the end of pairing the LE side; a failure drops a request for sound, which needs keys.
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
        $0.notePairing()
        $0.isEncrypted = $0.link.isConnected ? true : $0.isEncrypted
        $0.pairing =
          $0.publicAddress == nil ? .none : .underWay(.audio, thenSound: $0.pairing.wantsSound)
      }
      if problem?.remedy == .pair { problem = nil }
      return effects + say("\(name(of: id)) is paired", id, at: timestamp)
    }
    headphones.update(id) { $0.pairing = .failed(failure) }
    effects += goOn(id, after: failure)
    return effects + complain(about: failure, id, at: timestamp)
  }

  /// Continues after a failed pairing on a new link.
  ///
  /// The kernel sends nothing more on the old socket (docs/troubleshooting.md). On the new one,
  /// what needs no encryption works again.
  ///
  /// | failure | result |
  /// | --- | --- |
  /// | not supported by the adapter, nobody to ask | the link stays as it is |
  /// | refused, declined, unanswered, no agent, no permission | the link is lost and set up again |
  /// | keys missing, channel closed, bluetoothd, start | the link ends as failed |
  private mutating func goOn(_ id: HeadphoneID, after failure: FailureReason) -> [Effect] {
    guard let headphone = headphones[id] else { return [] }
    switch failure {
    case .security(.unsupported), .security(.unattended): return []
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

  /// Adds or changes a question; answers No for an unlisted device, which no dialog could name.
  private mutating func ask(
    _ question: PairingAgent.Question, of id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    if let place = pairings.firstIndex(where: { $0.question.id == question.id }) {
      pairings[place].question = question
      return []
    }
    guard headphones[id] != nil else {
      return ignore("a question about an unknown headphone", nil, at: timestamp)
        + [.replyToPairing(question.id, .no)]
    }
    var effects = note(
      .notice, id, "asking \(question.request.displayText)", at: timestamp)
    effects += begin(.pairing, id, at: timestamp)
    pairings.append(PairingDialog(question, for: id))
    // One tick a second, only while something is asked.
    if pairings.count == 1 { effects.append(.pairingTick) }
    return effects
  }

  private mutating func close(
    _ question: UInt64, isTooLate: Bool, at timestamp: Timestamp
  ) -> [Effect] {
    guard let place = pairings.firstIndex(where: { $0.question.id == question }) else { return [] }
    let id = pairings.remove(at: place).headphone
    var effects: [Effect] = []
    let headphone = headphones[id]
    if let headphone, headphone.link.isPairing, headphone.pairing.step != .control {
      effects += finishActivity(of: headphone.id, at: timestamp)
    }
    if pairings.isEmpty { effects.append(.cancelTimer(.pairing)) }
    guard isTooLate else { return effects }
    return effects
      + say("nobody answered in time", id, remedy: .pair, at: timestamp)
  }

  /// Counts down the open questions; the pairing agent, not the reducer, ends them.
  ///
  /// It starts the next tick itself while a question is open, so that no timer runs without one.
  mutating func tickPairing() -> [Effect] {
    for place in pairings.indices {
      pairings[place].secondsLeft = max(0, pairings[place].secondsLeft - 1)
    }
    return pairings.isEmpty ? [] : [.pairingTick]
  }

  /// Notes when the first question appeared; called after each action.
  mutating func settlePairings(isUncovered: Bool, at timestamp: Timestamp) {
    guard !pairings.isEmpty else { return }
    if pairings[0].appeared == nil { pairings[0].appeared = timestamp }
    if isUncovered { dialogClosed = timestamp }
  }

  /// Whether the question appeared on this screen within the last half second, so that a key was
  /// meant for what was there before.
  func isTooNew(_ open: PairingDialog, at timestamp: Timestamp) -> Bool {
    let shown = [open.appeared, dialogClosed].compactMap(\.self).max() ?? timestamp
    return (0..<500).contains(timestamp.milliseconds - shown.milliseconds)
  }

  /// Handles a key in a pairing question, which stays open until the agent closes it.
  ///
  /// Esc is No. Yes must be chosen before Enter. The usual PIN is used if none is typed.
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

  private mutating func reply(_ reply: PairingAnswer, to open: PairingDialog) -> [Effect] {
    [.replyToPairing(open.question.id, reply)]
  }

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
  /// Records whether keys exist; an encrypted link without keys stored here uses bluetoothd's.
  mutating func learn(isBonded: Bool) {
    self.isBonded = isBonded ? true : isEncrypted == true ? nil : false
  }
}

extension PairingDialog {
  package static let digitCount = 6

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
  static let pairingTick = Effect.startTimer(.pairing, .exactly(.seconds(1)))
}

extension LinkState {
  fileprivate var isPairing: Bool { if case .pairing? = use { true } else { false } }

  fileprivate var hasLostKeys: Bool {
    switch self {
    case .unwanted(.failed(.security(.keyMissing))), .unwanted(.disconnected(.micFailure)): true
    default: false
    }
  }
}
