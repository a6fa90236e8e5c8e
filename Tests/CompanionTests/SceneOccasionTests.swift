import AudioRoute
import BluetoothRadio
import HeadphoneProtocols
import TestSupport
import Testing

@testable import Companion

/// Scenes that apply during calls, and while a program plays.
@Suite struct SceneOccasionTests {
  private static let call = Scene(
    name: "call", wishes: [.init(.noiseMode, "transparency"), .init(.ambientLevel, "7")],
    when: "call")
  private static let film = Scene(
    name: "film", wishes: [.init(.noiseMode, "off"), .init(.wearDetection, "off")],
    when: "program:mpv")

  private static let mpv = AudioProgram(name: "mpv Media Player", binary: "mpv")

  private static let over = Action.timerFired(.scene(ear, "call"))
  private static let filmOver = Action.timerFired(.scene(ear, "film"))

  /// What the sound server reports while programs record from the headphone, and others play.
  private static func heard(
    recording: [String] = [], playing: [AudioProgram] = [],
    of address: String = "F0:F1:F2:F3:F4:F5"
  ) -> Action {
    let card = AudioCard(
      name: "bluez_card.ear", description: "Ear (a)", address: address,
      activeProfile: "headset-head-unit",
      profiles: [CardProfile(name: "headset-head-unit", description: "Calls")])
    let source = AudioSource(
      name: "bluez_input.ear", description: "Ear (a)", isBluetooth: true, address: address,
      card: card.name, programs: recording)
    return .audio(
      .running(
        AudioSnapshot(
          serverName: "pulseaudio", serverVersion: "17.0", defaultSink: "bluez_output.ear",
          sinks: [bluetoothSink(address), speakers], cards: [card], defaultSource: source.name,
          sources: [source], playing: playing)))
  }

  private static let ringing = heard(recording: ["Zoom"])
  private static let playing = heard(playing: [mpv])
  private static let both = heard(recording: ["Zoom"], playing: [mpv])
  private static let silence = heard()

  /// A headphone in noise cancelling, with level 4 and wear detection, whose values are confirmed.
  private func scenario(_ scenes: Scene..., isResident: Bool = true) -> Scenario {
    var scenario = Scenario.withReady()
    scenario.given(
      .headphone(ear, .ancLevelChanged(4)),
      .headphone(ear, .settingChanged(.wearDetection, .toggle(true))),
      .configured(\.scenes, scenes, isResident: isResident), Self.silence)
    return scenario
  }

  /// Sends an action, and confirms each command that follows, as the headphone would.
  private func commands(
    of action: Action, in scenario: inout Scenario, outcome: CommandOutcome = .done
  ) -> [HeadphoneCommand] {
    let effects = scenario.effects(of: action)
    let sent = effects.compactMap { effect -> (HeadphoneID, HeadphoneCommand, CommandToken)? in
      if case .perform(let id, let command, let token) = effect {
        (id, command, token)
      } else {
        nil
      }
    }
    for (id, command, token) in sent {
      scenario.given(.commandEnded(id, command, token, outcome))
    }
    return sent.map(\.1)
  }

  private func timers(_ effects: [Effect]) -> [Effect] {
    effects.filter { effect in
      switch effect {
      case .startTimer(.scene, _), .cancelTimer(.scene): true
      default: false
      }
    }
  }

  // MARK: One scene

