import HeadphoneProtocols
import Testing

@testable import Companion

/// A headphone reports a choice that its protocol does not declare, by its number.
@Suite struct `A choice that is not declared` {
  private static let seven = SettingValue.choice("7")

  /// Returns a headphone that reported other values before.
  private func scenario() -> Scenario {
    var scenario = Scenario.withReady()
    scenario.given(
      .headphone(ear, .ancChanged(.adaptive)), .headphone(ear, .eqChanged(.vocal, bands: nil)),
      .headphone(ear, .settingChanged(.noiseMode, Self.seven)),
      .headphone(ear, .settingChanged(.equaliserPreset, Self.seven)))
    return scenario
  }

  @Test func `takes the place of the value before, in words`() throws {
    let scenario = scenario()
    let headphone = try #require(scenario.state.headphones[ear])
    #expect(headphone.anc == Setting() && headphone.eq == Setting())
    #expect(headphone.words(of: .noiseMode) == "mode 7")
    #expect(headphone.words(of: .equaliserPreset) == "7")
    #expect(scenario.state.log.lines.contains { $0.text == "noise control: mode 7" })
  }

  @Test(arguments: [
    (UserCommand.nextANC, HeadphoneCommand.setANC(.off)), (.previousANC, .setANC(.off)),
    (.nextEQ, .setEQ(.balanced)),
  ])
  func `leads by a key to the first one`(key: UserCommand, command: HeadphoneCommand) {
    var scenario = scenario()
    let token = CommandToken(rawValue: 1)
    #expect(scenario.effects(of: .pressed(key)).first == .perform(ear, command, token))
    scenario.given(.commandEnded(ear, command, token, .done))
    #expect(scenario.state.headphones[ear]?.settings.isChanging == false)
  }

  @Test func `is neither sent nor kept in a scene`() throws {
    var scenario = scenario()
    let headphone = try #require(scenario.state.headphones[ear])
    #expect(headphone.command(setting: .noiseMode, to: Self.seven) == nil)
    let scene = Scene(name: "now", of: headphone, output: nil, profile: nil)
    #expect(!scene.wishes.contains { $0.word == "7" })
    scenario.given(.pressed(.equaliser), .pressed(.previousPanel), .pressed(.right))
    for key in [UserCommand.undo, .compare, .back] {
      let sent = scenario.effects(of: .pressed(key))
      #expect(
        !sent.contains {
          if case .perform(_, .set(_, Self.seven), _) = $0 { true } else { false }
        })
    }
  }
}
