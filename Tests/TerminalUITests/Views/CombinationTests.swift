import AudioRoute
import Companion
import HeadphoneProtocols
import Testing

@testable import TerminalUI

private enum Sound: String, CaseIterable { case here, elsewhere, none, unknown }

extension Golden {
  /// The panels of the sound and of the control link in each combination of their states.
  static let sound: [Golden] =
    [
      .screen("control-lost", showsRoles: true) { state(.here, false) },
      .screen("sound-call-profile", showsRoles: true) { callProfile },
      .screen("sound-panel-40x12", .small) { Example.state().changed { $0.focus = .audio } },
      // What the kernel knows where the sound server is silent.
      .rows("sound-kernel", unlike: { state(.none, true) }) {
        [Sound.none, .unknown].map { sound in
          let silent = state(sound, true).changed {
            $0.audioLinks = AudioLinks(up: ["00:11:22:33:44:55"])
          }
          return (sound.rawValue, silent)
        }
      },
    ]
    + [Size.ordinary, .small].map { size in
      .rows("sound-and-control" + size.suffix, size, unlike: Example.state) {
        let scenes = Sound.allCases.flatMap { sound in
          [true, false].map { isControlled in
            (
              "sound \(sound.rawValue), control \(isControlled ? "ready" : "lost")",
              state(sound, isControlled)
            )
          }
        }
        // The first is the state that the others are compared with.
        return Array(scenes.dropFirst())
      }
    }

  private static func state(_ sound: Sound, _ isControlled: Bool) -> State {
    let state = Example.state().changed {
      switch sound {
      case .here: $0.audio = .running(Example.sound())
      case .elsewhere: $0.audio = .running(Example.sound(to: "pci"))
      case .none: $0.audio = .running(Example.soundElsewhere())
      case .unknown: $0.audio = .unavailable(.noServer)
      }
    }
    return isControlled ? state : state.with { $0.link = .unwanted(.disconnected(.timeout)) }
  }

  private static var callProfile: State {
    Example.state().changed {
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
  }
}

@Suite struct `Both panels` {
  @Test(arguments: [
    AudioUnavailable.notStarted, .serverEnded, .accessDenied, .unresponsive, .noLibrary("?"),
    .failed("protocol \u{1B}[31merror"),
  ])
  func `say why nothing is known of the sound`(reason: AudioUnavailable) {
    let state = Example.state().changed { $0.audio = .unavailable(reason) }
    let screen = view(state, size: .ordinary)
    #expect(screen.text(row: 3).contains("? unknown"))
    let words = reason.displayText.prefix(8).dropFirst()
    #expect((4..<9).contains { screen.text(row: $0).contains(words) })
    #expect((0..<24).allSatisfy { !screen.text(row: $0).contains("\u{1B}") })
  }
}
