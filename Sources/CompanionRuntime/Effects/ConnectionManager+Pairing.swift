package import BluetoothCodec
internal import BluetoothRadio
internal import Companion
internal import Persistence

extension Dependencies {
  /// Pairs the audio side of a headphone whose LE side is paired; returns an error if that failed.
  ///
  /// Without bluetoothd the kernel cannot pair BR/EDR here; `unsupported` then does not fail the
  /// command.
  func pairAudio(_ publicAddress: String?) async -> FailureReason? {
    guard let address = publicAddress.flatMap(BluetoothAddress.init(_:)) else { return nil }
    // Pairing over LE may have derived the BR/EDR key, too (Core 5.4, Vol 3, Part H, 2.4.2.4).
    guard await !bonds.bonds().contains(where: { $0.linkKey?.peer.address == address }) else {
      return nil
    }
    do throws(SecurityFailure) {
      try await radio.pairAudio(address)
      return nil
    } catch {
      return error == .unsupported ? nil : .security(error)
    }
  }

  /// Deletes the keys of a peer, under any of its addresses: here, in bluetoothd and in the kernel.
  package func unpair(_ peer: PeerAddress) async -> KeptKeys? {
    let identity = bonds.identity(of: peer)
    let wasBonded = bonds.isBonded(peer)
    var kept: KeptKeys?
    do throws(SecurityFailure) {
      try await radio.unpair(identity)
    } catch {
      let failed = KeptKeys(address: identity.address, failure: error)
      if wasBonded || failed.isOfDaemon { kept = failed }
    }
    await bonds.drop(identity)
    return kept
  }
}

/// The keys of a forgotten headphone that could not be deleted.
package struct KeptKeys: Hashable, Sendable {
  package var address: BluetoothAddress
  package var failure: SecurityFailure

  fileprivate var isOfDaemon: Bool {
    switch failure {
    case .noAgent, .bluetoothd, .bluetoothdUnresponsive: true
    default: false
    }
  }

  var what: String {
    switch failure {
    case .noAgent: "bluetoothd keeps its own keys"
    case _ where isOfDaemon: "its keys are still kept: \(failure.displayText)"
    default: "the kernel still has its keys: \(failure.displayText)"
    }
  }

  var advice: String {
    let command = "bluetoothctl remove \(address)"
    return switch failure {
    case .bluetoothdUnresponsive: "sudo systemctl restart bluetooth && \(command)"
    case _ where isOfDaemon: "to drop them: \(command)"
    default: failure.advice
    }
  }
}

extension ConnectionManager {
  /// Returns the headphone with this address of its LE side, a set member or its audio side.
  func headphone(at peer: PeerAddress) -> HeadphoneID? {
    peers.first { $0.value == peer }?.key ?? registry.headphone(withMember: peer)
      ?? registry.headphone(withAudio: peer.address)
      ?? peers.keys.first { $0 == HeadphoneID(peer.address) }
  }

  /// Pairs over the headphone's link, and then its audio side; both results are sent as actions.
  func pair(_ id: HeadphoneID, audio: String?, send: @escaping Send) {
    let refusal = refusal(of: id)
    refusal.forget()
    guard let session = sessions[id] else {
      return send(.pairing(.ended(id, .start("not connected"))))
    }
    let previous = pairings[id]
    previous?.cancel()
    pairings[id] = Task {
      await previous?.value
      let failure = await session.secure()
      await identify(name(of: id), send: send)
      send(.pairing(.ended(name(of: id), failure.map(FailureReason.security))))
      if let failure { return refusal.note(failure) }
      let side = registry.audioSide(of: name(of: id))?.address.description
      let audioFailure = await dependencies.pairAudio(audio ?? side)
      send(.pairing(.audioEnded(name(of: id), audioFailure)))
    }
  }

  /// Deletes the keys of the headphone and of the members of its set, before any new connection.
  func unpair(_ id: HeadphoneID, send: @escaping Send) {
    guard let peer = peers[id] else { return }
    let peers =
      [peer] + registry.everyMember(of: id)
      + [registry.audioSide(of: id)].compactMap(\.self).filter { $0.address != peer.address }
    let previous = runs[id]
    keptKeys[id] = nil
    runs[id] = Task { [dependencies] in
      await previous?.value
      // Independent of a connection, which would cancel this task.
      for peer in peers {
        let unpairing = Task { await dependencies.unpair(peer) }
        guard let kept = await unpairing.value else { continue }
        keptKeys[id, default: []].append(kept)
        send(.noted(.warning, id, "\(kept.what); \(kept.advice)"))
      }
    }
  }
}
