internal import Bluetooth
internal import BluetoothCodec
internal import Companion
internal import GATT
internal import Persistence

extension LiveEffectHandler {
  /// Takes what pairings ask to the person, and tells which headphones have keys.
  func watchPairing(_ send: @escaping Send) -> [Task<Void, Never>] {
    let questions = world.agent.events()
    let changes = world.bonds.changes()
    return [
      Task { [weak self] in
        for await event in questions { self?.report(event, send) }
      },
      Task { [weak self] in
        for await _ in changes { self?.reportBonds(send) }
      },
    ]
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
