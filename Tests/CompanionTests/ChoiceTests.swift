import HeadphoneProtocols
import Testing

@testable import Companion

@Suite struct ChoiceTests {
  private let token = CommandToken(rawValue: 1)

  @Test func `a key shows the new mode as pending at once and sends it`() {
    var scenario = Scenario.withReady()
    scenario.press(.nextANC, effects: [.perform(ear, .setANC(.transparency), token)]) {
      $0.headphones.update(ear) {
        _ = $0.anc.want(.transparency, token: token)
        $0.ancBeforeTransparency = .noiseCancelling
      }
      $0.countCommands(1)
    }
    #expect(scenario.state.headphones[ear]?.anc.pending == .transparency)
    scenario.send(.headphone(ear, .ancChanged(.transparency))) {
      $0.headphones.update(ear) {
        $0.anc.received(.transparency)
        $0.lastPacket = noon
      }
      $0.logs(.info, ear, "noise control: transparency")
    }
    #expect(scenario.state.headphones[ear]?.anc == Setting(.transparency))
  }

  @Test func `a refused mode falls back and says why`() {
    var scenario = Scenario.withReady()
    scenario.given(.pressed(.setANC(.adaptive)))
    let failure = CommandOutcome.failed(.refused(.notWorn))
    scenario.send(.commandEnded(ear, .setANC(.adaptive), token, failure)) {
      $0.headphones.update(ear) { $0.anc = Setting(.noiseCancelling) }
      $0.complains(
        "noise control adaptive: the headphone refused: not worn",
        advice: "put the buds in your ears", ear)
    }
  }

  @Test func `three quick keys send the first and the last`() {
    var scenario = Scenario.withReady()
    scenario.given(.pressed(.nextANC), .pressed(.nextANC), .pressed(.nextANC))
    #expect(scenario.state.headphones[ear]?.anc.pending == .off)
    scenario.send(
      .commandEnded(ear, .setANC(.transparency), token, .done),
      effects: [.perform(ear, .setANC(.off), CommandToken(rawValue: 2))]
    ) {
      $0.headphones.update(ear) {
        _ = $0.anc.ended(token, succeeded: true, next: CommandToken(rawValue: 2))
      }
      $0.countCommands(1)
    }
  }

  @Test func `only modes that the headphone has are stepped through`() {
    var capabilities = allFeatures
    capabilities.ancModes = [.off, .noiseCancelling]
    var scenario = Scenario.withReady(capabilities)
    scenario.press(.nextANC, effects: [.perform(ear, .setANC(.off), token)]) {
      $0.headphones.update(ear) { _ = $0.anc.want(.off, token: token) }
      $0.countCommands(1)
    }
    scenario.press(.setANC(.adaptive), effects: [.noticeTimer]) {
      $0.explains("this headphone has no noise control mode \"adaptive\"", ear)
    }
  }

  @Test(arguments: [
    (UserCommand.nextANC, "has no noise control"), (.nextEQ, "has no equaliser"),
    (.toggleWearDetection, "has no wear detection"),
    (.rename, "cannot be renamed"), (.flipTransparency, "has no transparency"),
  ])
  func `a feature that is missing is said, not sent`(command: UserCommand, reason: String) {
    var scenario = Scenario.withReady(Capabilities())
    scenario.press(command, effects: [.noticeTimer]) {
      $0.explains("this headphone \(reason)", ear)
    }
  }

  @Test func `t flips to transparency and back to the mode before`() {
    var scenario = Scenario.withReady()
    scenario.given(.headphone(ear, .ancChanged(.adaptive)), .pressed(.flipTransparency))
    #expect(scenario.state.headphones[ear]?.anc.pending == .transparency)
    scenario.given(
      .headphone(ear, .ancChanged(.transparency)),
      .commandEnded(ear, .setANC(.transparency), token, .done), .pressed(.flipTransparency))
    #expect(scenario.state.headphones[ear]?.anc.pending == .adaptive)
  }

  @Test func `t goes back to the mode before also after a change on the headphone itself`() {
    var scenario = Scenario.withReady()
    scenario.given(
      .headphone(ear, .ancChanged(.off)), .headphone(ear, .ancChanged(.transparency)),
      .pressed(.flipTransparency))
    #expect(scenario.state.headphones[ear]?.anc.pending == .off)
  }

