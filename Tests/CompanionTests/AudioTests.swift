import AudioRoute
import BluetoothCodec
import Companion
import HeadphoneProtocols
import Testing

@Suite struct AudioTests {
  private func state(_ scenario: Scenario, hearing sound: Action) -> State {
    var scenario = scenario
    scenario.given(sound)
    return scenario.state
  }

  private func rule(_ state: State) -> AudioMatch.Rule? {
    state.headphones.selected.flatMap { state.audioMatch(for: $0)?.rule }
  }

  @Test func `the public address decides first`() {
    let received = peripheral(ear, address: "C0:00:00:00:00:01", publicAddress: "F0:F1:F2:F3:F4:F5")
    let state = state(.withHeadphone(received), hearing: sound(to: nil, bluetoothSink(named: "?")))
    #expect(rule(state) == .publicAddress)
  }

  @Test func `then one public address on both links`() {
    var received = peripheral(ear)
    received.address = PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .public)
    let state = state(.withHeadphone(received), hearing: sound(to: nil, bluetoothSink(named: "?")))
    #expect(rule(state) == .sameAddress)
  }

  @Test func `then a name that only one of each has, and that is only likely`() {
    let state = state(
      .withHeadphone(), hearing: sound(to: nil, bluetoothSink(named: " ear  (A) "), speakers))
    #expect(rule(state) == .uniqueName)
    #expect(state.headphones.selected.flatMap { state.audioMatch(for: $0)?.isCertain } == false)
  }

  @Test func `two headphones of one name are not mixed up`() {
    let state = state(
      .withHeadphone(peripheral(ear), peripheral(bud)), hearing: sound(to: nil, bluetoothSink()))
    #expect(rule(state) == nil)
  }

  @Test func `two sound devices of one name are not mixed up`() {
    var other = bluetoothSink("00:00:00:00:00:02")
    other.name = "bluez_output.other"
    let state = state(.withHeadphone(), hearing: sound(to: nil, bluetoothSink(), other))
    #expect(rule(state) == nil)
  }

  @Test func `another address outweighs an equal name`() {
    let state = state(
      .withHeadphone(peripheral(ear, publicAddress: "00:00:00:00:00:09")),
      hearing: sound(to: nil, bluetoothSink()))
    #expect(rule(state) == nil)
  }

  @Test func `a sink that is not Bluetooth never matches`() {
    var sink = bluetoothSink()
    sink.bluetooth = nil
    #expect(rule(state(.withHeadphone(), hearing: sound(to: nil, sink))) == nil)
  }

  @Test(arguments: [
    (sound(to: "bluez_output.ear", bluetoothSink(), speakers), RouteState.Name.connected),
    (sound(to: "alsa_output.pci", bluetoothSink(), speakers), .notRouted),
    (sound(to: nil, bluetoothSink()), .notRouted),
    (
      sound(
        to: "alsa_output.pci", speakers,
        cards: [
          AudioCard(
            name: "bluez_card.ear", description: "Ear (a)", address: nil, activeProfile: "off",
            profiles: [])
        ]), .notRouted
    ),
    (sound(to: "alsa_output.pci", speakers), .none),
    (Action.audio(.unavailable(.noServer)), .unknown),
  ])
  func `the route has four states`(sound: Action, name: RouteState.Name) throws {
    let state = state(.withHeadphone(), hearing: sound)
    let headphone = try #require(state.headphones.selected)
    #expect(state.route(of: headphone).name == name)
  }

  @Test func `both links are reported in one sentence with the key that helps`() throws {
    let here = sound(to: "bluez_output.ear", bluetoothSink(), speakers)
    let elsewhere = sound(to: "alsa_output.pci", bluetoothSink(), speakers)
    let away = sound(to: "alsa_output.pci", speakers)
    let reported = try [
      (Scenario.withReady(), here), (.withReady(), elsewhere), (.withReady(), away),
      (.withHeadphone(), here), (.withHeadphone(), elsewhere), (.withHeadphone(), away),
    ].map { scenario, sound in
      let state = state(scenario, hearing: sound)
      return state.situation(of: try #require(state.headphones.selected))
    }
    #expect(
      reported.map(\.text) == [
        "sound and controls are working",
        "controls work; audio goes to Speakers",
        "controls work, but audio isn't connected",
        "audio is on this headphone; controls not connected",
        "audio goes to Speakers; controls not connected",
        "not connected",
      ])
    #expect(
      reported.map(\.remedies) == [
        [], [.routeSound], [], [.connectOrDisconnect], [.routeSound, .connectOrDisconnect],
        [.connectOrDisconnect],
      ])
  }

  @Test func `o routes the sound to the headphone`() {
    var scenario = Scenario.withReady()
    scenario.given(sound(to: "alsa_output.pci", bluetoothSink(), speakers))
    scenario.press(.routeSound, effects: [.audio(.route(sink: "bluez_output.ear"))])
    scenario.given(sound(to: "bluez_output.ear", bluetoothSink(), speakers))
    scenario.press(.routeSound, effects: [.noticeTimer]) {
      $0.says("already playing here", ear)
    }
  }

  @Test func `o without a headphone says that there is none, not that there is no volume`() {
    var scenario = Scenario.withAdapter()
    #expect(scenario.effects(of: .pressed(.routeSound)) == [.noticeTimer])
    #expect(scenario.state.notice == Notice("no headphone yet", remedy: .scan, isAnswer: true))
  }

  @Test func `every output can be chosen, the headphone's own first, and all stay in their places`()
  {
    var scenario = Scenario.withReady()
    let others = (1...12).map {
      AudioSink(name: "hdmi\($0)", description: "HDMI \($0)", volume: 50, activity: .idle)
    }
    let sound = AudioSnapshot(
      serverName: "PulseAudio", serverVersion: "16", defaultSink: "alsa_output.pci",
      sinks: [speakers, bluetoothSink()] + others)
    scenario.given(.audio(.running(sound)))
    let rows = [AudioRow.volume, .output(speakers.name)] + others.map { .output($0.name) }
    #expect(scenario.state.audioRows == rows)
    #expect(scenario.state.volumeOutput?.name == "bluez_output.ear")
    scenario.given(.pointed(.panel(.audio)), .pressed(.bottom))
    #expect(scenario.effects(of: .pressed(.accept)) == [.audio(.route(sink: "hdmi12"))])
    var moved = sound
    moved.defaultSink = "hdmi12"
    scenario.given(.audio(.running(moved)))
    #expect(scenario.state.audioRows == rows && scenario.state.audioCursor == rows.last)
  }

  @Test func `a volume above 100 % is lowered and not raised`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(sound(to: "bluez_output.ear", bluetoothSink(volume: 130)))
    scenario.press(.raise, effects: [])
    scenario.press(
      .lower, effects: [.audio(.setVolume(sink: "bluez_output.ear", percent: 125))])
  }

  @Test func `volume and mute act on the headphone's sink, else on the output`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(sound(to: "alsa_output.pci", bluetoothSink(), speakers))
    scenario.press(
      .raise, effects: [.audio(.setVolume(sink: "bluez_output.ear", percent: 65))])
    scenario.given(sound(to: "alsa_output.pci", speakers))
    scenario.press(
      .lower, effects: [.audio(.setVolume(sink: "alsa_output.pci", percent: 35))])
    scenario.press(
      .toggleMute, effects: [.audio(.setMute(sink: "alsa_output.pci", isMuted: true))])
  }

  @Test func `without a sound server the keys say so`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(.audio(.unavailable(.noServer)))
    scenario.press(.raise, effects: [.noticeTimer]) {
      $0.explains("no volume: no sound server", ear)
    }
  }

  @Test func `a volume that bluetoothd keeps for itself has its reason`() {
    var described = description(of: allFeatures)
    described.isVolumeWithheld = true
    var scenario = Scenario.withReady()
    scenario.given(.audio(.unavailable(.noServer)), .headphone(ear, .described(described)))
    scenario.press(.raise, effects: [.noticeTimer]) {
      $0.explains(
        "bluetoothd holds the link, and keeps the headphone's volume for itself", ear)
    }
  }
}
