import AudioRoute
import Companion
import HeadphoneProtocols
import Testing

/// The headphone's own volume, which is not the sound server's.
@Suite struct OwnVolumeTests {
  private let token = CommandToken(rawValue: 1)
  private let half = HeadphoneVolume(level: 50, isMuted: false)

  /// With the cursor on its row.
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
      $0.headphones.update(ear) { _ = $0.volume.want(requested, token: token) }
      $0.countCommands(1)
    }
    scenario.given(.headphone(ear, .volumeChanged(requested)))
    #expect(scenario.state.headphones[ear]?.volume == Setting(requested))
  }

  @Test func `it stays between silence and all`() {
    var loud = focused(on: HeadphoneVolume(level: 98, isMuted: false))
    let all = HeadphoneVolume(level: 100, isMuted: false)
    loud.press(.raise, effects: [.perform(ear, .setVolume(all), token)]) {
      $0.headphones.update(ear) { _ = $0.volume.want(all, token: token) }
      $0.countCommands(1)
    }
    var full = focused(on: all)
    full.press(.raise)
  }

  @Test func `a headphone that has not reported it is not ordered`() {
    var scenario = focused(on: nil)
    scenario.press(.raise, effects: [.noticeTimer]) {
      $0.explains("this headphone has no volume of its own", ear)
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
      $0.headphones.update(ear) { $0.volume = Setting(half) }
      $0.complains("volume 55%: the headphone has no volume", advice: "", ear)
    }
  }
}
