import AudioRoute
import HeadphoneProtocols
import Testing

@testable import Companion

@Suite struct SceneTests {
  private let desk = Scene(
    name: "desk",
    wishes: [
      .init(.noiseMode, "transparency"), .init(.ambientLevel, "7"),
      .init(.equaliserPreset, "bass-boost"), .init(.wearDetection, "on"),
    ])

  private func scenario(_ scenes: Scene...) -> Scenario {
    var scenario = Scenario.withReady()
    scenario.given(.configured(\.scenes, scenes))
    return scenario
  }

  private func commands(_ effects: [Effect]) -> [HeadphoneCommand] {
    effects.compactMap { if case .perform(_, let command, _) = $0 { command } else { nil } }
  }

  private func audioCommands(_ effects: [Effect]) -> [AudioCommand] {
    effects.compactMap { if case .audio(let command) = $0 { command } else { nil } }
  }

  @Test
  func `a key sets everything that differs, in the order of the file, and shows it as pending`() {
    var scenario = scenario(desk)
    let effects = scenario.effects(of: .pressed(.scene(1)))
    #expect(
      commands(effects) == [
        .setANC(.transparency), .setANCLevel(7), .setEQ(.bassBoost),
        .set(.wearDetection, .toggle(true)),
      ])
    #expect(scenario.state.headphones[ear]?.anc.pending == .transparency)
    #expect(scenario.state.headphones[ear]?.ancLevel.pending == 7)
    #expect(scenario.state.notice?.text == "Scene desk")
  }

  @Test func `what is so already is left alone`() {
    var scenario = scenario(
      Scene(name: "quiet", wishes: [.init(.noiseMode, "nc"), .init(.equaliserPreset, "flat")]))
    #expect(commands(scenario.effects(of: .pressed(.scene(1)))) == [])
  }

  @Test func `what the headphone lacks is left out, and said`() {
    var able = allFeatures
    able.hasANCLevel = false
    var scenario = Scenario.withReady(able)
    scenario.given(.configured(\.scenes, [desk]))
    #expect(commands(scenario.effects(of: .pressed(.scene(1)))).count == 3)
    #expect(scenario.state.notice?.text == "Scene desk applied, except ambient level 7")
  }

  @Test func `a setting of one family works as one of the standard`() {
    var able = allFeatures
    able.settings.append(
      SettingDeclaration(
        "speak-to-chat", .toggle, title: "Speak to chat", label: "Talk", group: .noise))
    var scenario = Scenario.withReady(able)
    scenario.given(
      .configured(\.scenes, [Scene(name: "talk", wishes: [.init("speak-to-chat", "on")])]))
    #expect(
      commands(scenario.effects(of: .pressed(.scene(1)))) == [
        .set("speak-to-chat", .toggle(true))
      ])
  }

  @Test func `the sound goes to the output, even without a connected headphone`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(
      .configured(\.scenes, [Scene(name: "loud", output: "speak")]),
      sound(to: "bluez_output.ear", bluetoothSink(), speakers))
    #expect(
      audioCommands(scenario.effects(of: .pressed(.scene(1)))) == [.route(sink: "alsa_output.pci")])
  }

  @Test func `headphone is the selected headphone's own output`() {
    var scenario = scenario(Scene(name: "here", output: Scene.headphone))
    scenario.given(
      sound(to: "alsa_output.pci", bluetoothSink("F0:F1:F2:F3:F4:F5"), speakers),
      .soundPinned(ear, SoundDevice.ID("F0:F1:F2:F3:F4:F5")))
    #expect(
      audioCommands(scenario.effects(of: .pressed(.scene(1)))) == [.route(sink: "bluez_output.ear")]
    )
  }

  @Test func `a scene applies by itself when the sound moves to its output, and only then`() {
    var scenario = scenario(
      Scene(name: "away", wishes: [.init(.noiseMode, "off")], when: "speak"),
      Scene(name: "here", wishes: [.init(.noiseMode, "transparency")], when: Scene.headphone))
    let here = sound(
      to: "bluez_output.ear", bluetoothSink("F0:F1:F2:F3:F4:F5"), speakers)
    let away = sound(to: "alsa_output.pci", bluetoothSink("F0:F1:F2:F3:F4:F5"), speakers)
    scenario.given(.soundPinned(ear, SoundDevice.ID("F0:F1:F2:F3:F4:F5")))
    #expect(commands(scenario.effects(of: here)) == [])
    #expect(commands(scenario.effects(of: away)) == [.setANC(.off)])
    #expect(scenario.state.notice?.text == "Scene away")
    #expect(commands(scenario.effects(of: away)) == [])
    // It follows what is still under way.
    _ = scenario.effects(of: here)
    #expect(scenario.state.headphones[ear]?.anc.shown == .transparency)
  }

  @Test func `without a connected headphone no scene applies by itself`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(
      .configured(
        \.scenes, [Scene(name: "away", wishes: [.init(.noiseMode, "off")], when: "speak")]),
      sound(to: "bluez_output.ear", bluetoothSink(), speakers))
    #expect(scenario.effects(of: sound(to: "alsa_output.pci", bluetoothSink(), speakers)) == [])
    #expect(scenario.state.notice == nil)
  }

  @Test func `a key without a scene says so`() {
    var scenario = scenario(desk)
    #expect(commands(scenario.effects(of: .pressed(.scene(3)))) == [])
    #expect(scenario.state.notice?.text == "There is no scene 3")
    scenario.given(.configured(\.scenes, []), .pressed(.scene(1)))
    #expect(scenario.state.notice?.text.hasPrefix("No scenes yet") == true)
  }

  @Test func `what is set now is a scene that sets it again`() {
    var scenario = Scenario.withReady()
    scenario.given(.headphone(ear, .ancLevelChanged(4)))
    let headphone = scenario.state.headphones[ear]
    let saved = headphone.map { Scene(name: "now", of: $0, output: "Speakers", profile: nil) }
    #expect(
      saved
        == Scene(
          name: "now",
          wishes: [
            .init(.noiseMode, "noise-cancelling"), .init(.ambientLevel, "4"),
            .init(.equaliserPreset, "balanced"),
          ], output: "Speakers"))
  }

  @Test func `a command of the command line that the headphone accepts is its value`() {
    var scenario = Scenario.withReady()
    scenario.given(.commandEnded(ear, .setANCLevel(3), CommandToken(rawValue: 0), .done))
    #expect(scenario.state.headphones[ear]?.ancLevel.confirmed == 3)
    scenario.given(
      .commandEnded(ear, .setANCLevel(9), CommandToken(rawValue: 0), .failed(.noResponse)))
    #expect(scenario.state.headphones[ear]?.ancLevel.confirmed == 3)
  }
}
