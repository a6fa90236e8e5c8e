import AudioRoute
import BluetoothCodec
import Companion
import HeadphoneProtocols
import Testing

@Suite struct SoundPinTests {
  private let usb = AudioSink(
    name: "alsa_output.usb", description: "USB Audio", volume: 50, activity: .idle)

  private func pinned(to id: String) -> HeadphoneState {
    var headphone = HeadphoneState(
      KnownHeadphone(
        id: ear, name: "Ear (a)",
        address: PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .random),
        publicAddress: "F0:F1:F2:F3:F4:F5"))
    headphone.soundPin = SoundDevice.ID(id)
    return headphone
  }

  @Test func `devices are cards with their sinks, then Bluetooth sinks, then others`() {
    let card = AudioCard(
      name: "bluez_card.ear", description: "Ear", address: "f0:f1:f2:f3:f4:f5",
      activeProfile: "a2dp-sink", profiles: [])
    var alone = bluetoothSink("00:00:00:00:00:02", named: "Alone")
    alone.name = "bluez_output.alone"
    alone.card = nil
    let snapshot = AudioSnapshot(
      serverName: "", serverVersion: "", defaultSink: nil,
      sinks: [speakers, alone, bluetoothSink()], cards: [card])
    #expect(
      snapshot.devices.map(\.id.text) == [
        "F0:F1:F2:F3:F4:F5", "00:00:00:00:00:02", "alsa_output.pci",
      ])
    #expect(snapshot.devices.first?.sink == bluetoothSink())
    #expect(snapshot.devices.map(\.isBluetooth) == [true, true, false])
  }

  @Test func `a pin counts before every rule`() {
    var scenario = Scenario()
    scenario.given(sound(to: nil, bluetoothSink(), usb))
    let match = scenario.state.audioMatch(for: pinned(to: "alsa_output.usb"))
    #expect(match?.sink == usb && match?.rule == .pinned && match?.isCertain == true)
  }

  @Test func `while the pinned device is away no other is taken for it`() {
    var scenario = Scenario()
    scenario.given(sound(to: nil, bluetoothSink()))
    #expect(scenario.state.audioMatch(for: pinned(to: "alsa_output.usb")) == nil)
  }

  @Test func `Enter on the information page opens the list, and Enter there pins`() throws {
    var scenario = Scenario.withHeadphone()
    scenario.given(sound(to: nil, bluetoothSink("00:00:00:00:00:01", named: "Other"), usb))
    scenario.given(.pressed(.info))
    let devices = try #require(scenario.state.sound?.devices)
    scenario.press(.accept) {
      $0.dialog = .soundChoice(SoundChoice(headphone: ear, options: .devices(devices)))
    }
    scenario.given(.pressed(.down), .pressed(.down), .pressed(.down))
    var known = KnownHeadphone(
      id: ear, name: "Ear (a)",
      address: PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .random))
    known.soundPin = SoundDevice.ID("alsa_output.usb")
    scenario.press(.accept, effects: [.noticeTimer, .keep(.soundPin, of: known)]) {
      $0.dialog = nil
      $0.headphones.update(ear) { $0.soundPin = SoundDevice.ID("alsa_output.usb") }
      $0.says("audio output set to USB Audio", ear)
    }
    #expect(infoLine(scenario.state) == "USB Audio (certain: your choice)")

    scenario.given(.pressed(.accept))
    #expect(line(scenario.state.dialog) == 2)
    scenario.given(.pressed(.top))
    known.soundPin = nil
    scenario.press(.accept, effects: [.noticeTimer, .keep(.soundPin, of: known)]) {
      $0.dialog = nil
      $0.headphones.update(ear) { $0.soundPin = nil }
      $0.says("audio output is matched automatically again", ear)
    }
  }

  @Test func `the list can be left, and choosing what is so already keeps nothing`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(sound(to: nil, usb), .pressed(.info), .pressed(.accept), .pressed(.down))
    scenario.press(.back) { $0.dialog = nil }
    scenario.given(.pressed(.accept))
    scenario.press(.accept) { $0.dialog = nil }
  }

  @Test func `without a sound server there is nothing to choose from`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(.audio(.unavailable(.noServer)), .pressed(.info))
    scenario.press(.accept, effects: [.noticeTimer]) {
      $0.says("no audio outputs to choose from: no sound server", ear)
    }
  }

  @Test func `what was pinned in an earlier run is known in this one`() {
    var scenario = Scenario()
    scenario.given(
      .launched(
        [
          KnownHeadphone(
            id: ear, name: "Ear",
            address: PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .random),
            soundPin: SoundDevice.ID("alsa_output.usb"))
        ], autoConnect: .never), sound(to: "alsa_output.pci", speakers))
    #expect(scenario.state.headphones[ear]?.soundPin?.text == "alsa_output.usb")
    #expect(infoLine(scenario.state) == "alsa_output.usb (your choice, not there now)")
  }

  private func infoLine(_ state: State) -> String? {
    state.infoLines.first { $0.label == "Audio device" }?.value
  }

  private func line(_ dialog: Dialog?) -> Int? {
    guard case .soundChoice(let choice) = dialog else { return nil }
    return choice.line
  }
}

extension State {
  fileprivate var sound: AudioSnapshot? {
    guard case .running(let sound) = audio else { return nil }
    return sound
  }
}
