public import Bluetooth
internal import BluetoothCodec
internal import Companion
internal import DBus
internal import Desktop
internal import EventLoop
internal import HeadphoneProtocols

extension LiveEffectHandler {
  /// Connects a headphone's audio profiles; the resulting device is reported by the sound server.
  ///
  /// Sends `soundLink`, when bluetoothd has connected the profiles or given up.
  ///
  /// - Throws: what it has sent.
  func connectSound(
    _ id: HeadphoneID, _ address: BluetoothAddress, _ send: @escaping Send
  ) async throws(AudioLinkError) {
    do throws(AudioLinkError) {
      try await dependencies.radio.connectAudio(address)
    } catch {
      send(.soundLink(links.name(of: id), .failed("\(error)", advice: error.advice)))
      throw error
    }
    send(.soundLink(links.name(of: id), .connected))
  }

  /// Gives a command to a media player; a refusal is answered by
  /// ``/Companion/Action/playerRefused(_:)``.
  func send(_ command: PlayerCommand, _ player: MediaPlayer, _ send: @escaping Send) {
    tasks.run { [dependencies] in
      do throws(DBusError) {
        try await dependencies.desktop.send(command, to: player)
      } catch {
        send(.playerRefused("\(error)"))
      }
    }
  }

  /// The age at which a headphone's key is no longer what the person wants.
  private static let keyAge: Duration = .seconds(1)

  /// Passes a headphone's key on to a media player, after those before it.
  func press(_ command: PlayerCommand, _ player: MediaPlayer, _ send: @escaping Send) {
    let previous = presses
    let stopwatch = ElapsedClock(dependencies.clock)
    let pressed = stopwatch.elapsed
    presses = Task { [dependencies] in
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

  /// Leaves the keys of headphones to others while `body` stops the process or its main thread:
  /// bluetoothd would go on to send them here, and they would all count afterwards.
  public func withoutKeys(_ body: @MainActor () -> Void) async {
    guard joinsDesktop, offer != .withdrawn else { return body() }
    let offer = offer
    offerPlayer(.withdrawn)
    await waitAtMost(.seconds(1), by: dependencies.clock) { [offering] in await offering?.value }
    body()
    if self.offer == .withdrawn { offerPlayer(offer) }
  }

  /// Gives the charges to the desktop; a process for one command would only make them flicker.
  func shareCharges(_ charges: [HeadphoneCharge]) {
    guard joinsDesktop else { return }
    let previous = sharing
    sharing = Task { [dependencies] in
      await previous?.value
      await dependencies.radio.shareCharges(charges)
    }
  }

  /// Switches the adapter, after the end of the links if that is off.
  public func setPower(_ isOn: Bool) async throws(RadioError) { try await links.setPower(isOn) }

  /// Switches the adapter; success shows as a change of the adapter.
  ///
  /// A failure is answered by ``/Companion/Action/powerFailed(_:advice:)``.
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
  /// Pairs a headphone that has an audio side only.
  ///
  /// A pairing of the same headphone that is under way is ended first. Answered by
  /// `pairing(.audioEnded)`.
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
