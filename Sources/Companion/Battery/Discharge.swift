package import HeadphoneProtocols

/// One uninterrupted use of the buds, from a charge down to a lower one.
///
/// The ageing of a battery over months shows only in comparable uses. A use therefore ends with any
/// change: a bud is put away or taken out, charging begins, the noise mode changes, or the
/// headphone is absent for five minutes.
package struct Discharge: Hashable, Sendable {
  /// The charges of one bud in % at both ends.
  package struct Drop: Hashable, Sendable {
    package var from: UInt8
    package var to: UInt8

    package init(from: UInt8, to: UInt8) {
      self.from = from
      self.to = to
    }

    fileprivate var points: Int { max(0, Int(from) - Int(to)) }
  }

  /// The start in whole minutes since 1970-01-01 00:00 UTC.
  package var minute: Int64
  package var minutes: Int
  package var mode: ANCMode?
  /// The left bud or an over-ear headphone; nil if not in use.
  package var left: Drop?
  /// The right bud; nil if not in use.
  package var right: Drop?

  package init(minute: Int64, minutes: Int, mode: ANCMode?, left: Drop?, right: Drop?) {
    self.minute = minute
    self.minutes = minutes
    self.mode = mode
    self.left = left
    self.right = right
  }

  fileprivate var isOfBoth: Bool { left != nil && right != nil }

  /// The minutes that a full charge would have lasted, until the first bud is empty.
  fileprivate var fullMinutes: Int? {
    let points = max(left?.points ?? 0, right?.points ?? 0)
    return points == 0 ? nil : minutes * 100 / points
  }
}

extension Discharge {
  /// The minimum drop in percentage points; a smaller one is within the noise of a gauge.
  private static let leastPoints = 20
  private static let leastMinutes: Int64 = 30
  /// The smallest step of a charge, in percentage points, that is too coarse to measure by.
  private static let coarseStep = 5

  /// Creates the discharge of uninterrupted samples, or fails if it is too short or coarse.
  ///
  /// The first sample only gives the state before the first change.
  init?(_ run: some BidirectionalCollection<ChargeSample>) {
    guard let first = run.dropFirst().first, let last = run.last,
      last.minute - first.minute >= Self.leastMinutes
    else { return nil }
    self.init(
      minute: first.minute, minutes: Int(last.minute - first.minute), mode: first.mode,
      left: Drop(of: .left, from: first, to: last), right: Drop(of: .right, from: first, to: last))
    let steps = run.reduce(0) { steps, sample in
      [sample[.left], sample[.right]].compactMap { $0.map { Int($0.level) } }
        .reduce(steps, greatestCommonDivisor)
    }
    let points = [left, right].compactMap { $0?.points }
    // A bud that lost hardly any charge was not in use.
    guard let most = points.max(), let fewest = points.min(), most >= Self.leastPoints,
      fewest >= most / 4, steps < Self.coarseStep, !run.contains(where: \.isCoarse)
    else { return nil }
  }
}

extension Discharge.Drop {
  fileprivate init?(of part: Part, from first: ChargeSample, to last: ChargeSample) {
    guard let from = first.use(of: part), let to = last.use(of: part) else { return nil }
    self.init(from: from, to: min(from, to))
  }
}

extension ChargeSample {
  fileprivate func use(of part: Part) -> UInt8? {
    self[part].flatMap { $0.isCharging ? nil : $0.level }
  }

  /// Whether the use continues from `earlier`; a gauge may rise by one point.
  func continuesUse(since earlier: ChargeSample) -> Bool {
    guard !isFirst, !isResumed, mode == earlier.mode, (1...180).contains(minute - earlier.minute)
    else { return false }
    let uses = [Part.left, .right].map { (before: earlier.use(of: $0), now: use(of: $0)) }
    return uses.contains { $0.now != nil }
      && uses.allSatisfy { before, now in
        if let before, let now { now <= before + 1 } else { before == nil && now == nil }
      }
  }
}

private func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
  b == 0 ? a : greatestCommonDivisor(b, a % b)
}

/// The duration of a full charge, estimated from several discharges.
package struct BatteryLife: Hashable, Sendable {
  /// The minimum number of discharges; an estimate from fewer is too uncertain.
  package static let leastDischarges = 5

  package var minutes: Int
  package var discharges: Int

  fileprivate init?(_ discharges: [Discharge]) {
    let lasting = discharges.compactMap(\.fullMinutes).sorted()
    guard lasting.count >= Self.leastDischarges else { return nil }
    minutes = lasting[lasting.count / 2]
    self.discharges = lasting.count
  }

  package var displayText: String { approximateDuration(minutes: minutes) }
}

