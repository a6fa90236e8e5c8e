import HeadphoneProtocols
import TestSupport
import Testing

@testable import Companion

@Suite struct `A battery history` {
  private func at(_ minutes: Int64) -> Timestamp {
    Timestamp(milliseconds: noon.milliseconds + minutes * 60_000)
  }

  /// Returns a history of left charges, each a minute and a level.
  private func history(
    _ levels: [(Int64, UInt8)], isCharging: Bool = false, first: Int64? = nil
  ) -> BatteryHistory {
    BatteryHistory(
      levels.map { minutes, level in
        var sample = ChargeSample(minute: at(minutes).minute, isFirst: minutes == first)
        sample[.left] = ChargeSample.Charge(level: level, isCharging: isCharging)
        return sample
      })
  }

  private func scenario() -> Scenario {
    var scenario = Scenario.withReady()
    scenario.given(.charges(ear, BatteryHistory()))
    return scenario
  }

  private func battery(_ left: UInt8, charging: Bool? = nil) -> Action {
    .headphone(ear, .batteryChanged([.left: Battery(level: left, isCharging: charging)]))
  }

  // MARK: What is kept

  @Test func `keeps a change once in ten minutes, and the beginning of charging at once`() {
    var history = BatteryHistory()
    func kept(_ level: UInt8, _ charging: Bool? = nil, _ minutes: Int64) -> Bool {
      history.add([.left: Battery(level: level, isCharging: charging)], at: at(minutes)) != nil
    }
    #expect(kept(90, nil, 0))
    #expect(!kept(89, nil, 9))
    #expect(!kept(90, nil, 40))
    #expect(kept(88, nil, 40))
    #expect(!kept(88, false, 41))
    #expect(kept(88, true, 41))
    #expect(!kept(89, true, 42))
    #expect(history.samples.map { $0[.left]?.level } == [90, 88, 88])
    #expect(history.samples.map(\.isFirst) == [true, false, false])
  }

  @Test(arguments: [false, true])
  func `keeps one sample a minute at most, however often a headphone reports`(flips: Bool) {
    var history = BatteryHistory()
    var last: ChargeSample?
    for second in 0..<3600 as Range<Int64> {
      let battery = Battery(level: UInt8(second % 101), isCharging: flips && second % 2 == 0)
      let now = Timestamp(milliseconds: at(0).minute * 60_000 + second * 1000)
      if let kept = history.add([.left: battery], at: now) { last = kept }
      #expect(history.samples.last == last)
    }
    let minutes = history.samples.map { $0.minute - at(0).minute }
    #expect(minutes == (flips ? [0] + Array(2..<60) : [0, 10, 20, 30, 40, 50]))
  }

  @Test func `starts again after a long absence, not after a short one`() {
    var history = BatteryHistory()
    for (minutes, level) in [(0, 90), (20, 88), (90, 88)] as [(Int64, UInt8)] {
      _ = history.add([.left: Battery(level: level)], at: at(minutes))
      history.interrupt(at: at(minutes))
    }
    #expect(history.samples.map(\.isFirst) == [true, false, true])
  }

  @Test(arguments: [true, false])
  func `goes on where a link or a program was away for a moment, and the level changes later`(
    isRestart: Bool
  ) {
    var history = BatteryHistory()
    _ = history.add([.left: Battery(level: 90)], at: at(0))
    // Away for a minute, long after the last sample in the case of a lost link.
    let back: Int64 = isRestart ? 1 : 50
    if isRestart {
      history = BatteryHistory(history.samples)
    } else {
      history.interrupt(at: at(back - 1))
    }
    #expect(history.add([.left: Battery(level: 90)], at: at(back)) == nil)
    #expect(history.add([.left: Battery(level: 80)], at: at(back + 40))?.isFirst == false)
    #expect(history.samples.allSatisfy { !$0.isResumed })
  }

  @Test func `sets aside what a clock that was ahead has left`() {
    var history = BatteryHistory()
    for minutes in [0, 500, 20] as [Int64] {
      _ = history.add([.left: Battery(level: UInt8(90 - minutes / 10))], at: at(minutes))
    }
    #expect(history.samples.map(\.minute) == [at(0).minute, at(20).minute])
    #expect(history.later.map(\.minute) == [at(500).minute])
    _ = history.add([.left: Battery(level: 10)], at: at(600))
    let all = [0, 20, 500, 600].map { at($0).minute }
    #expect(history.samples.map(\.minute) == all && history.later.isEmpty)
  }

