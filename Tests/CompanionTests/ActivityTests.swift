import Companion
import Testing

/// What a link is used for beside its ordinary service.
@Suite struct ActivityTests {
  @Test func `restarting into new firmware lasts until the headphone is back`() {
    var scenario = Scenario.withReady()
    scenario.given(
      .link(ear, .began(.firmwareUpdate)), .link(ear, .began(.firmwareRestart)))
    let lost = scenario.effects(of: .link(ear, .ended(.peer)))
    #expect(scenario.state.headphones[ear]?.link == .firmwareRestarting)
    #expect(
      lost == [.cancelTimer(.steady(ear)), .startTimer(.reconnect(ear), .about(.seconds(1)))])
    let retry = scenario.effects(of: .timerFired(.reconnect(ear)))
    #expect(retry == [.connect(ear)])
    scenario.given(.link(ear, .ended(.connectTimeout)))
    #expect(scenario.state.headphones[ear]?.link == .firmwareRestarting)
    scenario.given(
      .timerFired(.reconnect(ear)), .link(ear, .connected),
      .link(ear, .ready(description(), isEncrypted: false)))
    #expect(scenario.state.headphones[ear]?.link == .ready)
    scenario.given(.link(ear, .ended(.timeout)))
    #expect(
      scenario.state.headphones[ear]?.link
        == .reconnecting(Retry(attempt: 3, delay: .seconds(4), after: .timeout)))
  }

  @Test func `a headphone that does not come back from a restart is lost like any other`() {
    var scenario = Scenario.withReady()
    scenario.given(.link(ear, .began(.firmwareRestart)), .link(ear, .ended(.peer)))
    for _ in 0..<5 {
      #expect(scenario.state.headphones[ear]?.link == .firmwareRestarting)
      scenario.given(.timerFired(.reconnect(ear)), .link(ear, .ended(.connectTimeout)))
    }
    #expect(
      scenario.state.headphones[ear]?.link
        == .reconnecting(Retry(attempt: 6, delay: .seconds(32), after: .connectTimeout)))
  }

  @Test func `after a factory reset the headphone is not connected again by itself`() {
    var scenario = Scenario.withReady()
    scenario.given(.link(ear, .began(.factoryReset)), .link(ear, .ended(.peer)))
    #expect(scenario.state.headphones[ear]?.isWanted == false)
    #expect(scenario.state.notice == Notice("Ear (a) is reset", remedy: .connectOrDisconnect))
    let seen = scenario.effects(of: .discovered(peripheral(ear)))
    #expect(seen.isEmpty)
  }
}
