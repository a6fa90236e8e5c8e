import Companion
import HeadphoneProtocols
import Testing

/// A low charge is told once per discharge.
@Suite struct LowChargeTests {
  private func battery(_ left: UInt8, charging: Bool? = nil) -> Action {
    .headphone(ear, .batteryChanged([.left: Battery(level: left, isCharging: charging)]))
  }

  private func notifications(_ levels: [UInt8]) -> [String] {
    var scenario = Scenario.withReady()
    return levels.flatMap { level in
      scenario.effects(of: battery(level)).compactMap { effect in
        guard case .notify(let summary, let body) = effect else { return nil }
        return "\(summary): \(body)"
      }
    }
  }

  @Test func `low is reported once, and critical once more`() {
    #expect(
      notifications([40, 20, 19, 20, 21, 15, 10, 9, 3]) == [
        "Ear (a): battery is low: left 20%",
        "Ear (a): battery is nearly empty: left 10%",
      ])
  }

  @Test func `a new discharge is reported again`() {
    #expect(notifications([20, 26, 19]).count == 2)
    #expect(notifications([20, 25, 19]).count == 1)
  }

  @Test func `what charges is not low`() {
    var scenario = Scenario.withReady()
    let charging = scenario.effects(of: battery(5, charging: true))
    #expect(charging.filter { !$0.isOfDesktop } == [])
    let unplugged = scenario.effects(of: battery(6, charging: false))
    #expect(unplugged.filter { !$0.isOfDesktop }.count == 2)
    #expect(scenario.state.notice?.text == "Ear (a): battery is nearly empty: left 6%")
    let news = scenario.state.log.lines.filter { $0.level >= .info }.suffix(2)
    #expect(news.last?.text == "battery is nearly empty: left 6%" && news.last?.level == .warning)
    #expect(news.first?.text.contains("left 6%") == false, "what the alert says is said twice")
  }

  @Test func `the thresholds are the person's`() {
    var scenario = Scenario.withReady()
    scenario.given(.thresholdsChanged(BatteryThresholds(low: 50, critical: 30)))
    let effects = scenario.effects(of: battery(50))
    #expect(effects.filter { !$0.isOfDesktop }.count == 2)
  }
}
