import AudioRoute
import BluetoothCodec
import BluetoothRadio
import HeadphoneProtocols
import TestSupport
import Testing

@testable import Companion

extension SoundFollowingTests {
  /// The table of docs/audio.md as a model: what may be awaited, and for how long.
  private struct Table {
    var isNear = false, isServerThere = true, hasSink = false, isAsked = false, isTrying = false
    var isDeclined = false, isOwnSuccess = false
    var failures = 0
    var lastAttempt: Int64?, arrival: Int64?

    /// The seconds that a trigger starts to wait for; nil: nothing is tried.
    func pause(at second: Int64) -> Int64? {
      guard isNear, isServerThere, !hasSink, !isDeclined, !isTrying else { return nil }
      guard let lastAttempt else { return 5 }
      return max(5, (60 << min(max(0, Int64(failures) - 1), 5)) - (second - lastAttempt))
    }
  }

  private enum Event: CaseIterable {
    case near, far, server, noServer, sink, noSink, timer, fails, declined, time
  }

  @Test func `whatever comes and goes, the table of the documentation holds`() {
    var random = SeededGenerator(seed: 49)
    var attempts = 0
    for _ in 0..<Thoroughness.rounds(200, thorough: 20_000) {
      var (scenario, table, second) = (known(), Table(), Int64(0))
      var story: [Event] = []
      for _ in 0..<60 {
        let event = Event.allCases[random.below(Event.allCases.count)]
        guard let effects = happens(event, &scenario, &table, &second, &random) else { continue }
        story.append(event)
        let isTried = self.attempts(effects)
        let waits = effects.compactMap { effect -> Duration? in
          if case .startTimer(.follow(ear), .exactly(let pause)) = effect { pause } else { nil }
        }
        let isTrigger = event == .near || event == .server
        let isNew = isTrigger && !table.isAsked
        let pause = isNew ? table.pause(at: second) : nil
        #expect(waits == (pause.map { [.seconds($0)] } ?? []), "\(story), second \(second)")
        if pause != nil { table.isAsked = true }
        let isDue = event == .timer && table.isAsked
        #expect(isTried == (isDue && table.pause(at: second) != nil), "\(story), second \(second)")
        if event == .timer { table.isAsked = false }
        if isTried {
          attempts += 1
          (table.isTrying, table.lastAttempt) = (true, second)
          table.failures += 1
        }
        // Nothing is awaited while it cannot come.
        if !table.isNear || table.hasSink { table.isAsked = false }
        #expect(scenario.state.headphones[ear]?.care.follow.isAwaited == table.isAsked, "\(story)")
        #expect(isDeclined(scenario) == table.isDeclined, "\(story)")
      }
    }
    #expect(attempts > 50)
  }

  /// Carries out what may happen now, and says what the table makes of it; nil: it may not.
  private func happens(
    _ event: Event, _ scenario: inout Scenario, _ table: inout Table, _ second: inout Int64,
    _ random: inout SeededGenerator
  ) -> [Effect]? {
    scenario.now = after(second)
    switch event {
    case .near:
      guard !table.isNear else { return nil }
      scenario.given(.timerFired(.reconnect(ear)))
      table.isNear = true
      return connect(&scenario)
    case .far:
      guard table.isNear else { return nil }
      table.isNear = false
      return scenario.effects(of: .link(ear, .ended(.timeout)))
    case .noServer:
      guard table.isServerThere else { return nil }
      table.isServerThere = false
      return scenario.effects(of: .audio(.unavailable(.serverEnded)))
    case .server:
      guard !table.isServerThere else { return nil }
      table.isServerThere = true
      return scenario.effects(of: table.hasSink ? here : away)
    case .sink:
      guard table.isServerThere, !table.hasSink else { return nil }
      (table.hasSink, table.isDeclined, table.isOwnSuccess) = (true, false, table.isTrying)
      (table.isTrying, table.failures, table.lastAttempt) = (false, 0, nil)
      table.arrival = second
      return scenario.effects(of: here)
    case .noSink:
      guard table.isServerThere, table.hasSink else { return nil }
      if table.isOwnSuccess, let arrival = table.arrival, second - arrival < 10 {
        table.isDeclined = true
      }
      (table.hasSink, table.isOwnSuccess, table.arrival) = (false, false, nil)
      return scenario.effects(of: away)
    case .timer: return scenario.effects(of: .timerFired(.follow(ear)))
    case .fails:
      guard table.isTrying else { return nil }
      table.isTrying = false
      return scenario.effects(of: .soundLink(ear, .failed("it is busy", advice: "")))
    case .declined:
      guard table.hasSink else { return nil }
      table.isDeclined = true
      return scenario.effects(of: .soundLink(ear, .disconnected))
    case .time:
      second += Int64(random.below(90))
      return []
    }
  }
}
