import Companion
import HeadphoneProtocols
import Testing

/// The uses of a link other than its ordinary service.
@Suite struct ActivityTests {
  @Test func `restarting into new firmware lasts until the headphone is back`() {
    var scenario = Scenario.withUpdate()
    scenario.given(.firmware(ear, .progressed(progress(.restarting, 77_831))))
    let lost = scenario.effects(of: .link(ear, .ended(.peer)))
    #expect(
      scenario.state.headphones[ear]?.link == .firmwareRestarting(Retry(attempt: 1, after: .peer)))
    #expect(
      lost.prefix(2) == [
        .cancelTimer(.steady(ear)), .startTimer(.reconnect(ear), .about(.seconds(1))),
      ])
    let retry = scenario.effects(of: .timerFired(.reconnect(ear)))
    #expect(retry == [.connect(ear)])
    scenario.given(.link(ear, .ended(.connectTimeout)))
    #expect(
      scenario.state.headphones[ear]?.link
        == .firmwareRestarting(Retry(attempt: 2, after: .connectTimeout)))
    scenario.given(
      .timerFired(.reconnect(ear)), .link(ear, .connected),
      .link(ear, .ready(description(), isEncrypted: false)))
    #expect(
      scenario.state.headphones[ear]?.link == .connected(.firmwareUpdate, .backoff(failures: 2)))
    scenario.given(.link(ear, .ended(.timeout)))
    #expect(
      scenario.state.headphones[ear]?.link
        == .reconnecting(Retry(attempt: 3, after: .timeout, repeats: 1)))
  }

  @Test func `a headphone that does not come back from a restart is lost like any other`() {
    var scenario = Scenario.withUpdate()
    scenario.given(
      .firmware(ear, .progressed(progress(.restarting, 77_831))), .link(ear, .ended(.peer)))
    for _ in 0..<5 {
      guard case .firmwareRestarting(.some) = scenario.state.headphones[ear]?.link else {
        Issue.record("it is awaited no longer")
        return
      }
      scenario.given(.timerFired(.reconnect(ear)), .link(ear, .ended(.connectTimeout)))
    }
    #expect(
      scenario.state.headphones[ear]?.link
        == .reconnecting(Retry(attempt: 6, after: .connectTimeout)))
  }

  @Test func `after a factory reset the headphone is not connected again by itself`() {
    var scenario = Scenario.withReset()
    scenario.given(.link(ear, .ended(.peer)))
    #expect(scenario.state.headphones[ear]?.link == .unwanted(.idle))
    #expect(scenario.state.notice == Notice("Ear (a) is reset", remedy: .connectOrDisconnect))
    let seen = scenario.effects(of: .discovered(peripheral(ear)))
    #expect(seen.isEmpty)
  }
}
