import HeadphoneProtocols
import Testing

@testable import Companion

/// The reset to factory state: confirmed twice, and only for a paired headphone.
@Suite struct FactoryResetTests {
  @Test func `a factory reset asks twice, and No ends it both times`() {
    var scenario = Scenario.withBond()
    scenario.given(.pressed(.factoryReset))
    #expect(
      scenario.state.dialog == .question(Question(.factoryReset(ear, isCertain: false))))
    scenario.press(.accept) { $0.dialog = nil }
    scenario.given(.pressed(.factoryReset), .pressed(.left), .pressed(.accept))
    #expect(
      scenario.state.dialog == .question(Question(.factoryReset(ear, isCertain: true))))
    scenario.press(.accept) { $0.dialog = nil }
  }

  @Test func `after Yes and Yes the headphone is reset and its keys are dropped`() {
    var scenario = Scenario.withBond()
    scenario.given(
      .pressed(.factoryReset), .pressed(.left), .pressed(.accept), .pressed(.left))
    let token = CommandToken(rawValue: 1)
    let effects = scenario.effects(of: .pressed(.accept))
    #expect(effects == [.perform(ear, .factoryReset, token)])
    #expect(scenario.state.headphones[ear]?.link.use == .factoryReset)
    let done = scenario.effects(of: .commandEnded(ear, .factoryReset, token, .done))
    #expect(done == [.unpair(ear)])
    scenario.given(.link(ear, .ended(.peer)))
    #expect(scenario.state.headphones[ear]?.link == .unwanted(.idle))
    #expect(scenario.state.headphones[ear]?.isBonded == false)
  }

  @Test func `a reset that the headphone refuses changes nothing`() {
    var scenario = Scenario.withReset()
    scenario.given(
      .commandEnded(
        ear, .factoryReset, CommandToken(rawValue: 1), .failed(.refused(.notPermitted))))
    #expect(scenario.state.headphones[ear]?.link.use == .ready)
    #expect(scenario.state.problem != nil)
  }

  @Test func `a reset needs a bond`() {
    var capabilities = allFeatures
    capabilities.hasFactoryReset = true
    var scenario = Scenario.withReady(capabilities)
    scenario.press(.factoryReset, effects: [.noticeTimer]) {
      $0.explains("pair first: only a paired computer may reset it", ear, remedy: .pair)
    }
  }
}

extension Scenario {
  /// Returns a paired headphone that can be reset.
  static func withBond() -> Scenario {
    var capabilities = allFeatures
    capabilities.hasFactoryReset = true
    var scenario = Scenario.withReady(capabilities)
    scenario.given(.pressed(.pair), .pairing(.ended(ear, nil)), .pairing(.bonded(ear, true)))
    return scenario
  }

  /// Returns a headphone whose reset was confirmed twice and is not answered yet.
  static func withReset() -> Scenario {
    var scenario = withBond()
    scenario.given(
      .pressed(.factoryReset), .pressed(.left), .pressed(.accept), .pressed(.left),
      .pressed(.accept))
    return scenario
  }
}
