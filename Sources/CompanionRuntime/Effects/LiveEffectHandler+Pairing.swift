internal import Bluetooth
internal import BluetoothCodec
internal import Companion
internal import GATT
internal import Persistence

extension LiveEffectHandler {
  /// Declares that a person can answer what pairings ask, until ``removeAttendant()``.
  ///
  /// Without anybody, a pairing that needs an answer fails at once instead of waiting for one.
  public func addAttendant(_ send: @escaping Send) {
    attendants += 1
    guard attendants == 1 else { return }
    let send = untilStopped(send)
    let events = world.agent.events()
    questions = Task { [weak self] in
      for await event in events { self?.report(event, send) }
    }
  }

  /// One of those who could answer is gone.
  public func removeAttendant() {
    attendants -= 1
    guard attendants == 0 else { return }
    questions?.cancel()
    questions = nil
  }

  /// Sends which headphones have keys, whenever that changes.
  func watchBonds(_ send: @escaping Send) -> Task<Void, Never> {
    let changes = world.bonds.changes()
    return Task { [weak self] in
      for await _ in changes { self?.reportBonds(send) }
    }
  }

  private func report(_ event: PairingAgent.Event, _ send: Send) {
    switch event {
    case .asked(let question):
      guard let id = links.headphone(at: question.peer) else {
        return world.agent.answer(question.id, .no)
      }
      send(.pairing(.asked(PairingQuestion(question, of: id))))
    case .closed(let id, let closing):
      send(
        .pairing(.closed(PairingID(rawValue: id), isTooLate: closing == .timedOut)))
    }
  }

  /// Where bluetoothd keeps the keys, nothing is known of them.
  func reportBonds(_ send: Send) {
    for (id, peer) in links.peers {
      send(.pairing(.bonded(id, world.bonds.isBonded(peer))))
    }
    if let failure = world.bonds.failure { send(.noted(.error, nil, "bonds: \(failure)")) }
  }

  func answer(_ id: PairingID, _ reply: PairingReply) {
    world.agent.answer(id.rawValue, PairingAnswer(reply))
  }
}

extension PairingQuestion {
  init(_ question: PairingAgent.Question, of id: HeadphoneID) {
    self.init(
      id: PairingID(rawValue: question.id), headphone: id, need: PairingNeed(question.request),
      hint: question.hint, seconds: Int(question.limit.components.seconds))
  }
}

extension PairingNeed {
  init(_ request: PairingRequest) {
    self =
      switch request {
      case .consent: .consent
      case .compare(let passkey): .compare("\(passkey)")
      case .show(let passkey, let entered): .show("\(passkey)", entered: entered)
      case .enter: .enter
      }
  }
}

extension PairingAnswer {
  /// What is no number is a no.
  init(_ reply: PairingReply) {
    self =
      switch reply {
      case .yes: .yes
      case .no: .no
      case .number(let digits): Passkey(digits: digits).map(PairingAnswer.passkey) ?? .no
      }
  }
}
