internal import BluetoothCodec
package import BluetoothRadio
internal import Companion
internal import DBus
internal import Desktop
internal import EventLoop
internal import HeadphoneProtocols

extension LiveEffectHandler {
  /// Connects a headphone's audio profiles; the resulting device is reported by the sound server.
  ///
  /// Sends `soundLink` when bluetoothd has connected the profiles or failed.
  func connectSound(
    _ id: HeadphoneID, _ address: BluetoothAddress, _ send: @escaping Send
  ) async throws(AudioLinkError) {
    do throws(AudioLinkError) {
      try await dependencies.radio.connectAudio(address)
      soundFailures[id] = nil
    } catch {
      soundFailures[id] = error
      send(.soundLink(links.name(of: id), .failed("\(error)", advice: error.advice)))
      throw error
    }
    send(.soundLink(links.name(of: id), .connected))
  }

  func send(_ command: PlayerCommand, _ player: MediaPlayer, _ send: @escaping Send) {
    tasks.run { [dependencies] in
      do throws(DBusError) {
        try await dependencies.desktop.send(command, to: player)
      } catch {
        send(.playerRefused("\(error)"))
      }
    }
  }

  /// The age at which a headphone's key is dropped, as the user no longer expects its effect.
  private static let keyAge: Duration = .seconds(1)

  /// Passes a headphone's key on to a media player, after those before it for the same player.
  func press(_ command: PlayerCommand, _ player: MediaPlayer, _ send: @escaping Send) {
    let previous = presses[player]
    let stopwatch = ElapsedClock(dependencies.clock)
    let pressed = stopwatch.elapsed
    presses = presses.filter { $0.key.name != player.name }
    presses[player] = Task { [dependencies] in
      await previous?.value
      guard stopwatch.elapsed - pressed <= Self.keyAge else {
        return send(
          .noted(
            .warning, nil, "dropped a key of a headphone: \(displayable(player.shortName)) hangs"))
      }
      do throws(DBusError) {
        try await dependencies.desktop.send(command, to: player)
      } catch {
        send(.playerRefused("\(error)"))
      }
    }
  }

  /// Offers headphones a media player; a process for one command has none.
  func offerPlayer(_ offer: PlayerOffer) {
    self.offer = offer
    guard joinsDesktop else { return }
    let previous = offering
    offering = Task { [dependencies] in
      await previous?.value
      await dependencies.radio.offerPlayer(offer)
    }
  }

  /// Leaves the headphones' keys to other players while `body` stops the process or its main
  /// thread.
  ///
  /// Otherwise bluetoothd would continue to send them here, to take effect all at once afterwards.
  package func withoutKeys(_ body: @MainActor () -> Void) async {
    guard joinsDesktop, offer != .withdrawn else { return body() }
    let offer = offer
    offerPlayer(.withdrawn)
    await waitAtMost(.seconds(1), by: dependencies.clock) { [offering] in await offering?.value }
    body()
    if self.offer == .withdrawn { offerPlayer(offer) }
  }

  /// Shares the charges with the desktop; a process for one command would only make them flicker.
  func shareCharges(_ charges: [HeadphoneCharge]) {
    guard joinsDesktop else { return }
    let previous = sharing
    sharing = Task { [dependencies] in
      await previous?.value
      await dependencies.radio.shareCharges(charges)
    }
  }

  package func setPower(_ isOn: Bool) async throws(RadioError) { try await links.setPower(isOn) }

  /// Switches the adapter; success is reported as a change of the adapter.
  func setPower(_ isOn: Bool, _ send: @escaping Send) {
    Task { [links] in
      do throws(RadioError) {
        try await links.setPower(isOn)
      } catch {
        send(.powerFailed("\(error)", advice: error.advice))
      }
    }
  }
}

extension ConnectionManager {
  /// Pairs a headphone that has only an audio side; answered by `pairing(.audioEnded)`.
  func pairSound(_ id: HeadphoneID, _ address: String, send: @escaping Send) {
    let previous = pairings[id]
    previous?.cancel()
    pairings[id] = Task { [dependencies] in
      await previous?.value
      let failure = await dependencies.pairAudio(address)
      send(.pairing(.audioEnded(name(of: id), failure)))
    }
  }
}
