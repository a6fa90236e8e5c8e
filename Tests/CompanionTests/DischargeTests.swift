import HeadphoneProtocols
import Testing

@testable import Companion

/// Monthly figures, which are only taken from comparable uses.
@Suite struct `How long a full charge lasts` {
  private static let day: Int64 = 24 * 60

  private func at(_ minutes: Int64) -> Timestamp {
    Timestamp(milliseconds: noon.milliseconds + minutes * 60_000)
  }

  /// Adds one use of both buds, reported every half hour, after which they are put into the case.
  private func use(
    _ history: inout BatteryHistory, from start: Int64, lasting life: Int, mode: ANCMode? = nil,
    step: Int = 1, reports: [(inout [Part: Battery], Int) -> Void] = []
  ) {
    for place in 0...5 {
      let level = (96 - place * 30 * 100 / life) / step * step
      var battery: [Part: Battery] = [
        .left: Battery(level: UInt8(level)), .right: Battery(level: UInt8(level + step)),
      ]
      for report in reports { report(&battery, place) }
      _ = history.add(battery, mode: mode, at: at(start + Int64(place * 30)))
    }
    let charging = Battery(level: 40, isCharging: true)
    _ = history.add([.left: charging, .right: charging], at: at(start + 170))
  }

  private func history(
    days: Int = 6, lasting life: Int = 300, mode: ANCMode? = nil, step: Int = 1,
    reports: [(inout [Part: Battery], Int) -> Void] = []
  ) -> BatteryHistory {
    var history = BatteryHistory()
    for day in 0..<days {
      use(
        &history, from: Int64(day) * Self.day, lasting: life, mode: mode, step: step,
        reports: reports)
    }
    return history
  }

  private func words(_ history: BatteryHistory, preferring mode: ANCMode? = nil) -> String? {
    let now = at(10 * Self.day)
    return history.age(preferring: mode, at: now)?.displayText(at: now)
  }

