import AudioRoute
import Companion
import HeadphoneProtocols
import Testing

@Suite struct SoundProfileTests {
  private static let profiles = [
    CardProfile(name: "a2dp-sink", description: "Music"),
    CardProfile(name: "headset-head-unit", description: "Calls"),
  ]

  private func card(in profile: String, _ profiles: [CardProfile] = profiles) -> AudioCard {
    AudioCard(
      name: "bluez_card.ear", description: "Ear (a)", address: "F0:F1:F2:F3:F4:F5",
      activeProfile: profile, profiles: profiles)
  }

  private func received(_ profile: AudioProfile) -> Action {
    var sink = bluetoothSink()
    sink.bluetooth?.profile = profile
    let name = profile == .handsFree ? "headset-head-unit" : "a2dp-sink"
    return sound(to: "bluez_output.ear", sink, cards: [card(in: name)])
  }

  @Test(arguments: [
    (AudioProfile.a2dp, AudioProfile.handsFree, "headset-head-unit"),
    (.handsFree, .a2dp, "a2dp-sink"),
  ])
  func `O asks, and after Yes switches to the other kind`(
    now: AudioProfile, wanted: AudioProfile, profile: String
  ) {
    var scenario = Scenario.withHeadphone()
    scenario.given(received(now))
    scenario.press(.switchProfile) {
      $0.dialog = .question(Question(.switchProfile(ear, to: wanted)))
    }
    scenario.given(.pressed(.right))
    scenario.press(
      .accept, effects: [.audio(.setProfile(card: "bluez_card.ear", profile: profile))]
    ) { $0.dialog = nil }
  }

  @Test func `Enter alone means No`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(received(.a2dp), .pressed(.switchProfile))
    scenario.press(.accept) { $0.dialog = nil }
  }

  @Test func `a card that went while the question was open is not switched`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(received(.a2dp), .pressed(.switchProfile), .pressed(.right))
    scenario.given(sound(to: "alsa_output.pci", speakers))
    scenario.press(.accept, effects: [.noticeTimer]) {
      $0.dialog = nil
      $0.says("its audio device is gone", ear)
    }
  }

  @Test func `a card with one kind of profile has nothing to ask about`() {
    var scenario = Scenario.withHeadphone()
    let card = card(in: "a2dp-sink", [Self.profiles[0]])
    scenario.given(sound(to: "bluez_output.ear", bluetoothSink(), cards: [card]))
    scenario.press(.switchProfile, effects: [.noticeTimer]) {
      $0.says("no other profile is available", ear)
    }
  }

  @Test func `call quality is noticed when it begins, and its end is reported`() {
    var scenario = Scenario.withHeadphone()
    let music = received(.a2dp)
    let call = received(.handsFree)
    scenario.given(music)
    scenario.send(call, effects: [.noticeTimer]) {
      $0.audio = observation(call)
      $0.says(
        "call quality audio: the microphone is open, which takes the music's quality", ear,
        remedy: .switchProfile)
    }
    scenario.send(call)
    scenario.send(music) {
      $0.audio = observation(music)
      $0.logs(.info, ear, "music quality again")
    }
  }

  @Test func `the situation says that it is a call`() throws {
    var scenario = Scenario.withReady()
    scenario.given(received(.handsFree))
    let ready = try #require(scenario.state.headphones.selected)
    let situation = scenario.state.situation(of: ready)
    #expect(situation.text == "sound and controls are working, in call quality")
    #expect(situation.remedies == [.switchProfile])
  }

  private func observation(_ action: Action) -> AudioObservation {
    guard case .audio(let observation) = action else { return .unavailable(.notStarted) }
    return observation
  }
}
