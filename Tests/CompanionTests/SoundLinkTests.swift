import AudioRoute
import BluetoothCodec
import BluetoothRadio
import HeadphoneProtocols
import Testing

@testable import Companion

/// One key from silence to music, and headphones that offer sound alone.
@Suite struct SoundLinkTests {
  private static let address = "F0:F1:F2:F3:F4:F5"

  /// A headphone whose audio side is known, and a sound server without a device for it.
  private func silent(isAudioOnly: Bool = false) -> Scenario {
    var received = peripheral(ear, publicAddress: Self.address)
    received.isAudioOnly = isAudioOnly
    if isAudioOnly { received.address.kind = .classic }
    var scenario = Scenario.withHeadphone(received)
    scenario.given(sound(to: speakers.name, speakers))
    return scenario
  }

  @Test func `with the sound link down the key makes it, and the sound goes there`() {
    var scenario = silent()
    scenario.send(
      .pressed(.routeSound),
      effects: [.noticeTimer, .connectSound(ear, address: Self.address)]
    ) {
      $0.headphones.update(ear) { $0.isSoundWanted = true }
      $0.says("connecting the sound of Ear (a)", ear)
    }
    scenario.send(
      .soundLink(ear, .connected), effects: [.startTimer(.sound(ear), .exactly(.seconds(1)))])
    let effects = scenario.effects(of: sound(to: speakers.name, speakers, bluetoothSink()))
    #expect(effects.contains(.audio(.route(sink: "bluez_output.ear"))))
    #expect(effects.contains(.cancelTimer(.sound(ear))))
    #expect(scenario.state.headphones[ear]?.isSoundWanted == false)
  }

  @Test func `the sound server may be quicker than the word of the link`() {
    var scenario = silent()
    scenario.given(.pressed(.routeSound))
    let effects = scenario.effects(of: sound(to: speakers.name, speakers, bluetoothSink()))
    #expect(effects.contains(.audio(.route(sink: "bluez_output.ear"))))
    scenario.send(.soundLink(ear, .connected))
  }

  @Test func `a sound that comes by itself is not taken there`() {
    var scenario = silent()
    let effects = scenario.effects(of: sound(to: speakers.name, speakers, bluetoothSink()))
    #expect(!effects.contains(.audio(.route(sink: "bluez_output.ear"))))
  }

  @Test func `why it did not come up is told with what to do`() {
    var scenario = silent()
    scenario.given(.pressed(.routeSound))
    scenario.given(
      .soundLink(ear, .failed("its audio side does not answer", advice: "bring it near")))
    #expect(scenario.state.problem?.text == "Ear (a): its audio side does not answer")
    #expect(scenario.state.problem?.advice == "bring it near")
    #expect(scenario.state.headphones[ear]?.isSoundWanted == false)
  }

  @Test func `a link without a device is not waited for for ever`() {
    var scenario = silent()
    scenario.given(.pressed(.routeSound), .soundLink(ear, .connected))
    scenario.send(
      .timerFired(.sound(ear)), effects: [.startTimer(.sound(ear), .exactly(.seconds(10)))]
    ) { $0.headphones.update(ear) { $0.soundAttempt = .profile } }
    scenario.send(
      .timerFired(.sound(ear)), effects: [.connectSound(ear, address: Self.address)]
    ) { $0.headphones.update(ear) { $0.soundAttempt = .linkAgain } }
    scenario.given(.soundLink(ear, .connected), .timerFired(.sound(ear)))
    #expect(scenario.state.problem?.text.contains("no device") == true)
    #expect(scenario.state.headphones[ear]?.isSoundWanted == false)
    scenario.send(.timerFired(.sound(ear)))
  }

