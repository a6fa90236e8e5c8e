import AudioRoute
import HeadphoneProtocols
import Testing

@testable import Companion

/// The profile and codec that a person chose, on a server that forgets them.
@Suite struct SoundModeKeepingTests {
  private static let card = "bluez_card.ear"

  /// A card as PulseAudio has it.
  private func card(
    _ profile: String = "a2dp_sink", codec: String = "sbc", codecs: [String] = ["sbc", "aptx"]
  ) -> AudioCard {
    AudioCard(
      name: Self.card, description: "Ear (a)", address: "F0:F1:F2:F3:F4:F5",
      activeProfile: profile,
      profiles: ["a2dp_sink", "handsfree_head_unit", "off"].map {
        CardProfile(name: $0, description: $0)
      },
      codecs: profile == "a2dp_sink"
        ? codecs.map { CardCodec(name: $0, description: $0.uppercased()) } : [],
      activeCodec: profile == "a2dp_sink" && !codecs.isEmpty ? codec : nil)
  }

  private func connected(_ card: AudioCard) -> Action {
    sound(to: "bluez_output.ear", speakers, bluetoothSink(), cards: [card])
  }

  /// A headphone whose sound is here, in a process that applies the settings.
  private func scenario(_ word: String? = nil) -> Scenario {
    var rules = SoundRules()
    rules.all[.profile] = word.map(SoundValue.word)
    var scenario = Scenario.withReady()
    scenario.given(
      .configured(\.sound, rules), sound(to: speakers.name, speakers),
      connected(card()))
    return scenario
  }

  /// Chooses a codec of the list, as a person does.
  private func choose(_ name: String, in scenario: inout Scenario) -> [Effect] {
    let mode = card().modes.first { $0.name == name }
    return mode.map { scenario.effects(of: .soundModeChosen(ear, $0)) } ?? []
  }

  private func commands(_ scenario: inout Scenario, _ action: Action) -> [AudioCommand] {
    scenario.effects(of: action).compactMap { effect in
      guard case .audio(let command) = effect else { return nil }
      switch command {
      case .setProfile, .setCodec: return command
      default: return nil
      }
    }
  }

  private func reconnect(_ scenario: inout Scenario, _ card: AudioCard) -> [AudioCommand] {
    scenario.given(sound(to: speakers.name, speakers))
    return commands(&scenario, connected(card))
  }

  @Test func `a codec that was chosen is set again with each connection, once`() {
    var scenario = scenario()
    #expect(
      choose("aptx", in: &scenario).contains {
        if case .keep(.sound, let known) = $0 {
          known.sound.mode == KnownSoundMode(profile: "a2dp_sink", codec: "aptx")
        } else {
          false
        }
      })
    let set = AudioCommand.setCodec(card: Self.card, codec: "aptx")
    #expect(reconnect(&scenario, card()) == [set])
    #expect(commands(&scenario, connected(card(codec: "aptx"))) == [])
    // Another program's choice during the connection stays.
    #expect(commands(&scenario, connected(card(codec: "sbc"))) == [])
    #expect(reconnect(&scenario, card()) == [set])
    #expect(reconnect(&scenario, card(codec: "aptx")) == [])
  }

  @Test func `the profile comes first, then the codec that it offers`() {
    var scenario = scenario()
    _ = choose("aptx", in: &scenario)
    #expect(
      reconnect(&scenario, card("off"))
        == [.setProfile(card: Self.card, profile: "a2dp_sink")])
    #expect(commands(&scenario, connected(card(codecs: []))) == [])
    #expect(
      commands(&scenario, connected(card())) == [.setCodec(card: Self.card, codec: "aptx")])
  }

  @Test func `a call, a codec that is not offered, and another choice are left alone`() {
    var scenario = scenario()
    _ = choose("aptx", in: &scenario)
    #expect(reconnect(&scenario, card("handsfree_head_unit")) == [])
    #expect(commands(&scenario, connected(card())) == [])
    #expect(reconnect(&scenario, card(codecs: ["sbc"])) == [])
    #expect(reconnect(&scenario, card(codecs: [])) == [])
    _ = choose("sbc", in: &scenario)
    #expect(commands(&scenario, connected(card(codec: "aptx"))) == [])
  }

  @Test func `calls and off are not kept, and nothing where it is not wanted`() {
    var scenario = scenario()
    for profile in ["handsfree_head_unit", "off"] {
      let mode = SoundMode(
        profile: CardProfile(name: profile, description: profile), codec: nil, isActive: false)
      #expect(scenario.effects(of: .soundModeChosen(ear, mode)) == [])
    }
    var leaving = self.scenario("leave")
    _ = choose("aptx", in: &leaving)
    #expect(reconnect(&leaving, card()) == [])
  }

  @Test func `nothing is set on PipeWire, which keeps it itself, nor at the start`() {
    func onPipeWire(_ action: Action) -> Action {
      guard case .audio(.running(var snapshot)) = action else { return action }
      snapshot.serverName = "PulseAudio (on PipeWire 1.4.2)"
      return .audio(.running(snapshot))
    }
    var scenario = scenario()
    _ = choose("aptx", in: &scenario)
    scenario.given(onPipeWire(sound(to: speakers.name, speakers)))
    #expect(commands(&scenario, onPipeWire(connected(card()))) == [])
    var started = Scenario.withReady()
    started.given(.configured(\.sound, SoundRules()))
    started.given(connected(card()))
    #expect(commands(&started, connected(card())) == [])
  }
}
