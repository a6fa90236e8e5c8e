import Bluetooth

extension State {
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
  mutating func pair(at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones.selected else {
      return say("no headphone yet", remedy: .scan, at: timestamp)
    }
    let id = headphone.id
    guard !headphone.isPairing, headphone.audioPairing != .underWay else {
      return say("pairing is under way", id, at: timestamp)
    }
    if headphone.isAudioOnly, let address = headphone.publicAddress {
      headphones.update(id) {
        $0.forgetPairing()
        $0.audioPairing = .underWay
      }
      return note(.info, id, "is to be paired", at: timestamp)
        + [.pairSound(id, address: address)]
    }
    let lacksAudio = headphone.audioPairing != nil
    headphones.update(id) { $0.forgetPairing() }
    if headphone.link == .ready {
      guard headphone.isBonded != true || headphone.isEncrypted != true || lacksAudio else {
        return say("it is paired", id, at: timestamp)
      }
      return beginPairing(id, at: timestamp)
    }
    // Keys that the headphone deleted must go before new ones can be made.
    let unpairing: [Effect] = headphone.link.hasLostKeys ? [.unpair(id)] : []
    if !unpairing.isEmpty { headphones.update(id) { $0.isBonded = false } }
    headphones.update(id) { $0.wantsPairing = true }
    problem = nil
    autoConnect = .never
    return note(.info, id, "will be paired once connected", at: timestamp) + unpairing
      + wantLink(id, isUrgent: true)
  }

  /// Pairs a headphone whose link is ready, if that was wanted.
  mutating func pairIfWanted(_ id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones[id], headphone.wantsPairing else { return [] }
    headphones.update(id) { $0.wantsPairing = false }
    // The start may have paired already, because the headphone demanded it.
    guard headphone.isEncrypted != true || headphone.publicAddress != nil else {
      return endPairing(id, nil, at: timestamp)
    }
    return beginPairing(id, at: timestamp)
  }

  private mutating func beginPairing(_ id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    headphones.update(id) { $0.isPairing = true }
    return begin(.pairing, id, at: timestamp)
      + [.pair(id, audio: headphones[id]?.publicAddress)]
  }

  private mutating func endPairing(
    _ id: HeadphoneID, _ failure: FailureReason?, at timestamp: Timestamp
  ) -> [Effect] {
    guard let headphone = headphones[id] else { return [] }
    guard failure == nil || headphone.isPairing else {
      return ignore("the end of an unexpected pairing", id, at: timestamp)
    }
    headphones.update(id) {
      $0.isPairing = false
      $0.pairingFailure = failure
      if failure != nil { $0.wantsSoundOncePaired = false }
    }
    var effects: [Effect] = []
    if headphone.link == .pairing { effects += finish(.pairing, id, at: timestamp) }
    guard let failure else {
      headphones.update(id) {
        $0.isEncrypted = $0.link.isConnected ? true : $0.isEncrypted
        $0.audioPairing = $0.publicAddress == nil ? nil : .underWay
      }
      // The problem of an earlier attempt is solved.
      if problem?.remedy == .pair { problem = nil }
      return effects + say("\(name(of: id)) is paired", id, at: timestamp)
    }
    effects += goOn(id, after: failure)
    return effects + complain(about: failure, id, at: timestamp)
  }

  /// Continues on a new link after a failed pairing.
  ///
  /// The kernel sends nothing more on its socket (docs/troubleshooting.md), so that another one
  /// takes its place: what worked without encryption works again.
  private mutating func goOn(_ id: HeadphoneID, after failure: FailureReason) -> [Effect] {
    guard let headphone = headphones[id] else { return [] }
    switch failure {
    case .security(.unsupported): return []
    case .security(.refused), .security(.declined), .security(.unanswered), .security(.noAgent),
      .security(.notPermitted):
      guard headphone.isWanted, headphone.link.isConnected || headphone.link.isPausing else {
        return []
      }
      headphones.update(id) { $0.lose() }
      return [.cancelTimer(.steady(id)), .cancelTimer(.reconnect(id))]
        + seekLink(id, isUrgent: true)
    case .security(.keyMissing), .security(.closed), .security(.bluetoothd), .start:
      guard headphone.link.isConnected else { return [] }
      return stop(id, as: .failed(failure)) + [.disconnect(id)]
    }
  }

