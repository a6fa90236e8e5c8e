internal import BluetoothAttributes
internal import BluetoothCodec
internal import BluetoothRadio
internal import Companion
internal import Persistence

extension LiveEffectHandler {
  /// Declares that a user can answer pairing questions, until ``removeAttendant()``.
  ///
  /// Without one, a pairing that needs an answer fails immediately instead of at its time-out.
  /// Calls are counted: each screen adds itself when it opens and removes itself when it closes.
  package func addAttendant(_ send: @escaping Send) {
    attendants += 1
    guard attendants == 1 else { return }
    let send = untilStopped(send)
    let events = dependencies.agent.events()
    questions = Task { [weak self] in
      for await event in events { self?.report(event, send) }
    }
  }

  package func removeAttendant() {
    attendants -= 1
    guard attendants == 0 else { return }
    questions?.cancel()
    questions = nil
  }

  /// Sends the bonded headphones, initially and after each change.
  func watchBonds(_ send: @escaping Send) -> Task<Void, Never> {
    let changes = dependencies.bonds.changes()
    return Task { [weak self] in
      for await _ in changes { self?.reportBonds(send) }
    }
  }

  /// Reports a question, or declines it if the device is not one of the headphones.
  private func report(_ event: PairingAgent.Event, _ send: Send) {
    switch event {
    case .asked(let question):
      guard let id = links.headphone(at: question.peer) else {
        return dependencies.agent.reply(to: question.id, with: .no)
      }
      send(.pairing(.asked(id, question)))
    case .closed(let id, let closing):
      send(.pairing(.closed(id, isTooLate: closing == .timedOut)))
    }
  }

  /// Sends the bonded headphones; bluetoothd's keys cannot be read.
  func reportBonds(_ send: Send) {
    for (id, peer) in links.peers {
      send(.pairing(.bonded(id, dependencies.bonds.isBonded(peer))))
    }
    if let failure = dependencies.bonds.failure { send(.noted(.error, nil, "bonds: \(failure)")) }
  }
}
