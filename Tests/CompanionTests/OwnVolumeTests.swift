import AudioRoute
import Companion
import HeadphoneProtocols
import Testing

/// The headphone's own volume, which is not the sound server's.
@Suite struct OwnVolumeTests {
  private let token = CommandToken(rawValue: 1)
  private let half = HeadphoneVolume(level: 50, isMuted: false)

  /// Returns a headphone with this volume and the cursor on its row.
  private func focused(on volume: HeadphoneVolume?) -> Scenario {
    var capabilities = Capabilities()
    capabilities.hasVolume = true
    var scenario = Scenario.withReady(capabilities)
    if let volume { scenario.given(.headphone(ear, .volumeChanged(volume))) }
    scenario.given(.pressed(.top))
    return scenario
  }

  @Test(
    arguments: [
      (UserCommand.raise, 55, false), (.right, 55, false),
      (.lower, 45, false), (.left, 45, false), (.toggleMute, 50, true),
    ] as [(UserCommand, UInt8, Bool)])
  func `keys change it where the cursor is on it`(
    command: UserCommand, level: UInt8, isMuted: Bool
  ) {
    var scenario = focused(on: half)
    #expect(scenario.state.controlRows == [.volume])
    let requested = HeadphoneVolume(level: level, isMuted: isMuted)
    scenario.press(command, effects: [.perform(ear, .setVolume(requested), token)]) {
      $0.headphones.update(ear) {
        if isMuted {
          _ = $0.settings[.muted].want(.toggle(true), token: token)
        } else {
          _ = $0.settings[.volume].want(.level(Int(level)), token: token)
        }
      }
      $0.countCommands(1)
    }
    scenario.given(.headphone(ear, .volumeChanged(requested)))
    #expect(scenario.state.headphones[ear]?.volume == Setting(requested))
  }

  @Test func `mute waits for a volume that is on the air, and keeps it`() {
    var scenario = focused(on: half)
    scenario.given(.pressed(.raise), .pressed(.toggleMute))
    let louder = HeadphoneVolume(level: 55, isMuted: false)
    #expect(
      scenario.state.headphones[ear]?.volume.shown == HeadphoneVolume(level: 55, isMuted: true))
    scenario.send(
      .commandEnded(ear, .setVolume(louder), token, .done),
      effects: [
        .perform(
          ear, .setVolume(HeadphoneVolume(level: 55, isMuted: true)), CommandToken(rawValue: 2))
      ]
    ) {
      $0.headphones.update(ear) {
        $0.settings[.volume] = Setting(.level(55))
        _ = $0.settings[.muted].send(under: CommandToken(rawValue: 2))
      }
      $0.countCommands(1)
    }
  }

  @Test func `it stays between silence and all`() {
    var loud = focused(on: HeadphoneVolume(level: 98, isMuted: false))
    let all = HeadphoneVolume(level: 100, isMuted: false)
    loud.press(.raise, effects: [.perform(ear, .setVolume(all), token)]) {
      $0.headphones.update(ear) { _ = $0.settings[.volume].want(.level(100), token: token) }
      $0.countCommands(1)
    }
    var full = focused(on: all)
    full.press(.raise)
  }

  @Test func `a level that the headphone has not reported is set by the second press`() {
    var scenario = focused(on: nil)
    scenario.press(.raise, effects: [.noticeTimer]) {
      $0.explains("Own volume of Ear (a) is unknown; press again to set 50", ear)
    }
    scenario.given(.pressed(.raise))
    #expect(scenario.state.headphones[ear]?.settings[.volume].pending == .level(50))
  }

  @Test func `a headphone that has not reported its volume is not muted`() {
    var scenario = focused(on: nil)
    scenario.press(.toggleMute, effects: [.noticeTimer]) {
      $0.explains("this headphone has no volume control", ear)
    }
  }

  @Test func `elsewhere the keys are the sound server's`() {
    var scenario = focused(on: half)
    scenario.given(.pressed(.otherPanel))
    scenario.given(sound(to: "alsa_output.pci", speakers))
    scenario.press(
      .toggleMute, effects: [.audio(.setMute(sink: "alsa_output.pci", isMuted: true))])
  }

  @Test func `a refused order falls back and says why`() {
    var scenario = focused(on: half)
    scenario.given(.pressed(.raise))
    let requested = HeadphoneVolume(level: 55, isMuted: false)
    scenario.send(.commandEnded(ear, .setVolume(requested), token, .failed(.unsupported("volume"))))
    {
      $0.headphones.update(ear) { $0.settings[.volume] = Setting(.level(50)) }
      $0.complains("volume 55%: the headphone has no volume", advice: "", ear)
    }
  }
}
