import AudioRoute
import Companion
import HeadphoneProtocols
import Testing

@testable import TerminalUI

@Suite struct `Both panels` {
  enum Sound: String, CaseIterable { case here, elsewhere, none, unknown }

  @Test(arguments: Sound.allCases, [true, false])
  func `report sound and control apart`(sound: Sound, isControlled: Bool) {
    for (size, suffix) in Self.sizes {
      let name = "sound-\(sound.rawValue)-control-\(isControlled ? "ready" : "lost")\(suffix)"
      expectScreen(view(state(sound, isControlled), size: size), name)
    }
  }

  private static let sizes: [(Size, String)] = [
    (.ordinary, ""), (Size(columns: 120, rows: 40), "-120x40"),
    (Size(columns: 40, rows: 12), "-40x12"),
  ]

  private func state(_ sound: Sound, _ isControlled: Bool) -> State {
    let state = Example.state().changed {
      switch sound {
      case .here: $0.audio = .running(Example.sound())
      case .elsewhere: $0.audio = .running(Example.sound(to: "pci"))
      case .none: $0.audio = .running(Example.soundElsewhere())
      case .unknown: $0.audio = .unavailable(.noServer)
      }
    }
    return isControlled ? state : state.with { $0.link = .disconnected(.timeout) }
  }

  @Test(arguments: [
    AudioUnavailable.notStarted, .serverEnded, .accessDenied, .unresponsive,
    .failed("protocol \u{1B}[31merror"),
  ])
  func `say why nothing is known of the sound`(reason: AudioUnavailable) {
    let state = Example.state().changed { $0.audio = .unavailable(reason) }
    let screen = view(state, size: .ordinary)
    #expect(screen.text(row: 3).contains("? unknown ("))
    #expect(!screen.text(row: 3).contains("\u{1B}"))
  }

  @Test(arguments: [Sound.none, .unknown])
  func `say what the kernel knows where the sound server is silent`(sound: Sound) {
    let silent = state(sound, true).changed {
      $0.audioLinks = AudioLinks(up: ["00:11:22:33:44:55"])
    }
    expectScreen(view(silent, size: .ordinary), "sound-\(sound.rawValue)-link-up")
  }

  @Test func `show a call profile as the loss that it is`() {
    let state = Example.state().changed {
      var sound = Example.sound()
      sound.sinks[2].bluetooth?.profile = .handsFree
      sound.sinks[2].bluetooth?.codec = "msbc"
      sound.sinks[2].isMuted = true
      sound.cards = [
        AudioCard(
          name: "card", description: "Aurora Pro", address: "00:11:22:33:44:55",
          activeProfile: "headset-head-unit", profiles: [])
      ]
      $0.audio = .running(sound)
      $0.focus = .audio
    }
    expectScreen(view(state, size: .ordinary), "sound-call-profile")
  }

  @Test func `take turns where there is room for one`() {
    let state = Example.state().changed { $0.focus = .audio }
    expectScreen(view(state, size: Size(columns: 40, rows: 12)), "tab-audio")
  }
}
