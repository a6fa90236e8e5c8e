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
      send(.pairing(.asked(id, question)))
    case .closed(let id, let closing):
      send(.pairing(.closed(id, isTooLate: closing == .timedOut)))
    }
  }

  /// Where bluetoothd keeps the keys, nothing is known of them.
  func reportBonds(_ send: Send) {
    for (id, peer) in links.peers {
      send(.pairing(.bonded(id, world.bonds.isBonded(peer))))
    }
    if let failure = world.bonds.failure { send(.noted(.error, nil, "bonds: \(failure)")) }
  }
}
