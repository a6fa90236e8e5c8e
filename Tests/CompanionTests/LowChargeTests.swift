import Companion
import HeadphoneProtocols
import TestSupport
import Testing

/// A low charge is reported once per discharge.
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

  @Test func `a contact of the case that wavers begins no other discharge`() {
    var scenario = Scenario.withReady()
    let alerts = [nil, true, false, true, nil, true, false].flatMap { charging in
      scenario.effects(of: battery(15, charging: charging)).filter {
        if case .notify = $0 { true } else { false }
      }
    }
    #expect(alerts.count == 1)
  }

  /// Between two alerts of a part, there is a charge that is not low, or the second alert is worse.
  @Test func `a part alerts once per discharge, and once more when it is critical`() {
    var random = SeededGenerator(seed: 49)
    for _ in 0..<Thoroughness.rounds(200, thorough: 20_000) {
      var scenario = Scenario.withReady()
      var (level, worst) = (60, 0)
      for _ in 0..<100 {
        level = min(max(level + random.below(9) - 4, 0), 100)
        let charging = [nil, true, false][random.below(3)]
        let alerts = scenario.effects(of: battery(UInt8(level), charging: charging)).filter {
          if case .notify = $0 { true } else { false }
        }
        if level > 25 { worst = 0 }
        let now = level <= 10 ? 2 : level <= 20 ? 1 : 0
        #expect(alerts.count == (charging != true && now > worst ? 1 : 0), "\(level)%")
        if charging != true { worst = max(worst, now) }
      }
    }
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
    scenario.given(.configured(\.thresholds, BatteryThresholds(low: 50, critical: 30)))
    let effects = scenario.effects(of: battery(50))
    #expect(effects.filter { !$0.isOfDesktop }.count == 2)
  }
}
