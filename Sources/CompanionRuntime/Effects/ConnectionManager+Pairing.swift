internal import Bluetooth
public import BluetoothCodec
internal import Companion
internal import GATT
internal import Persistence

extension Dependencies {
  /// Pairs the audio side of a headphone whose LE side is paired.
  ///
  /// Without bluetoothd the kernel cannot pair BR/EDR here; `unsupported` then is no failure of the
  /// command.
  ///
  /// - Parameter publicAddress: of the audio side; nil: it has none.
  /// - Returns: why that failed; nil: it is paired, or there is none.
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

  /// Removes the keys of a peer from the store and the kernel.
  ///
  /// - Returns: what the user still has to do; nil: nothing.
  /// - Parameter peer: Any address of the headphone; its bond's identity is looked up.
  public func unpair(_ peer: PeerAddress) async -> String? {
    let identity = bonds.identity(of: peer)
    let rest = await unpairInKernel(identity, wasBonded: bonds.isBonded(peer))
    await bonds.drop(identity)
    return rest
  }

  /// - Returns: The sentence for the user, if keys remain anywhere.
  private func unpairInKernel(_ identity: PeerAddress, wasBonded: Bool) async -> String? {
    do throws(SecurityFailure) {
      try await radio.unpair(identity)
      return nil
    } catch .noAgent {
      return "bluetoothd keeps keys of its own; to drop them: bluetoothctl remove "
        + "\(identity.address)"
    } catch .bluetoothd(let words) {
      return "its keys are still kept: bluetoothd: \(words)"
    } catch {
      return wasBonded ? "the kernel still has its keys: \(error.displayText)" : nil
    }
  }
}

extension ConnectionManager {
  /// The headphone with this address: of its LE side, of a set member, or of its audio side.
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
      let audioFailure = await world.pairAudio(audio ?? side)
      send(.pairing(.audioEnded(name(of: id), audioFailure)))
    }
  }

  /// Removes the keys of the headphone and the members of its set.
  ///
  /// A connection that starts meanwhile waits for it.
  func unpair(_ id: HeadphoneID, send: @escaping Send) {
    guard let peer = peers[id] else { return }
    let peers =
      [peer] + registry.everyMember(of: id)
      + [registry.audioSide(of: id)].compactMap(\.self).filter { $0.address != peer.address }
    let previous = runs[id]
    runs[id] = Task { [world] in
      await previous?.value
      // Independent of a connection, which cancels the connection before it.
      for peer in peers {
        let unpairing = Task { await world.unpair(peer) }
        if let rest = await unpairing.value { send(.noted(.warning, id, rest)) }
      }
    }
  }
}