  @Test func `a call has its scene, and what was there before comes back after it`() {
    var scenario = scenario(Self.call)
    #expect(
      commands(of: Self.ringing, in: &scenario) == [.setANC(.transparency), .setANCLevel(7)])
    #expect(scenario.state.notice?.text == "Scene call")
    #expect(commands(of: Self.ringing, in: &scenario) == [])
    let effects = scenario.effects(of: Self.silence)
    #expect(timers(effects) == [.startTimer(.scene(ear, "call"), .exactly(.seconds(3)))])
    #expect(scenario.state.headphones[ear]?.anc.shown == .transparency)
    #expect(commands(of: Self.over, in: &scenario) == [.setANCLevel(4), .setANC(.noiseCancelling)])
    #expect(scenario.state.notice?.text == "Scene call is over")
    #expect(scenario.state.headphones[ear]?.care.scenes == SceneCare())
    #expect(commands(of: Self.over, in: &scenario) == [])
  }

  @Test(arguments: ["mpv", "MPV", "mpv media player"])
  func `a program is known by its own name or its file's, on any output`(name: String) {
    var film = Self.film
    film.when = "program:\(name)"
    var scenario = scenario(film)
    #expect(
      commands(of: Self.playing, in: &scenario) == [
        .setANC(.off), .set(.wearDetection, .toggle(false)),
      ])
    scenario.given(Self.silence)
    #expect(
      commands(of: Self.filmOver, in: &scenario) == [
        .set(.wearDetection, .toggle(true)), .setANC(.noiseCancelling),
      ])
  }

  @Test(arguments: ["mp", "Media", "mpv.exe", "zoom"])
  func `a part of a name is another program`(name: String) {
    var film = Self.film
    film.when = "program:\(name)"
    var scenario = scenario(film)
    #expect(commands(of: Self.playing, in: &scenario) == [])
  }

  @Test func `a moment without the program, as between two songs, changes nothing`() {
    var scenario = scenario(Self.film)
    scenario.given(Self.playing, Self.silence)
    let again = scenario.effects(of: Self.playing)
    #expect(again == [.cancelTimer(.scene(ear, "film"))])
    // A timer that fired before it was cancelled finds nothing to end.
    #expect(commands(of: Self.filmOver, in: &scenario) == [])
    #expect(scenario.state.headphones[ear]?.care.scenes.running.map(\.id) == ["film"])
  }

  @Test func `a call in which a second program joins and the first leaves is one`() {
    var scenario = scenario(Self.call)
    scenario.given(Self.ringing)
    #expect(
      timers(scenario.effects(of: Self.heard(recording: ["Zoom", "Teams"]))).isEmpty)
    #expect(timers(scenario.effects(of: Self.heard(recording: ["Teams"]))).isEmpty)
  }

  @Test func `what is so already is neither set nor set back`() {
    var scenario = scenario(
      Scene(name: "call", wishes: [.init(.noiseMode, "nc")], when: "call"))
    #expect(commands(of: Self.ringing, in: &scenario) == [])
    scenario.given(Self.silence)
    #expect(commands(of: Self.over, in: &scenario) == [])
  }

  @Test func `the sound server's end ends it as well`() {
    var scenario = scenario(Self.call)
    _ = commands(of: Self.ringing, in: &scenario)
    let effects = scenario.effects(of: .audio(.unavailable(.serverEnded)))
    #expect(timers(effects) == [.startTimer(.scene(ear, "call"), .exactly(.seconds(3)))])
    #expect(commands(of: Self.over, in: &scenario) == [.setANCLevel(4), .setANC(.noiseCancelling)])
  }

  @Test func `what the headphone lacks is said, and the rest applies`() {
    var able = allFeatures
    able.hasANCLevel = false
    var scenario = Scenario.withReady(able)
    scenario.given(
      .configured(\.scenes, [Self.call]), Self.silence)
    #expect(commands(of: Self.ringing, in: &scenario) == [.setANC(.transparency)])
    #expect(scenario.state.notice?.text == "Scene call applied, except ambient level 7")
    scenario.given(Self.silence)
    #expect(commands(of: Self.over, in: &scenario) == [.setANC(.noiseCancelling)])
  }

  @Test func `a value that was not known before stays`() {
    var scenario = scenario(
      Scene(name: "call", wishes: [.init(.equaliserBands, "1,1,1,1,1")], when: "call"))
    scenario.given(.headphone(ear, .settingChanged(.equaliserPreset, .choice("maker's"))))
    #expect(commands(of: Self.ringing, in: &scenario).count == 1)
    scenario.given(Self.silence)
    #expect(commands(of: Self.over, in: &scenario) == [])
  }

  @Test func `the custom equaliser comes back by its gains, a preset by its name`() {
    let gains = [BandGain](repeating: BandGain(decibels: 2), count: 5)
    var scenario = scenario(
      Scene(name: "call", wishes: [.init(.equaliserPreset, "vocal")], when: "call"))
    scenario.given(.headphone(ear, .eqChanged(.custom, bands: gains)))
    #expect(commands(of: Self.ringing, in: &scenario) == [.setEQ(.vocal)])
    scenario.given(Self.silence)
    #expect(commands(of: Self.over, in: &scenario) == [.setCustomEQ(gains)])

    scenario = self.scenario(
      Scene(name: "call", wishes: [.init(.equaliserBands, "2,2,2,2,2")], when: "call"))
    #expect(commands(of: Self.ringing, in: &scenario) == [.setCustomEQ(gains)])
    scenario.given(Self.silence)
    #expect(commands(of: Self.over, in: &scenario) == [.setEQ(.balanced)])
  }

  @Test func `the correction is switched and switched back`() {
    var scenario = scenario(Scene(name: "call", when: "call", correction: "on"))
    scenario.given(Self.ringing)
    #expect(scenario.state.headphones[ear]?.correction.choice.isOn == true)
    scenario.given(Self.silence, Self.over)
    #expect(scenario.state.headphones[ear]?.correction.choice.isOn == false)
  }

  @Test func `the page of the scenes says when they apply`() {
    let state = scenario(Self.call, Self.film).state
    #expect(
      state.preferences.scenes.map { state.parts(of: $0).last } == [
        "during calls", "while mpv plays",
      ])
  }

  // MARK: A person

  @Test func `what a person changes meanwhile stays, and is named`() {
    var scenario = scenario(Self.call)
    _ = commands(of: Self.ringing, in: &scenario)
    _ = commands(of: .pressed(.setANC(.adaptive)), in: &scenario)
    // Neither a report nor another program takes it back.
    #expect(commands(of: Self.heard(recording: ["Zoom", "Teams"]), in: &scenario) == [])
    scenario.given(Self.silence)
    #expect(commands(of: Self.over, in: &scenario) == [.setANCLevel(4)])
    #expect(
      scenario.state.notice?.text
        == "Scene call is over; noise control changed meanwhile, and stays")
    #expect(scenario.state.headphones[ear]?.anc.confirmed == .adaptive)
  }

  @Test func `a button on the headphone counts as a person`() {
    var scenario = scenario(Self.call)
    _ = commands(of: Self.ringing, in: &scenario)
    scenario.given(.headphone(ear, .ancChanged(.off)), Self.silence)
    #expect(commands(of: Self.over, in: &scenario) == [.setANCLevel(4)])
  }

  @Test func `another scene by its key counts as a person`() {
    var scenario = scenario(
      Self.call, Scene(name: "desk", wishes: [.init(.noiseMode, "off")]))
    _ = commands(of: Self.ringing, in: &scenario)
    #expect(commands(of: .pressed(.scene(2)), in: &scenario) == [.setANC(.off)])
    scenario.given(Self.silence)
    #expect(commands(of: Self.over, in: &scenario) == [.setANCLevel(4)])
  }

  @Test func `what the headphone refuses is not set back`() {
    var scenario = scenario(
      Scene(name: "call", wishes: [.init(.noiseMode, "transparency")], when: "call"))
    _ = commands(of: Self.ringing, in: &scenario, outcome: .failed(.refused(.busy)))
    #expect(scenario.state.headphones[ear]?.anc.shown == .noiseCancelling)
    scenario.given(Self.silence)
    #expect(commands(of: Self.over, in: &scenario) == [])
  }

  @Test func `an end while the headphone has not answered yet sets it back all the same`() {
    var scenario = scenario(
      Scene(name: "call", wishes: [.init(.noiseMode, "transparency")], when: "call"))
    scenario.given(Self.ringing, Self.silence, Self.over)
    #expect(scenario.state.headphones[ear]?.anc.shown == .noiseCancelling)
  }

  // MARK: Several scenes

  @Test func `of two scenes the first of the configuration counts, whichever began first`() {
    for (first, second) in [(Self.playing, Self.both), (Self.ringing, Self.both)] {
      var scenario = scenario(Self.call, Self.film)
      _ = commands(of: first, in: &scenario)
      _ = commands(of: second, in: &scenario)
      let headphone = scenario.state.headphones[ear]
      #expect(headphone?.anc.confirmed == .transparency && headphone?.ancLevel.confirmed == 7)
      #expect(headphone?.setting(.wearDetection).confirmed == .toggle(false))
      #expect(headphone?.care.scenes.running.map(\.id) == ["call", "film"])
    }
  }

  @Test func `when one of two ends, what the other wants is there`() {
    var scenario = scenario(Self.call, Self.film)
    _ = commands(of: Self.both, in: &scenario)
    scenario.given(Self.playing)
    #expect(commands(of: Self.over, in: &scenario) == [.setANC(.off), .setANCLevel(4)])
    scenario.given(Self.silence)
    #expect(
      commands(of: Self.filmOver, in: &scenario) == [
        .set(.wearDetection, .toggle(true)), .setANC(.noiseCancelling),
      ])
  }

  @Test func `when the one that did not count ends, nothing of the other changes`() {
    var scenario = scenario(Self.call, Self.film)
    _ = commands(of: Self.both, in: &scenario)
    scenario.given(Self.ringing)
    #expect(
      commands(of: Self.filmOver, in: &scenario) == [.set(.wearDetection, .toggle(true))])
    scenario.given(Self.silence)
    #expect(commands(of: Self.over, in: &scenario) == [.setANCLevel(4), .setANC(.noiseCancelling)])
  }

  @Test func `what a person chose before a call begins comes back after it, though a film plays`() {
    var scenario = scenario(Self.call, Self.film)
    _ = commands(of: Self.playing, in: &scenario)
    _ = commands(of: .pressed(.setANC(.adaptive)), in: &scenario)
    #expect(commands(of: Self.both, in: &scenario) == [.setANC(.transparency), .setANCLevel(7)])
    scenario.given(Self.playing)
    #expect(commands(of: Self.over, in: &scenario) == [.setANCLevel(4), .setANC(.adaptive)])
    scenario.given(Self.silence)
    #expect(
      commands(of: Self.filmOver, in: &scenario) == [.set(.wearDetection, .toggle(true))])
  }

  @Test func `a scene that leaves the configuration ends`() {
    var scenario = scenario(Self.call)
    _ = commands(of: Self.ringing, in: &scenario)
    let effects = scenario.effects(of: .configured(\.scenes, []))
    #expect(timers(effects) == [.startTimer(.scene(ear, "call"), .exactly(.seconds(3)))])
    #expect(commands(of: Self.over, in: &scenario) == [.setANCLevel(4), .setANC(.noiseCancelling)])
  }

  @Test func `an output's scene applies beside them, and is not set back`() {
    var scenario = scenario(
      Self.call, Scene(name: "away", wishes: [.init(.noiseMode, "off")], when: "speak"))
    _ = commands(of: Self.ringing, in: &scenario)
    #expect(
      commands(
        of: sound(to: speakers.name, bluetoothSink(), speakers), in: &scenario) == [.setANC(.off)])
    #expect(commands(of: Self.over, in: &scenario) == [.setANCLevel(4)])
  }

  // MARK: Headphones

  @Test func `without a connected headphone nothing applies, until it is there`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(.configured(\.scenes, [Self.film]))
    #expect(commands(of: Self.playing, in: &scenario) == [])
    scenario.given(.pressed(.connectOrDisconnect), .link(ear, .connected))
    #expect(
      commands(of: .link(ear, .ready(description(), isEncrypted: false)), in: &scenario) == [
        .setANC(.off), .set(.wearDetection, .toggle(false)),
      ])
  }

  @Test func `a headphone that goes meanwhile gets its values back when it returns`() {
    var scenario = scenario(Self.call)
    _ = commands(of: Self.ringing, in: &scenario)
    #expect(commands(of: .link(ear, .ended(.timeout)), in: &scenario) == [])
    #expect(commands(of: Self.silence, in: &scenario) == [])
    #expect(commands(of: Self.over, in: &scenario) == [])
    scenario.given(.timerFired(.reconnect(ear)), .link(ear, .connected))
    #expect(
      commands(of: .link(ear, .ready(description(), isEncrypted: false)), in: &scenario) == [
        .setANCLevel(4), .setANC(.noiseCancelling),
      ])
    #expect(scenario.state.headphones[ear]?.care.scenes == SceneCare())
  }

  @Test func `a headphone that returns while it lasts has the scene, and then its values`() {
    var scenario = scenario(Self.call)
    _ = commands(of: Self.ringing, in: &scenario)
    scenario.given(
      .link(ear, .ended(.timeout)), .timerFired(.reconnect(ear)), .link(ear, .connected))
    #expect(
      commands(of: .link(ear, .ready(description(), isEncrypted: false)), in: &scenario) == [])
    scenario.given(Self.silence)
    #expect(commands(of: Self.over, in: &scenario) == [.setANCLevel(4), .setANC(.noiseCancelling)])
  }

  @Test func `a timer of a headphone that has gone is cancelled`() {
    var scenario = scenario(Self.call)
    scenario.given(Self.ringing, Self.silence)
    let effects = scenario.effects(of: .link(ear, .ended(.timeout)))
    #expect(timers(effects) == [.cancelTimer(.scene(ear, "call"))])
  }

  @Test func `a value that changed while the headphone was away stays`() {
    var scenario = scenario(Self.call)
    _ = commands(of: Self.ringing, in: &scenario)
    scenario.given(.link(ear, .ended(.timeout)), Self.silence)
    scenario.given(.timerFired(.reconnect(ear)), .link(ear, .connected))
    scenario.given(.headphone(ear, .ancChanged(.off)))
    #expect(
      commands(of: .link(ear, .ready(description(), isEncrypted: false)), in: &scenario) == [
        .setANCLevel(4)
      ])
  }

  @Test func `of two headphones the one whose microphone is in use has the scene`() {
    var scenario = scenario(Self.call, Self.film)
    scenario.given(
      .discovered(peripheral(bud, name: "Bud", address: "F0:F1:F2:F3:F4:F6")),
      .linkWanted(bud, by: .program, retries: true), .link(bud, .connected),
      .link(bud, .ready(description(), isEncrypted: false)),
      .headphone(bud, .ancChanged(.noiseCancelling)),
      .soundPinned(ear, SoundDevice.ID("F0:F1:F2:F3:F4:F5")),
      .soundPinned(bud, SoundDevice.ID("F0:F1:F2:F3:F4:F6")))
    #expect(scenario.state.headphones.selected?.id == ear)
    _ = commands(
      of: Self.heard(recording: ["Zoom"], of: "F0:F1:F2:F3:F4:F6"), in: &scenario)
    #expect(scenario.state.headphones[bud]?.anc.confirmed == .transparency)
    #expect(scenario.state.headphones[ear]?.anc.confirmed == .noiseCancelling)
    #expect(scenario.state.notice?.text == "Bud: Scene call")
    // A program's is that of the selected one, and stays there when another is selected.
    _ = commands(
      of: Self.heard(recording: ["Zoom"], playing: [Self.mpv], of: "F0:F1:F2:F3:F4:F6"),
      in: &scenario)
    #expect(scenario.state.headphones[ear]?.anc.confirmed == .off)
    scenario.given(.pressed(.nextHeadphone))
    #expect(scenario.state.headphones.selected?.id == bud)
    #expect(scenario.state.headphones[bud]?.care.scenes.running.map(\.id) == ["call"])
    #expect(scenario.state.headphones[ear]?.care.scenes.running.map(\.id) == ["film"])
  }

  @Test func `a process that runs for one command applies none`() {
    var scenario = scenario(Self.call, Self.film, isResident: false)
    #expect(scenario.effects(of: Self.both).isEmpty)
  }

  // MARK: Any order

  /// However calls, programs, links and answers follow each other, nothing of a scene is left.
  @Test func `once all is over, the headphone has what it had`() {
    var random = SeededGenerator(seed: 52)
    for _ in 0..<Thoroughness.rounds(200, thorough: 20_000) {
      var scenario = scenario(Self.call, Self.film)
      for _ in 0..<25 {
        switch random.below(7) {
        case 0: _ = commands(of: Self.ringing, in: &scenario)
        case 1: _ = commands(of: Self.playing, in: &scenario)
        case 2: _ = commands(of: Self.both, in: &scenario)
        case 3: _ = commands(of: Self.silence, in: &scenario)
        case 4: _ = commands(of: Self.over, in: &scenario)
        case 5: _ = commands(of: Self.filmOver, in: &scenario)
        default:
          _ = commands(of: .link(ear, .ended(.timeout)), in: &scenario)
          scenario.given(.timerFired(.reconnect(ear)), .link(ear, .connected))
          _ = commands(of: .link(ear, .ready(description(), isEncrypted: false)), in: &scenario)
        }
      }
      for action in [Self.silence, Self.over, Self.filmOver] {
        _ = commands(of: action, in: &scenario)
      }
      let headphone = scenario.state.headphones[ear]
      #expect(headphone?.care.scenes == SceneCare())
      #expect(headphone?.anc.confirmed == .noiseCancelling)
      #expect(headphone?.ancLevel.confirmed == 4)
      #expect(headphone?.setting(.wearDetection).confirmed == .toggle(true))
    }
  }
}
