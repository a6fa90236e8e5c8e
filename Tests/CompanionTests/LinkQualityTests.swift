import BluetoothCodec
import BluetoothRadio
import HeadphoneProtocols
import Testing

@testable import Companion

/// The quality of links is measured only while a screen shows it.
@Suite struct LinkQualityTests {
  private let begin: [Effect] = [.measure(ear), .startTimer(.measure, .exactly(.seconds(2)))]

  @Test func `the information page measures every 2 s until it closes`() {
    var scenario = Scenario.withReady()
    scenario.press(.info, effects: begin) {
      $0.page = .info(line: 0)
      $0.screens = [.info: 1]
      $0.isMeasuring = true
    }
    scenario.send(.timerFired(.measure), effects: begin)
    scenario.press(.back, effects: [.cancelTimer(.measure)]) {
      $0.page = .main
      $0.screens = [:]
      $0.isMeasuring = false
    }
    scenario.send(.timerFired(.measure))
  }

  @Test func `nothing is measured without a link, and it begins with the link`() {
    var scenario = Scenario.withHeadphone()
    scenario.press(.info) {
      $0.page = .info(line: 0)
      $0.screens = [.info: 1]
    }
    scenario.given(.pressed(.connectOrDisconnect), .link(ear, .connected))
    let effects = scenario.effects(
      of: .link(ear, .ready(description(of: allFeatures), isEncrypted: false)))
    #expect(effects.suffix(2) == begin[...])
    let ended = scenario.effects(of: .link(ear, .ended(.peer)))
    #expect(ended.contains(.cancelTimer(.measure)))
  }

  @Test func `another screen's page counts, until that screen is gone`() {
    var state = Scenario.withReady().state
    var other = state.firstViewpoint
    func send(_ action: Action) -> [Effect] {
      let own = state.viewpoint
      state = state.seen(from: other)
      defer {
        other = state.viewpoint
        state.viewpoint = own
      }
      return state.reduce(action, at: noon)
    }
    #expect(send(.pressed(.info)) == begin)
    #expect(state.reduce(.pressed(.info), at: noon).isEmpty)
    #expect(state.reduce(.pressed(.back), at: noon).isEmpty)
    #expect(state.isMeasuring)
    #expect(send(.screenLeft) == [.cancelTimer(.measure)])
  }

  @Test func `what was measured is shown, and goes with the link`() {
    var scenario = Scenario.withReady()
    let quality = LinkQuality(
      rssi: -61, timing: LEConnectionTiming(interval: 9, latency: 0, supervisionTimeout: 400),
      transmit: .le2M, receive: .le1M)
    scenario.send(.measured(ear, quality)) {
      $0.headphones.update(ear) {
        $0.rssi = -61
        $0.quality = quality
        $0.trend.add(-61)
      }
    }
    let lines = scenario.state.infoLines
    #expect(lines.contains { $0.value == "interval 11.25 ms, latency 0, timeout 4000 ms" })
    #expect(lines.contains { $0.value == "LE 2M out, LE 1M in" })
    scenario.given(.measured(ear, LinkQuality(holder: "bluetoothd")))
    let held = scenario.state.infoLines.first { $0.label == "Control link" }
    #expect(held?.value == "ready, through bluetoothd, which holds it")
    scenario.given(.pressed(.dropControlLink))
    let after = scenario.state.headphones[ear]
    #expect(after?.quality == LinkQuality() && after?.trend == SignalTrend())
  }
}