  private mutating func endAudioPairing(
    _ id: HeadphoneID, _ failure: FailureReason?, at timestamp: Timestamp
  ) -> [Effect] {
    guard headphones[id]?.audioPairing == .underWay else { return [] }
    let wantsSound = headphones[id]?.wantsSoundOncePaired == true
    headphones.update(id) {
      $0.audioPairing = failure.map(AudioPairing.failed)
      $0.wantsSoundOncePaired = false
    }
    guard let failure else {
      let effects =
        headphones[id]?.isAudioOnly == true
        ? say("\(name(of: id)) is paired", id, remedy: .routeSound, at: timestamp) + remember(id)
        : note(.info, id, "its audio side is paired", at: timestamp)
      guard wantsSound, let headphone = headphones[id], route(of: headphone).sink == nil else {
        return effects
      }
      return effects + connectSound(headphone, at: timestamp)
    }
    return say("\(name(of: id)): \(failure.wordsOfAudioSide)", id, remedy: .pair, at: timestamp)
  }

  // MARK: Questions

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
        + [.answerPairing(question.id, .no)]
    }
    var effects = note(
      .notice, id, "waiting for your answer: \(question.request.displayText)", at: timestamp)
    if headphones[id]?.link.canPair == true {
      effects += begin(.pairing, id, at: timestamp)
    }
    waitingPairings.append(PairingDialog(question, for: id))
    // One tick a second, only while something is asked.
    if waitingPairings.count == 1, !isPairingShown { effects.append(.pairingTick) }
    return effects
  }

  private mutating func close(
    _ question: UInt64, isTooLate: Bool, at timestamp: Timestamp
  ) -> [Effect] {
    guard let id = removePairing(question)?.headphone else { return [] }
    var effects: [Effect] = []
    let headphone = headphones[id]
    if let headphone, headphone.link == .pairing, !headphone.isPairing {
      effects += finish(.pairing, headphone.id, at: timestamp)
    }
    if !isPairingShown, waitingPairings.isEmpty { effects.append(.cancelTimer(.pairing)) }
    guard isTooLate else { return effects }
    return effects
      + say("nobody answered in time", id, remedy: .pair, at: timestamp)
  }

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

  private var isPairingShown: Bool {
    if case .pairing = dialog { true } else { false }
  }

  /// Counts down the open questions; the pairing agent, not the reducer, ends them.
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

  mutating func answer(_ open: PairingDialog, _ command: UserCommand) -> [Effect] {
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
      guard let passkey = Passkey(digits: open.digits) else {
        var open = open
        open.complaint = "the number has six digits"
        dialog = .pairing(open)
        return []
      }
      return reply(.passkey(passkey), to: open)
    default: break
    }
    return []
  }

  private mutating func reply(_ reply: PairingAnswer, to open: PairingDialog) -> [Effect] {
    [.answerPairing(open.question.id, reply)]
  }

  mutating func type(_ key: TextKey, into open: PairingDialog) -> [Effect] {
    guard open.question.request == .enter else { return [] }
    var open = open
    open.complaint = nil
    switch key {
    case .character(let character):
      guard character.isASCII, character.isNumber, open.digits.count < PairingDialog.digitCount
      else { break }
      open.digits.append(character)
    case .backspace: if !open.digits.isEmpty { open.digits.removeLast() }
    case .clear: open.digits = ""
    case .delete, .left, .right, .start, .end: break
    }
    dialog = .pairing(open)
    return []
  }
}

extension HeadphoneState {
  /// Whether a pairing of one of its sides has yet to end.
  var isBeingPaired: Bool { wantsPairing || isPairing || audioPairing == .underWay }

  /// Drops the result of an earlier pairing.
  mutating func forgetPairing() {
    isPairing = false
    pairingFailure = nil
    audioPairing = nil
  }

  /// A link that is encrypted without keys stored here uses those of bluetoothd.
  mutating func learn(isBonded: Bool) {
    self.isBonded = isBonded ? true : isEncrypted == true ? nil : false
  }
}

extension PairingDialog {
  /// Digits of a number.
  public static let digitCount = 6
}

extension Effect {
  static let pairingTick = Effect.startTimer(.pairing, .exactly(.seconds(1)))
}

extension LinkState {
  /// Pairing can begin on this link.
  fileprivate var canPair: Bool { self == .ready || isStarting && self != .pairing }

  /// Whether the two sides no longer have the same keys.
  fileprivate var hasLostKeys: Bool {
    switch self {
    case .failed(.security(.keyMissing)), .disconnected(.micFailure): true
    default: false
    }
  }
}
