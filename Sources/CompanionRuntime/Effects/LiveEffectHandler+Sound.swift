internal import Bluetooth
internal import BluetoothCodec
internal import Companion

extension LiveEffectHandler {
  /// Connects a headphone's audio profiles; the resulting device is reported by the sound server.
  func connectSound(_ id: HeadphoneID, _ address: String, _ send: @escaping Send) {
    guard let address = BluetoothAddress(address) else { return }
    Task { [world, links] in
      let event: SoundLinkEvent
      do throws(AudioLinkError) {
        try await world.radio.connectAudio(address)
        event = .connected
      } catch {
        event = .failed("\(error)", advice: error.advice)
      }
      send(.soundLink(links.name(of: id), event))
    }
  }

  func setPower(_ isOn: Bool, _ send: @escaping Send) {
    Task { [world] in
      do throws(RadioError) {
        try await world.radio.setPower(isOn)
      } catch {
        send(.powerFailed("\(error)", advice: error.advice))
      }
    }
  }
}

extension ConnectionManager {
  /// Pairs a headphone that has an audio side only.
  func pairSound(_ id: HeadphoneID, _ address: String, send: @escaping Send) {
    let previous = pairings[id]
    previous?.cancel()
    pairings[id] = Task { [world] in
      await previous?.value
      let failure = await world.pairAudio(address)
      send(.pairing(.audioEnded(name(of: id), failure)))
    }
  }
}
