import BluetoothCodec
import BluetoothRadio
import HeadphoneProtocols
import Testing

@testable import Companion

@Suite struct FinderTests {
  private func at(_ minutes: Int64) -> Timestamp {
    Timestamp(milliseconds: noon.milliseconds + minutes * 60_000)
  }

  /// Returns the finder over a headphone that advertises.
  private func finder() -> Scenario {
    var scenario = Scenario.withHeadphone()
    scenario.given(.pressed(.find), .scan(.started))
    return scenario
  }

  private func value(_ scenario: Scenario, _ label: String) -> String? {
    scenario.state.finderLines.first { $0.label == label }?.value
  }

  @Test func `scans while it is open, again after each pause, and not behind it`() {
    var scenario = Scenario.withHeadphone()
    #expect(scenario.effects(of: .pressed(.find)) == [.startScan])
    scenario.given(.scan(.started))
    let pause = Effect.startTimer(.findAgain, .exactly(.seconds(1)))
    #expect(scenario.effects(of: .scan(.ended)) == [pause])
    #expect(scenario.effects(of: .discovered(peripheral(ear))) == [])
    #expect(
      scenario.effects(of: .timerFired(.findAgain)) == [.cancelTimer(.findAgain), .startScan])
    scenario.given(.scan(.started), .scan(.ended))
    #expect(scenario.effects(of: .pressed(.back)) == [.cancelTimer(.findAgain)])
    #expect(scenario.effects(of: .timerFired(.findAgain)) == [])
    scenario.given(.scan(.started))
    #expect(scenario.effects(of: .scan(.ended)) == [])
  }

  @Test func `a scan that is denied is not tried again and again`() {
    var scenario = finder()
    scenario.given(.scan(.denied(capability: "CAP_NET_RAW", isBluetoothdGone: false)))
    #expect(scenario.effects(of: .timerFired(.findAgain)) == [])
    #expect(scenario.state.nearnessProblem?.contains("doctor") == true)
  }

  @Test func `the bar follows the middle one of three advertisements`() {
    var scenario = finder()
    #expect(scenario.state.nearness == nil)
    scenario.given(.discovered(peripheral(ear, rssi: -80)))
    #expect(scenario.state.nearness == Nearness(strength: -80, direction: nil))
    for rssi: Int8 in [-82, -20, -81] { scenario.given(.discovered(peripheral(ear, rssi: rssi))) }
    #expect(scenario.state.nearness?.strength == -81)
    #expect(scenario.state.nearness?.displayText == "far")
    for rssi: Int8 in [-60, -55, -48, -47, -46, -45] {
      scenario.given(.discovered(peripheral(ear, rssi: rssi)))
    }
    #expect(scenario.state.nearness?.displayText == "very near, coming closer")
    #expect(scenario.state.nearness?.percent == 90)
    scenario.given(.scan(.ended))
    #expect(scenario.state.nearness == nil)
  }

  @Test func `one too far off to be used is followed, and is neither listed nor connected`() {
    var scenario = finder()
    #expect(scenario.effects(of: .discovered(peripheral(ear, rssi: -97))) == [])
    #expect(scenario.state.nearness?.displayText == "far")
    #expect(scenario.state.nearness?.strength == -97)
    #expect(scenario.effects(of: .discovered(peripheral(bud, rssi: -97))) == [])
    #expect(scenario.state.headphones[bud] == nil)
    scenario.given(.discovered(peripheral(bud, rssi: -90)))
    #expect(scenario.state.headphones[bud] != nil)
  }

  @Test func `a headphone that a whole scan has not heard is near no more`() {
    var scenario = finder()
    scenario.now = at(1)
    scenario.given(.discovered(peripheral(ear, rssi: -45)), .scan(.ended))
    scenario.now = at(2)
    scenario.given(.timerFired(.findAgain), .scan(.started))
    #expect(scenario.state.nearness?.displayText == "very near")
    scenario.now = at(3)
    scenario.given(.scan(.ended), .timerFired(.findAgain), .scan(.started))
    #expect(scenario.state.nearness == nil)
    #expect(scenario.state.nearnessProblem == "listening: nothing received of it yet")
    scenario.given(.discovered(peripheral(ear, rssi: -85)))
    #expect(scenario.state.nearness?.displayText == "far")
  }

  @Test func `a connected one is not measured where the kernel forbids it, and says so`() {
    var scenario = Scenario.withFinder()
    #expect(scenario.state.nearness == nil)
    #expect(scenario.state.nearnessProblem?.contains("ring it") == true)
    var quality = LinkQuality()
    quality.rssi = -52
    scenario.given(.measured(ear, quality))
    #expect(scenario.state.nearness?.strength == -52)
    #expect(scenario.state.nearnessProblem == nil)
  }

  @Test func `says when and where each bud was last heard`() {
    var scenario = Scenario.withFinder()
    scenario.now = at(-1)
    scenario.given(
      .headphone(
        ear, .batteryChanged([.left: Battery(level: 80), .right: Battery(level: 70)])),
      .headphone(ear, .wearingChanged(Wearing(left: true, right: true))))
    scenario.now = at(7)
    scenario.given(
      .headphone(ear, .wearingChanged(Wearing(left: nil, right: false))),
      .headphone(ear, .batteryChanged([.right: Battery(level: 70, isCharging: true)])))
    #expect(value(scenario, "Left bud") == "at 14:02, while worn")
    #expect(value(scenario, "Right bud") == "at 14:10, while charging")
    #expect(value(scenario, "Last heard") == "connected now")
    scenario.now = at(8)
    let ended = scenario.effects(of: .link(ear, .ended(.timeout)))
    #expect(ended.contains { if case .keep(.sightings, _) = $0 { true } else { false } })
    #expect(value(scenario, "Last heard") == "at 14:10")
    scenario.now = at(24 * 60)
    scenario.given(.noted(.info, nil, "the next day"))
    #expect(value(scenario, "Left bud") == "on 1970-01-01 at 14:02, while worn")
  }

  @Test func `what earlier runs heard is still there`() throws {
    var sightings = BudSightings()
    sightings[.right] = Sighting(at: at(0), place: .takenOff)
    let known = KnownHeadphone(
      id: ear, name: "Ear (a)", address: randomPeer("F0:F1:F2:F3:F4:F5"), lastUsed: at(-5),
      sightings: sightings)
    var scenario = Scenario()
    scenario.given(.launched([known], autoConnect: .never), .adapterChanged(hci0))
    #expect(value(scenario, "Right bud") == "at 14:03, out of the ear")
    #expect(value(scenario, "Left bud") == nil)
    #expect(try KnownHeadphone(#require(scenario.state.headphones[ear])).sightings == sightings)
  }

  @Test func `says which bud rings`() {
    var scenario = Scenario.withReady()
    scenario.given(.pressed(.find), .scan(.started))
    #expect(value(scenario, "Sound") == nil)
    scenario.given(.headphone(ear, .findChanged(.left)))
    #expect(value(scenario, "Sound") == "the left bud is ringing")
  }

  @Test func `rings only what can ring`() {
    var scenario = Scenario.withReady(Capabilities())
    scenario.given(.pressed(.find), .scan(.started))
    scenario.press(.find, effects: [.noticeTimer]) {
      $0.explains("this headphone has no find-me sound", ear)
    }
  }
}