  @Test func `is the median of discharges, by the bud that is empty first`() {
    let history = history()
    #expect(history.discharges.count == 6)
    #expect(
      history.discharges.first
        == Discharge(
          minute: at(30).minute, minutes: 120, mode: nil, left: .init(from: 86, to: 46),
          right: .init(from: 87, to: 47)))
    #expect(words(history) == "lasts about 5 h")
  }

  @Test func `a use begins with all that a headphone reports at its connection`() {
    var history = BatteryHistory()
    // One bud after the other, an old level at first, and the noise mode last.
    let (left, right) = (Battery(level: 96), Battery(level: 97))
    #expect(history.add([.left: Battery(level: 70)], at: at(0))?.isFirst == true)
    #expect(history.add([.left: left], at: at(0))?.isFirst == true)
    #expect(history.add([.left: left, .right: right], at: at(0))?.isFirst == true)
    #expect(history.add([.left: left, .right: right], at: at(0)) == nil)
    #expect(history.add([.left: left, .right: right], mode: .off, at: at(1))?.mode == .off)
    #expect(history.samples.map(\.minute) == [at(0).minute])
    for (minutes, level) in [(30, UInt8(86)), (60, 76), (90, 66)] {
      let (left, right) = (Battery(level: level), Battery(level: level + 1))
      _ = history.add([.left: left, .right: right], mode: .off, at: at(Int64(minutes)))
    }
    let charging = Battery(level: 66, isCharging: true)
    _ = history.add([.left: charging, .right: charging], mode: .off, at: at(100))
    #expect(history.discharges.map(\.minutes) == [60])
  }

  @Test func `is unknown from four discharges, and from old ones`() {
    #expect(words(history(days: 4)) == nil)
    #expect(words(history(days: 5)) == "lasts about 5 h")
    #expect(history(days: 5).age(preferring: nil, at: at(100 * Self.day)) == nil)
  }

  @Test(arguments: [5, 10, 25])
  func `is unknown from coarse levels`(step: Int) {
    #expect(history(lasting: 200, step: step).discharges == [])
  }

  @Test func `is unknown from levels that the headphone reports in steps`() {
    let steps = history(
      lasting: 200,
      reports: [
        { battery, place in battery[.left] = Battery(step: UInt8(7 - place), of: 7) }
      ])
    #expect(steps.discharges == [])
  }

  @Test func `is unknown where one bud was used, or lay about, or was charged`() {
    let alone = history(reports: [{ battery, _ in battery[.right] = nil }])
    #expect(alone.discharges.count == 6)
    var mixed = history(days: 4)
    for day in 4..<8 {
      use(
        &mixed, from: Int64(day) * Self.day, lasting: 300,
        reports: [{ battery, _ in battery[.right] = nil }])
    }
    #expect(mixed.discharges.count == 8 && words(mixed) == nil)
    #expect(
      history(reports: [{ battery, _ in battery[.right] = Battery(level: 100) }]).discharges == [])
    let charged = history(reports: [
      { battery, place in
        if place == 3 { battery[.right] = Battery(level: 60, isCharging: true) }
      }
    ])
    #expect(charged.discharges == [])
  }

  @Test func `is of one noise mode, the present one first`() {
    var both = history(days: 6, lasting: 300, mode: .noiseCancelling)
    for day in 6..<15 { use(&both, from: Int64(day) * Self.day, lasting: 400, mode: .off) }
    let now = at(15 * Self.day)
    func words(_ mode: ANCMode?) -> String? {
      both.age(preferring: mode, at: now)?.displayText(at: now)
    }
    #expect(words(.noiseCancelling) == "lasts about 5 h with noise cancelling")
    #expect(words(.off) == "lasts about 6 h 40 min with noise control off")
    #expect(words(.transparency) == words(.off))
  }

  @Test func `does not count the time with another mode, or out of sight`() {
    var history = BatteryHistory()
    func report(_ minutes: Int64, _ level: UInt8, _ mode: ANCMode = .off) {
      _ = history.add([.left: Battery(level: level)], mode: mode, at: at(minutes))
    }
    for (minutes, level) in [(0, 97), (30, 86), (60, 76)] as [(Int64, UInt8)] {
      report(minutes, level)
    }
    history.interrupt(at: at(62))
    report(63, 75)
    history.interrupt(at: at(66))
    report(70, 74)
    report(90, 66)
    #expect(history.samples.allSatisfy { !$0.isResumed })
    history.interrupt(at: at(95))
    report(110, 65)
    #expect(history.samples.last?.isResumed == true)
    #expect(history.discharges.map(\.minutes) == [60])
    report(140, 55)
    report(170, 45)
    report(200, 34)
    report(201, 33, .transparency)
    report(211, 30, .transparency)
    #expect(history.discharges.map(\.minutes) == [60, 60])
    #expect(history.discharges.last?.mode == .off)
  }

  @Test func `says how it was in the first month with a figure`() {
    var history = BatteryHistory()
    for day in 0..<6 { use(&history, from: Int64(day) * Self.day, lasting: 360) }
    for day in 200..<206 { use(&history, from: Int64(day) * Self.day, lasting: 250) }
    func words(_ day: Int64) -> String? {
      history.age(preferring: nil, at: at(day * Self.day))?.displayText(at: at(day * Self.day))
    }
    #expect(words(207) == "lasts about 4 h 10 min; 6 h in January")
    for day in 400..<406 { use(&history, from: Int64(day) * Self.day, lasting: 250) }
    #expect(words(407) == "lasts about 4 h 10 min; 6 h in January 1970")
    #expect(
      history.months(utcOffset: 0).map(\.month) == ["1970-01", "1970-07", "1971-02"])
  }

  @Test func `is kept once, also where a crash lost the sample that ended it`() {
    let whole = history(days: 6)
    let lost = BatteryHistory(
      whole.samples.filter { $0.minute < at(5 * Self.day + 170).minute },
      discharges: whole.discharges)
    var later = lost
    #expect(later.discharges.count == 6)
    _ = later.add([.left: Battery(level: 90)], at: at(6 * Self.day))
    #expect(later.discharges == whole.discharges)
    var old = BatteryHistory(lost.samples, discharges: whole.discharges.dropLast())
    _ = old.add([.left: Battery(level: 90)], at: at(6 * Self.day))
    #expect(old.discharges == whole.discharges)
  }

  @Test func `is kept once, and shown on the information page`() {
    var scenario = Scenario.withReady()
    scenario.now = at(10 * Self.day)
    scenario.given(.charges(ear, history(days: 5, mode: .noiseCancelling)))
    var kept: [Effect] = []
    for place in 0...6 {
      scenario.now = at(10 * Self.day + Int64(place * 30))
      let level = place == 6 ? 95 : 90 - place * 10
      kept += scenario.effects(
        of: .headphone(
          ear,
          .batteryChanged([
            .left: Battery(level: UInt8(level)), .right: Battery(level: UInt8(level + 1)),
          ])))
    }
    let discharges = kept.filter { if case .keepDischarge = $0 { true } else { false } }
    #expect(discharges.count == 1)
    #expect(
      scenario.state.infoLines.first { $0.label == "Full charge" }?.value
        == "lasts about 5 h with noise cancelling")
  }
}