  /// A clock that jumps by hours and years in both directions: 200 walks of 150 samples.
  @Test(arguments: 0..<200)
  func `loses nothing to a clock that jumps`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var history = BatteryHistory()
    var minute: Int64 = 3_000_000
    var kept: [Int64: ChargeSample] = [:]
    for _ in 1...150 {
      switch Int.random(in: 0..<10, using: &random) {
      case 0: minute += .random(in: -600...600, using: &random)
      case 1: minute += .random(in: -5...5, using: &random) * 525_600
      case 2: history.interrupt(at: Timestamp(milliseconds: minute * 60_000))
      case 3:
        history = BatteryHistory(history.samples + history.later, until: minute)
      default: minute += .random(in: 1...40, using: &random)
      }
      let level = Battery(level: .random(in: 0...100, using: &random))
      let now = Timestamp(milliseconds: minute * 60_000)
      if let sample = history.add([.left: level], at: now) { kept[sample.minute] = sample }
      let all = history.samples + history.later
      #expect(all.count == kept.count && all.allSatisfy { kept[$0.minute] == $0 })
      #expect(all.map(\.minute) == all.map(\.minute).sorted())
      #expect(history.samples.allSatisfy { $0.minute <= minute })
    }
  }

  @Test func `is bounded`() {
    var history = BatteryHistory()
    for minutes in 0..<2000 { history.append(ChargeSample(minute: Int64(minutes))) }
    #expect(history.samples.count == BatteryHistory.most && history.samples.last?.minute == 1999)
  }

  @Test func `is kept while the link is up, once that of earlier runs is known`() {
    var scenario = Scenario.withReady()
    #expect(scenario.effects(of: battery(90)) == [])
    let old = history([(-10_000, 50), (100_000, 60)])
    let effects = scenario.effects(of: .charges(ear, old))
    var sample = ChargeSample(minute: noon.minute, isFirst: true)
    sample[.left] = ChargeSample.Charge(level: 90, isCharging: false)
    sample.mode = .noiseCancelling
    #expect(effects == [.keepCharge(ear, sample)])
    #expect(
      scenario.state.headphones[ear]?.charges?.samples.map { $0[.left]?.level } == [50, 90])
    // Another process's, read later, changes nothing.
    #expect(scenario.effects(of: .charges(ear, BatteryHistory())) == [])
    #expect(scenario.state.headphones[ear]?.charges?.samples.count == 2)
  }

  @Test func `ends with the link`() {
    var scenario = scenario()
    scenario.given(battery(90))
    scenario.given(.link(ear, .ended(.timeout)))
    #expect(scenario.state.headphones[ear]?.batteryTrend(of: .left) == nil)
  }

  // MARK: What it leads to

  @Test func `says how long a charge lasts, by the changes of this discharge`() {
    // 30 points in 150 minutes from the first change on: 5 minutes a point.
    let use = history([(-200, 91), (-180, 90), (-105, 75), (-30, 60)])
    let trend = use.trend(of: .left, at: at(0))
    #expect(trend == BatteryTrend(isCharging: false, minutes: 60 * 5 - 30))
    #expect(trend?.displayText == "about 4 h 30 min left")
    #expect(use.trend(of: .right, at: at(0)) == nil)
  }

  @Test func `says how long charging takes`() {
    let trend = history([(-40, 40), (-30, 50), (-10, 70)], isCharging: true)
      .trend(of: .left, at: at(0))
    #expect(trend == BatteryTrend(isCharging: true, minutes: 20))
    #expect(trend?.displayText == "full in about 20 min")
  }

  @Test func `says nothing without enough changes`() {
    let few: [[(Int64, UInt8)]] = [
      [], [(0, 80)], [(-60, 90), (0, 80)], [(-60, 90), (-10, 89), (0, 80)],
      [(-60, 90), (-30, 89), (0, 88)], [(-60, 90), (-30, 90), (0, 90)],
      // Nothing for hours.
      [(-239, 90), (-210, 80), (-181, 70)],
    ]
    for levels in few { #expect(history(levels).trend(of: .left, at: at(0)) == nil, "\(levels)") }
  }

  @Test func `counts from the last time that it was charged or out of sight`() {
    let charged = history([(-100, 20), (-90, 30), (-60, 95), (-40, 90), (-20, 85), (0, 80)])
    #expect(charged.trend(of: .left, at: at(0))?.minutes == 320)
    let absent = history([(-200, 99), (-60, 95), (-40, 90), (-20, 85), (0, 80)], first: -60)
    #expect(absent.trend(of: .left, at: at(0))?.minutes == 320)
  }

  @Test(arguments: [
    (1, "5 min"), (7, "5 min"), (8, "10 min"), (59, "1 h"), (64, "1 h"), (65, "1 h 10 min"),
    (160, "2 h 40 min"), (700, "11 h"),
  ])
  func `is as exact as an estimate can be`(minutes: Int, words: String) {
    #expect(BatteryTrend(isCharging: false, minutes: minutes).displayText == "about \(words) left")
  }

  // MARK: The graph

  @Test func `has a level for each time, and none where nothing is known`() {
    let history = history([(-110, 90), (-80, 70), (-20, 60), (0, 50)], first: -20)
    let levels = history.levels(of: .left, count: 12, minutes: 120, until: at(0))
    #expect(
      levels.map { $0?.level } == [90, 90, 90, 70, 70, nil, nil, nil, nil, 60, 60, 50])
    #expect(history.hours(until: at(0)) == 2)
    #expect(history.hours(until: at(20)) == 4)
    #expect(history.hours(until: at(5000)) == 2)
    #expect(BatteryHistory().levels(of: .left, count: 2, minutes: 60, until: noon) == [nil, nil])
  }
}
