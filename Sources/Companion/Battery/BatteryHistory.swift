import HeadphoneProtocols

/// The charges of a headphone over the last days.
///
/// At most one sample is kept in ten minutes unless noted, which takes a few hundred bytes of disk
/// space a day.
///
/// | report | kept |
/// | --- | --- |
/// | charging begins or ends | at once |
/// | another level | ten minutes after the last sample |
/// | the same level | not at all |
/// | the first after more than half an hour of absence | at once, marked as first |
/// | another one within a minute of the first | in its place, as parts are reported one by one |
package struct BatteryHistory: Hashable, Sendable {
  /// The maximum number of samples, enough for about two weeks.
  package static let most = 512
  /// The minutes between two samples, unless charging begins or ends.
  static let spacing: Int64 = 10
  /// The minutes after an absence in which a headphone reports its parts and its noise mode.
  private static let settling: Int64 = 1
  /// The minutes of an absence that does not count, as the headphone is hardly used meanwhile.
  private static let shortAbsence: Int64 = 30
  /// The minutes of an absence that does not interrupt the use, such as a link lost and restored.
  private static let shortestBreak: Int64 = 5

  /// The samples, oldest first, at most one a minute.
  package private(set) var samples: [ChargeSample]
  /// The samples after the current time, oldest first, which occur after the clock was set back.
  ///
  /// Each moves to ``samples`` when its time comes.
  package private(set) var later: [ChargeSample]
  /// All comparable discharges, oldest first.
  package private(set) var discharges: [Discharge]
  private var isInterrupted = true
  /// The minute at which the absence began; nil if the headphone is present or was never seen.
  private var awaySince: Int64?
  private var minutesAway: Int64 = 0

  /// Creates a history of samples and discharges in any order; those after `minute` are set aside.
  ///
  /// Of several samples of the same minute, the first is kept.
  package init(
    _ samples: [ChargeSample] = [], discharges: [Discharge] = [], until minute: Int64 = .max
  ) {
    let sorted = samples.sorted { $0.minute < $1.minute }
    let all = sorted.indices.filter { index in
      index == 0 || sorted[index - 1].minute < sorted[index].minute
    }.map { sorted[$0] }.suffix(Self.most)
    self.samples = all.filter { $0.minute <= minute }
    later = all.filter { $0.minute > minute }.suffix(Self.most / 2)
    self.discharges = discharges.sorted { $0.minute < $1.minute }
    awaySince = self.samples.last?.minute
  }

  package mutating func append(_ sample: ChargeSample) {
    divide(at: sample.minute)
    if samples.last?.minute == sample.minute { samples.removeLast() }
    samples.append(sample)
    samples.removeFirst(max(0, samples.count + later.count - Self.most))
  }

  private mutating func divide(at minute: Int64) {
    guard !later.isEmpty || samples.last.map({ $0.minute > minute }) == true else { return }
    let divided = BatteryHistory(samples + later, until: minute)
    (samples, later) = (divided.samples, divided.later)
  }

  /// Records the absence of the headphone; until the next report, only the first call counts.
  mutating func interrupt(at timestamp: Timestamp?) {
    isInterrupted = true
    awaySince = awaySince ?? timestamp?.minute ?? samples.last?.minute
  }

  /// Adds a report worth keeping, and a discharge that it ends; returns the sample to store, or
  /// nil.
  mutating func add(
    _ battery: [Part: Battery], mode: ANCMode? = nil, at timestamp: Timestamp
  ) -> ChargeSample? {
    var sample = ChargeSample(battery, mode: mode, at: timestamp)
    guard !sample.parts.isEmpty else { return nil }
    if let settled = settled(sample) {
      samples[samples.endIndex - 1] = settled
      return settled
    }
    awaySince.map { minutesAway += max(0, sample.minute - $0) }
    awaySince = nil
    let last = isInterrupted && !isBackSoon(with: sample) ? nil : samples.last
    // The headphone is present again, even if its level is the same.
    isInterrupted = false
    if let last, !last.isWorthFollowing(by: sample, spacing: Self.spacing) { return nil }
    sample.isFirst = last == nil
    sample.isResumed = !sample.isFirst && minutesAway > Self.shortestBreak
    minutesAway = 0
    keepDischarge(before: sample)
    append(sample)
    return sample
  }

  private func isBackSoon(with sample: ChargeSample) -> Bool {
    guard let last = samples.last, last.minute <= sample.minute else { return false }
    return minutesAway <= Self.shortAbsence
  }

  private func settled(_ sample: ChargeSample) -> ChargeSample? {
    guard let first = samples.last, first.isFirst || first.isResumed, !isInterrupted,
      (0...Self.settling).contains(sample.minute - first.minute)
    else { return nil }
    var settled = sample
    (settled.minute, settled.isFirst, settled.isResumed) =
      (first.minute, first.isFirst, first.isResumed)
    return settled == first ? nil : settled
  }

  /// Keeps the last use of the buds as a discharge, if the use ends before `sample`.
  ///
  /// After the clock was set back, its duration is unknown. After a crash, the discharge may have
  /// been stored without the sample that ended it.
  private mutating func keepDischarge(before sample: ChargeSample) {
    guard let last = samples.last, sample.minute > last.minute, !sample.continuesUse(since: last),
      let discharge = lastUse, discharge != discharges.last
    else { return }
    discharges.append(discharge)
  }
}

extension ChargeSample {
  fileprivate func isWorthFollowing(by next: ChargeSample, spacing: Int64) -> Bool {
    // The clock was set back.
    if next.minute < minute { return true }
    if Part.allCases.contains(where: { self[$0]?.isCharging != next[$0]?.isCharging }) {
      return true
    }
    let isChanged = Part.allCases.contains { self[$0] != next[$0] }
    return isChanged && next.minute - minute >= spacing
  }
}

extension State {
  mutating func adopt(
    _ history: BatteryHistory, of id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    guard let headphone = headphones[id], headphone.charges == nil else { return [] }
    let past = BatteryHistory(
      history.samples, discharges: history.discharges.filter { $0.minute <= timestamp.minute },
      until: timestamp.minute)
    headphones.update(id) { $0.charges = past }
    return headphone.link.isConnected ? keepCharges(of: id, at: timestamp) : []
  }

  mutating func keepCharges(of id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones[id], var history = headphone.charges,
      let battery = headphone.battery
    else { return [] }
    let known = history.discharges.count
    let sample = history.add(battery.value, mode: headphone.anc.confirmed, at: timestamp)
    headphones.update(id) { $0.charges = history }
    let ended = history.discharges.dropFirst(known).map { Effect.keepDischarge(id, $0) }
    return ended + (sample.map { [.keepCharge(id, $0)] } ?? [])
  }
}