  @Test func `a link that ended while the device was awaited is told with its reason`() {
    var scenario = silent()
    scenario.given(
      .pressed(.routeSound), .soundLink(ear, .connected), .timerFired(.sound(ear)),
      .timerFired(.sound(ear)),
      .soundLink(ear, .failed("bluetoothd is not running; sound needs it", advice: "start it")))
    #expect(
      scenario.state.problem?.text == "Ear (a): bluetoothd is not running; sound needs it")
    #expect(scenario.state.headphones[ear]?.isSoundWanted == false)
  }

  /// A card whose profile is off, as PulseAudio keeps it while calls alone are connected.
  private func off(isMusicThere: Bool) -> Action {
    let music = CardProfile(name: "a2dp_sink", description: "Music", isAvailable: isMusicThere)
    return sound(
      to: speakers.name, speakers,
      cards: [
        AudioCard(
          name: "card", description: "Ear", address: Self.address, activeProfile: "off",
          profiles: [music, CardProfile(name: "off", description: "Off")])
      ])
  }

  @Test func `a profile that is off is switched on, and the sound goes there`() {
    var scenario = silent()
    scenario.given(off(isMusicThere: true))
    scenario.send(
      .pressed(.routeSound),
      effects: [
        .audio(.setProfile(card: "card", profile: "a2dp_sink")),
        .startTimer(.sound(ear), .exactly(.seconds(10))),
      ]
    ) {
      $0.headphones.update(ear) {
        $0.isSoundWanted = true
        $0.soundAttempt = .profile
      }
    }
    let effects = scenario.effects(of: sound(to: speakers.name, speakers, bluetoothSink()))
    #expect(effects.contains(.audio(.route(sink: "bluez_output.ear"))))
  }

  @Test func `with calls alone connected the music is connected, and its profile switched on`() {
    var scenario = silent()
    scenario.given(off(isMusicThere: false))
    #expect(
      scenario.effects(of: .pressed(.routeSound))
        .contains(.connectSound(ear, address: Self.address)))
    scenario.given(.soundLink(ear, .connected), off(isMusicThere: true))
    #expect(
      scenario.effects(of: .timerFired(.sound(ear)))
        .contains(.audio(.setProfile(card: "card", profile: "a2dp_sink"))))
  }

  /// A headphone that plays in call quality, as PipeWire leaves it while calls alone are connected.
  private func calls(
    isMusicThere: Bool, profile: AudioProfile = .handsFree, recording programs: [String] = []
  ) -> Action {
    var sink = bluetoothSink()
    sink.bluetooth?.profile = profile
    let music = CardProfile(name: "a2dp-sink", description: "Music", isAvailable: isMusicThere)
    let isCall = profile == .handsFree
    let card = AudioCard(
      name: "card", description: "Ear", address: Self.address,
      activeProfile: isCall ? "headset-head-unit" : "a2dp-sink",
      profiles: [music, CardProfile(name: "headset-head-unit", description: "Calls")])
    let source = AudioSource(
      name: "bluez_input.ear", description: "Ear", isBluetooth: true, address: Self.address,
      card: "card", programs: programs)
    return .audio(
      .running(
        AudioSnapshot(
          serverName: "PipeWire", serverVersion: "1.0", defaultSink: sink.name, sinks: [sink],
          cards: [card], defaultSource: nil, sources: isCall ? [source] : [])))
  }

  @Test func `call quality that no program needs becomes music`() {
    var scenario = silent()
    scenario.given(calls(isMusicThere: true))
    let switching = AudioCommand.setProfile(card: "card", profile: "a2dp-sink")
    #expect(scenario.effects(of: .pressed(.routeSound)).contains(.audio(switching)))
    #expect(scenario.state.headphones[ear]?.isSoundWanted == true)
    scenario.given(calls(isMusicThere: true, profile: .a2dp))
    #expect(scenario.state.headphones[ear]?.isSoundWanted == false)
  }

  @Test func `with call quality alone the music is connected, and waited for`() {
    var scenario = silent()
    scenario.given(calls(isMusicThere: false))
    #expect(
      scenario.effects(of: .pressed(.routeSound))
        .contains(.connectSound(ear, address: Self.address)))
    scenario.given(.soundLink(ear, .connected))
    #expect(scenario.state.headphones[ear]?.isSoundWanted == true)
    scenario.given(calls(isMusicThere: true))
    #expect(
      scenario.effects(of: .timerFired(.sound(ear)))
        .contains(.audio(.setProfile(card: "card", profile: "a2dp-sink"))))
    scenario.given(.timerFired(.sound(ear)))
    #expect(scenario.state.problem?.text == "Ear (a): its sound stays in call quality")
  }

  @Test func `a call is left alone`() {
    var scenario = silent()
    scenario.given(calls(isMusicThere: true, recording: ["Zoom"]))
    let effects = scenario.effects(of: .pressed(.routeSound))
    #expect(!effects.contains { if case .audio = $0 { true } else { false } })
    #expect(scenario.state.headphones[ear]?.isSoundWanted == false)
  }

  @Test func `while it is made the key says so`() {
    var scenario = silent()
    scenario.given(.pressed(.routeSound))
    let effects = scenario.effects(of: .pressed(.routeSound))
    #expect(!effects.contains(.connectSound(ear, address: Self.address)))
  }

  @Test func `without its audio address the desktop is named`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(sound(to: speakers.name, speakers))
    let effects = scenario.effects(of: .pressed(.routeSound))
    #expect(
      effects.isEmpty || !effects.contains { if case .connectSound = $0 { true } else { false } })
    #expect(scenario.state.problem != nil)
  }

  // MARK: While it is being paired

  @Test func `the key waits for the pairing of the audio side`() {
    var scenario = silent(isAudioOnly: true)
    scenario.given(.pressed(.pair))
    let effects = scenario.effects(of: .pressed(.routeSound))
    #expect(!effects.contains(.connectSound(ear, address: Self.address)))
    #expect(scenario.state.notice?.text == "its sound is connected once it is paired")
    #expect(
      scenario.effects(of: .pairing(.audioEnded(ear, nil)))
        .contains(.connectSound(ear, address: Self.address)))
    #expect(scenario.state.headphones[ear]?.isSoundWanted == true)
  }

  @Test func `a pairing that fails leaves the sound alone, and so does the next one`() {
    var scenario = silent(isAudioOnly: true)
    scenario.given(
      .pressed(.pair), .pressed(.routeSound),
      .pairing(.audioEnded(ear, .security(.declined))), .pressed(.pair))
    let effects = scenario.effects(of: .pairing(.audioEnded(ear, nil)))
    #expect(!effects.contains(.connectSound(ear, address: Self.address)))
  }

  @Test func `with both sides to pair it waits for the last of them`() {
    var scenario = Scenario.withReady()
    scenario.given(
      .discovered(peripheral(ear, publicAddress: Self.address)),
      sound(to: speakers.name, speakers), .pressed(.pair), .pressed(.routeSound))
    #expect(
      !scenario.effects(of: .pairing(.ended(ear, nil)))
        .contains(.connectSound(ear, address: Self.address)))
    #expect(
      scenario.effects(of: .pairing(.audioEnded(ear, nil)))
        .contains(.connectSound(ear, address: Self.address)))
  }

  // MARK: Sound alone

  @Test func `a headphone of sound alone is listed, and not connected`() {
    var scenario = silent(isAudioOnly: true)
    #expect(scenario.state.headphones[ear]?.isAudioOnly == true)
    let effects = scenario.effects(of: .pressed(.connectOrDisconnect))
    #expect(!effects.contains(.connect(ear)))
    #expect(scenario.state.notice?.text.contains("its sound works") == true)
    scenario.given(.pressed(.routeSound))
    #expect(scenario.state.headphones[ear]?.isSoundWanted == true)
  }

  @Test func `it is paired without a control link, and remembered`() {
    var scenario = silent(isAudioOnly: true)
    #expect(
      scenario.effects(of: .pressed(.pair)).contains(.pairSound(ear, address: Self.address)))
    let effects = scenario.effects(of: .pairing(.audioEnded(ear, nil)))
    #expect(effects.contains { if case .remember = $0 { true } else { false } })
    #expect(scenario.state.notice?.text == "Ear (a) is paired")
  }

  @Test(arguments: [nil, noon])
  func `one of an earlier run is paired for its sound, unless it had a control link`(
    lastUsed: Timestamp?
  ) {
    var scenario = Scenario()
    let known = KnownHeadphone(
      id: ear, name: "Ear (a)", address: PeerAddress(peripheral(ear).address.address, .classic),
      publicAddress: Self.address, lastUsed: lastUsed)
    scenario.given(.launched([known], autoConnect: .never), .adapterChanged(hci0))
    let effects = scenario.effects(of: .pressed(.pair))
    #expect(effects.contains(.pairSound(ear, address: Self.address)) == (lastUsed == nil))
    #expect(effects.contains(.connect(ear)) == (lastUsed != nil))
  }

  @Test func `its LE side, heard later, makes it a whole one`() {
    var scenario = silent(isAudioOnly: true)
    scenario.given(.discovered(peripheral(ear, publicAddress: Self.address)))
    #expect(scenario.state.headphones[ear]?.isAudioOnly == false)
    #expect(scenario.effects(of: .pressed(.connectOrDisconnect)).contains(.connect(ear)))
  }

  @Test func `one that had a control link keeps it, whatever is found of it later`() {
    var scenario = Scenario.withReady()
    var inquiry = peripheral(ear, publicAddress: Self.address)
    inquiry.isAudioOnly = true
    scenario.given(.discovered(inquiry))
    #expect(scenario.state.headphones[ear]?.isAudioOnly == false)
    #expect(scenario.state.headphones[ear]?.isAdvertisingOnly == false)
  }

  // MARK: The adapter

  @Test func `the scan's key switches an adapter on that is off`() {
    var scenario = Scenario()
    scenario.given(.adapterChanged(.off(adapter: "hci0")))
    #expect(scenario.effects(of: .pressed(.scan)).contains(.setPower(true)))
    scenario.given(.powerFailed("no", advice: "do"))
    #expect(scenario.state.problem?.text == "no")
    #expect(scenario.effects(of: .adapterChanged(hci0)).contains(.startScan))
  }
}
