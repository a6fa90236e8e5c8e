import AudioRoute
import BluetoothCodec
import HeadphoneProtocols
import TestSupport
import Testing

@testable import Companion

/// The key for the sound, in every state of card and profiles.
@Suite struct SoundConditionTests {
  /// The app, a sound server and bluetoothd, which carry out what the app asks for.
  private struct World {
    var scenario: Scenario
    var server: VirtualSoundServer
    let connect: (inout VirtualSoundServer) -> Void

    init(_ scene: SoundScene) {
      scenario = .withHeadphone(
        peripheral(ear, name: SoundScene.name, publicAddress: scene.knownAddress))
      if let pin = scene.pin { scenario.given(.soundPinned(ear, SoundDevice.ID(pin))) }
      server = scene.server
      connect = scene.connect
      scenario.given(.audio(.running(server.snapshot)), .timerFired(.notice))
    }

    mutating func press(_ command: UserCommand) {
      var isAwaited = false
      var effects = scenario.effects(of: .pressed(command))
      while !effects.isEmpty || isAwaited {
        guard !effects.isEmpty else {
          isAwaited = false
          effects = scenario.effects(of: .timerFired(.sound(ear)))
          continue
        }
        switch effects.removeFirst() {
        case .audio(let command):
          do throws(AudioError) {
            try server.perform(command)
          } catch {
            effects += scenario.effects(of: .audioCommandFailed(command, error))
          }
          effects += scenario.effects(of: .audio(.running(server.snapshot)))
        case .connectSound:
          connect(&server)
          effects += scenario.effects(of: .audio(.running(server.snapshot)))
          effects += scenario.effects(of: .soundLink(ear, .connected))
        case .startTimer(.sound(ear), _): isAwaited = true
        case .cancelTimer(.sound(ear)): isAwaited = false
        default: break
        }
      }
    }

    var isHeard: Bool { SoundScene.isHeard(in: server.snapshot) }

    /// The words on the screen, with the command that they name.
    var words: String {
      let state = scenario.state
      let remedy = state.problem?.remedy ?? state.notice?.remedy
      return [
        state.problem?.text, state.problem?.advice, state.notice?.text, remedy?.shell,
      ].compactMap(\.self).joined(separator: "\n")
    }
  }

  @Test(arguments: SoundScene.all)
  func `one key later music plays, or the words name what helps`(scene: SoundScene) {
    var world = World(scene)
    world.press(.routeSound)
    #expect(world.isHeard || SoundScene.namesHelp(world.words), "\(world.words)")
    #expect(world.scenario.state.headphones[ear]?.isSoundWanted == false)
    guard scene.isCurable, !world.isHeard else { return }
    // Somebody wants it so: the key that is named ends that.
    let remedy = world.scenario.state.notice?.remedy
    #expect([.toggleMute, .raise].contains(remedy), "\(world.words)")
    if let remedy { world.press(remedy) }
    #expect(world.isHeard, "\(world.words)")
  }

  @Test func `there is a state of each condition`() {
    let numbers = SoundScene.all.compactMap { scene in
      let state = World(scene).scenario.state
      return state.headphones[ear].flatMap(state.soundCondition(of:)).map(\.number)
    }
    #expect(Set(numbers) == Set(0...9))
  }

  @Test func `with a card for each of two adapters, the one that plays counts`() {
    var scenario = Scenario.withHeadphone(
      peripheral(ear, publicAddress: SoundScene.address))
    let music = CardProfile(name: "a2dp-sink", description: "Music")
    func card(_ name: String, _ profile: String) -> AudioCard {
      AudioCard(
        name: name, description: "Ear", address: SoundScene.address, activeProfile: profile,
        profiles: [music])
    }
    scenario.given(
      sound(
        to: speakers.name, speakers, bluetoothSink(),
        cards: [card("bluez_card.ear.2", "off"), card("bluez_card.ear", "a2dp-sink")]))
    #expect(
      scenario.state.headphones[ear].flatMap(scenario.state.audioMatch(for:))?.card?.name
        == "bluez_card.ear")
    #expect(
      scenario.effects(of: .pressed(.routeSound)) == [.audio(.route(sink: "bluez_output.ear"))])
  }

  @Test func `the key ends the pause of buds that are out`() {
    var scenario = Scenario.withReady()
    scenario.given(.configured(\.autoPause, .cork))
    var sink = bluetoothSink()
    scenario.given(
      sound(to: sink.name, sink, speakers),
      .headphone(ear, .wearingChanged(Wearing(left: true, right: true))),
      .headphone(ear, .wearingChanged(Wearing(left: false, right: false))))
    #expect(scenario.state.soundPause != nil)
    sink.activity = .suspended
    scenario.given(sound(to: sink.name, sink, speakers))
    #expect(
      scenario.effects(of: .pressed(.routeSound))
        .contains(.audio(.setSuspended(sink: sink.name, isSuspended: false))))
    #expect(scenario.state.soundPause == nil)
  }
}

extension SoundCondition {
  /// Which condition it is; the compiler asks for one that is added.
  fileprivate var number: Int {
    switch self {
    case .music: 0
    case .muted: 1
    case .silent: 2
    case .call: 3
    case .elsewhere: 4
    case .callQuality: 5
    case .off: 6
    case .absent: 7
    case .ambiguous: 8
    case .pinAbsent: 9
    }
  }
}