  @Test func `a mode that was changed on the headphone is shown without a key`() {
    var scenario = Scenario.withReady()
    scenario.send(.headphone(ear, .ancChanged(.off))) {
      $0.headphones.update(ear) { $0.anc.received(.off) }
      $0.logs(.info, ear, "noise control: off")
    }
  }

  @Test func `what a headphone tells for the first time is no news`() {
    var scenario = Scenario.withReady()
    let battery = [Part.left: Battery(level: 80)]
    scenario.send(.headphone(ear, .batteryChanged(battery))) {
      $0.headphones.update(ear) {
        $0.battery = Reading(battery, seenAt: noon)
        $0.sight(charges: battery, at: noon)
      }
      $0.logs(.debug, ear, "battery left 80%")
    }
    scenario.send(.headphone(ear, .batteryChanged(battery))) {
      $0.logs(.info, ear, "battery left 80%")
    }
  }

  @Test func `a key without a link says what to do`() {
    var scenario = Scenario.withHeadphone()
    scenario.press(.nextANC, effects: [.noticeTimer]) {
      $0.explains("not connected", ear, remedy: .connectOrDisconnect)
    }
    var empty = Scenario.withAdapter()
    empty.press(.nextEQ, effects: [.noticeTimer]) {
      $0.explains("no headphone yet", remedy: .scan)
    }
    // Scanning would be no remedy; and no key becomes an event, however often it is pressed.
    empty.given(.adapterChanged(.absent))
    let events = empty.state.log.lines.count { $0.level >= .info }
    for command in [UserCommand.nextEQ, .connectOrDisconnect, .pair] {
      empty.press(command, effects: [.noticeTimer]) {
        $0.explains("no Bluetooth adapter", remedy: .doctor)
      }
    }
    #expect(empty.state.log.lines.count { $0.level >= .info } == events)
  }

  @Test func `a link that goes takes pending changes with it, without an error of their own`() {
    var scenario = Scenario.withReady()
    scenario.given(.pressed(.nextEQ), .link(ear, .ended(.timeout)))
    #expect(scenario.state.headphones[ear]?.eq == Setting(.balanced))
    scenario.send(.commandEnded(ear, .setEQ(.bassBoost), token, .failed(.linkLost(.timeout)))) {
      $0.logs(
        .info, ear, "equaliser bass boost is lost: the headphone is out of range or off")
    }
  }

  @Test func `a level that the mode has no use for says why, and which key helps`() {
    var capabilities = allFeatures
    capabilities.ancLevelModes = [.transparency]
    var scenario = Scenario.withReady(capabilities)
    scenario.given(.headphone(ear, .ancLevelChanged(5)), .pressed(.down))
    scenario.press(.raise, effects: [.noticeTimer]) {
      $0.explains(
        "ambient level can be set in transparency only", ear,
        remedy: .setANC(.transparency))
    }
    scenario.given(.barSet(.ancLevel, percent: 80))
    #expect(scenario.state.headphones[ear]?.ancLevel.pending == nil)
    scenario.given(.pressed(.setANC(.transparency)), .pressed(.raise))
    #expect(scenario.state.headphones[ear]?.ancLevel.pending == 6)
  }

  @Test func `a report of gains does not replace a preset of the headphone's own`() {
    var capabilities = allFeatures
    capabilities.eqPresets = []
    capabilities.settings = [
      SettingDeclaration(
        .equaliserPreset, .choice([SettingChoice("rock", title: "Rock")]), title: "Equaliser",
        label: "EQ", group: .sound)
    ]
    var scenario = Scenario.withReady(capabilities)
    scenario.given(
      .headphone(ear, .settingChanged(.equaliserPreset, .choice("rock"))),
      .headphone(ear, .eqChanged(.custom, bands: [.flat])))
    let headphone = scenario.state.headphones[ear]
    #expect(headphone?.settings[.equaliserPreset].confirmed == .choice("rock"))
    #expect(headphone?.bands.confirmed == [.flat] && headphone?.gainsInForce == [.flat])
  }

  @Test func `the level stays between 0 and 10`() {
    var scenario = Scenario.withReady()
    scenario.given(.headphone(ear, .ancLevelChanged(10)), .pressed(.down))
    #expect(scenario.state.controlRow == .ancLevel)
    scenario.press(.raise)
    scenario.press(.lower, effects: [.perform(ear, .setANCLevel(9), token)]) {
      $0.headphones.update(ear) { _ = $0.ancLevel.want(9, token: token) }
      $0.countCommands(1)
    }
  }
}