package struct BatteryMonth: Hashable, Sendable {
  /// The local month: "2026-03".
  package var month: String
  package var mode: ANCMode?
  package var discharges: Int
  package var life: BatteryLife?
}

package struct BatteryAge: Hashable, Sendable {
  package var mode: ANCMode?
  package var now: BatteryLife
  /// The first month with a figure; nil if there is none before the last weeks.
  package var before: BatteryMonth?

  /// Returns text such as "lasts about 4 h 10 min with noise cancelling; 6 h in March".
  ///
  /// - Parameter timestamp: the current time; the year is given if the month is long ago.
  package func displayText(at timestamp: Timestamp) -> String {
    let mode = mode.map { " with \($0.useText)" } ?? ""
    let text = "lasts about \(now.displayText)\(mode)"
    guard let before, let life = before.life else { return text }
    return "\(text); \(life.displayText) in \(monthText(before.month, at: timestamp))"
  }
}

extension ANCMode {
  fileprivate var useText: String { self == .off ? "noise control off" : title.lowercased() }
}

private func monthText(_ month: String, at timestamp: Timestamp) -> String {
  let names = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
  func parts(_ text: some StringProtocol) -> [Int] {
    text.split(separator: "-").compactMap { Int($0) }
  }
  let (then, now) = (parts(month), parts(timestamp.date))
  guard then.count == 2, now.count == 3, names.indices.contains(then[1] - 1) else { return month }
  let name = names[then[1] - 1]
  return (now[0] - then[0]) * 12 + now[1] - then[1] < 12 ? name : "\(name) \(then[0])"
}

extension BatteryHistory {
  /// The discharge of the last samples; nil if it is not worth keeping.
  var lastUse: Discharge? {
    var start = samples.endIndex - 1
    guard start > samples.startIndex else { return nil }
    while start > samples.startIndex, samples[start].continuesUse(since: samples[start - 1]) {
      start -= 1
    }
    return Discharge(samples[start...])
  }

  private var comparable: [Discharge] {
    discharges.contains(where: \.isOfBoth) ? discharges.filter(\.isOfBoth) : discharges
  }

  /// Returns the local months with discharges, oldest first, and within them the modes.
  package func months(utcOffset: Int32) -> [BatteryMonth] {
    let groups = Dictionary(grouping: comparable) { discharge in
      MonthAndMode(month: discharge.month(utcOffset: utcOffset), mode: discharge.mode)
    }
    return groups.map { group, discharges in
      BatteryMonth(
        month: group.month, mode: group.mode, discharges: discharges.count,
        life: BatteryLife(discharges))
    }.sorted { ($0.month, $0.mode?.rawValue ?? 0) < ($1.month, $1.mode?.rawValue ?? 0) }
  }

  private struct MonthAndMode: Hashable {
    var month: String
    var mode: ANCMode?
  }

  /// Returns the age of the battery, by the last ten discharges of 90 days in one mode.
  ///
  /// Without a figure for `mode`, the mode with the most discharges is used.
  ///
  /// - Returns: nil with fewer than five discharges.
  package func age(preferring mode: ANCMode?, at timestamp: Timestamp) -> BatteryAge? {
    let oldest = timestamp.minute - 90 * 24 * 60
    let recent = Dictionary(grouping: comparable.filter { $0.minute >= oldest }, by: \.mode)
    let ages = recent.compactMap { mode, discharges in
      BatteryLife(Array(discharges.suffix(10))).map { (mode, $0, discharges.count) }
    }
    guard
      let (mode, now, _) = ages.first(where: { $0.0 == mode })
        ?? ages.max(by: { ($0.2, $0.0?.rawValue ?? 0) < ($1.2, $1.0?.rawValue ?? 0) })
    else { return nil }
    let firstOfNow = Timestamp(milliseconds: oldest * 60_000, utcOffset: timestamp.utcOffset)
    let before = months(utcOffset: timestamp.utcOffset).first {
      $0.mode == mode && $0.life != nil && $0.month < firstOfNow.month
    }
    return BatteryAge(mode: mode, now: now, before: before)
  }
}

extension Discharge {
  fileprivate func month(utcOffset: Int32) -> String {
    Timestamp(milliseconds: minute * 60_000, utcOffset: utcOffset).month
  }
}

extension Timestamp {
  fileprivate var month: String { String(date.dropLast(3)) }
}

extension State {
  func batteryAge(of headphone: HeadphoneState) -> String? {
    guard let now = headphone.lastPacket ?? headphone.received?.upperBound ?? headphone.lastUsed
    else { return nil }
    return headphone.charges?.age(preferring: headphone.anc.confirmed, at: now)?
      .displayText(at: now)
  }
}
