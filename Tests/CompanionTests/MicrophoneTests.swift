import AudioRoute
import Companion
import HeadphoneProtocols
import Testing

@Suite struct MicrophoneTests {
  private static let profiles = [
    CardProfile(name: "a2dp-sink", description: "Music"),
    CardProfile(name: "headset-head-unit", description: "Calls"),
  ]
  private static let builtIn = AudioSource(name: "alsa_input.pci", description: "Built-in")

  private static func own(_ programs: String...) -> AudioSource {
    AudioSource(
      name: "bluez_input.ear", description: "Ear (a)", isBluetooth: true,
      address: "F0:F1:F2:F3:F4:F5", card: "bluez_card.ear", programs: programs)
  }

  private func sound(
    _ profile: AudioProfile, _ sources: [AudioSource], recording source: String?
  ) -> Action {
    var sink = bluetoothSink()
    sink.bluetooth?.profile = profile
    let card = AudioCard(
      name: "bluez_card.ear", description: "Ear (a)", address: "F0:F1:F2:F3:F4:F5",
      activeProfile: profile == .handsFree ? "headset-head-unit" : "a2dp-sink",
      profiles: Self.profiles)
    return .audio(
      .running(
        AudioSnapshot(
          serverName: "pulseaudio", serverVersion: "17.0", defaultSink: sink.name, sinks: [sink],
          cards: [card], defaultSource: source, sources: sources)))
  }

  private func call(_ programs: String...) -> Action {
    var own = Self.own()
    own.programs = programs
    return sound(.handsFree, [Self.builtIn, own], recording: own.name)
  }

  @Test func `M frees the headphone's microphone, and music has its quality again`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(call("Zoom"))
    scenario.press(.microphone, effects: [.cancelTimer(.notice)]) {
      $0.notice = nil
      $0.dialog = .soundChoice(
        SoundChoice(
          headphone: ear,
          options: .microphones([
            Microphone(source: Self.builtIn, isDefault: false, isOwn: false),
            Microphone(source: Self.own("Zoom"), isDefault: true, isOwn: true),
          ]), line: 0))
    }
    scenario.press(
      .accept,
      effects: [
        .audio(.record(source: "alsa_input.pci")),
        .audio(.setProfile(card: "bluez_card.ear", profile: "a2dp-sink")),
      ]
    ) {
      $0.dialog = nil
      $0.logs(.info, nil, "microphone: Built-in")
    }
  }

  @Test func `the headphone's own microphone keeps its profile`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(call("Zoom"), .pressed(.microphone), .pressed(.down))
    scenario.press(.accept, effects: [.audio(.record(source: "bluez_input.ear"))]) {
      $0.dialog = nil
      $0.logs(.info, nil, "microphone: Ear (a)")
    }
  }

  @Test func `the program that opened it is named, once it is known`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(sound(.a2dp, [Self.builtIn], recording: Self.builtIn.name))
    scenario.given(call())
    #expect(scenario.state.notice?.remedy == .switchProfile)
    scenario.given(call("Zoom"))
    #expect(
      scenario.state.notice
        == Notice(
          "call quality audio: Zoom has opened the headphone's microphone", remedy: .microphone))
    #expect(scenario.effects(of: call("Zoom")).isEmpty)
    #expect(
      scenario.state.microphoneText(of: scenario.state.headphones.selected)?.text
        == "this headphone, open: Zoom")
  }

  @Test func `one that went while the list was open is not taken`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(call("Zoom"), .pressed(.microphone))
    scenario.given(sound(.handsFree, [Self.own()], recording: nil))
    scenario.press(.accept, effects: [.noticeTimer]) {
      $0.dialog = nil
      $0.says("that microphone is gone")
    }
  }

  @Test func `a machine without a microphone, and without a sound server`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(sound(.a2dp, [], recording: nil))
    scenario.press(.microphone, effects: [.noticeTimer]) {
      $0.explains("this machine has no microphone", ear)
    }
    scenario.given(.audio(.unavailable(.noServer)))
    scenario.press(.microphone, effects: [.noticeTimer]) {
      $0.explains("no microphone: no sound server", ear)
    }
  }
}
