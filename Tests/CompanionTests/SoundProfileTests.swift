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

  private func modes(_ active: String) -> [SoundMode] {
    Self.profiles.map { SoundMode(profile: $0, codec: nil, isActive: $0.name == active) }
  }

  @Test func `O lists what there is, and Enter switches to the line's`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(received(.a2dp))
    scenario.press(.switchProfile) {
      $0.dialog = .soundChoice(
        SoundChoice(headphone: ear, options: .modes(modes("a2dp-sink")), line: 0))
    }
    scenario.given(.pressed(.down), .pressed(.down))
    scenario.press(
      .accept,
      effects: [.audio(.setProfile(card: "bluez_card.ear", profile: "headset-head-unit"))]
    ) { $0.dialog = nil }
  }

  @Test func `the cursor begins at what is in force, and Enter there changes nothing`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(received(.handsFree), .pressed(.switchProfile))
    scenario.press(.accept) { $0.dialog = nil }
  }

  @Test func `a card that went while the list was open is not switched`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(received(.a2dp), .pressed(.switchProfile), .pressed(.down))
    scenario.given(sound(to: "alsa_output.pci", speakers))
    scenario.press(.accept, effects: [.noticeTimer]) {
      $0.dialog = nil
      $0.says("its audio device is gone", ear)
    }
  }

  @Test func `codecs that are chosen apart stand in the place of their profile`() {
    var card = card(in: "a2dp-sink")
    card.codecs = ["sbc", "sbc_xq_552"].map { CardCodec(name: $0, description: $0) }
    card.activeCodec = "sbc"
    #expect(
      card.modes.map(\.displayText) == [
        "music, SBC", "music, SBC-XQ 552 kbit/s", "calls (microphone, telephone quality)",
      ])
    #expect(card.modes.map(\.isActive) == [true, false, false])
    #expect(
      card.modes[1].command(on: card) == .setCodec(card: "bluez_card.ear", codec: "sbc_xq_552"))
  }

  @Test(arguments: [
    ("music", ["a2dp-sink"]), ("CALLS", ["headset-head-unit"]), ("off", ["off"]),
    ("sbc", ["a2dp-sink-sbc"]), ("sbc-x", ["a2dp-sink-sbc_xq"]),
    ("msbc", ["headset-head-unit-msbc"]),
    ("a2dp-sink", ["a2dp-sink"]), ("headset-head-unit-", ["headset-head-unit-msbc"]),
    ("a2dp", ["a2dp-sink", "a2dp-sink-sbc", "a2dp-sink-sbc_xq"]), ("", []), ("opus", []),
  ])
  func `a mode is meant by its kind, its codec or the server's name`(
    words: String, meant: [String]
  ) {
    let names = [
      "a2dp-sink", "a2dp-sink-sbc", "a2dp-sink-sbc_xq", "headset-head-unit",
      "headset-head-unit-msbc", "off",
    ]
    let profiles =
      names.map { CardProfile(name: $0, description: "") } + [
        CardProfile(name: "a2dp-sink-aac", description: "", isAvailable: false)
      ]
    let card = card(in: "a2dp-sink", profiles)
    #expect(card.modes(matching: words).map(\.name) == meant)
  }

  @Test func `what the server calls a codec is made displayable`() {
    #expect(codecText("a\u{1B}[31m") == displayable("A\u{1B}[31M"))
    #expect(codecText("ldac") == "LDAC")
  }

  @Test func `a card with one kind of profile has nothing to ask about`() {
    var scenario = Scenario.withHeadphone()
    let card = card(in: "a2dp-sink", [Self.profiles[0]])
    scenario.given(sound(to: "bluez_output.ear", bluetoothSink(), cards: [card]))
    scenario.press(.switchProfile, effects: [.noticeTimer]) {
      $0.explains("no other profile is available", ear)
    }
  }

  @Test func `call quality is noticed when it begins, and its end is reported`() {
    var scenario = Scenario.withHeadphone()
    let music = received(.a2dp)
    let call = received(.handsFree)
    scenario.given(music)
    scenario.send(call, effects: [.noticeTimer]) {
      $0.audio = observation(call)
      $0.usesSound(.handsFree)
      $0.logs(.info, ear, "profile: music (A2DP), SBC to calls (HFP), SBC", sound: .profile)
      $0.says(
        "call quality audio: an open microphone keeps music from its full quality", ear,
        remedy: .switchProfile)
    }
    scenario.send(call)
    scenario.send(music) {
      $0.audio = observation(music)
      $0.usesSound(.a2dp)
      $0.logs(.info, ear, "profile: calls (HFP), SBC to music (A2DP), SBC", sound: .profile)
      $0.logs(.info, ear, "music quality again")
    }
  }

  @Test func `the situation says that it is a call`() throws {
    var scenario = Scenario.withReady()
    scenario.given(received(.handsFree))
    let ready = try #require(scenario.state.headphones.selected)
    let situation = scenario.state.situation(of: ready)
    #expect(situation.text == "sound and controls are working, in call quality")
    #expect(situation.remedies == [.microphone, .switchProfile])
  }

  private func observation(_ action: Action) -> AudioObservation {
    guard case .audio(let observation) = action else { return .unavailable(.notStarted) }
    return observation
  }
}
