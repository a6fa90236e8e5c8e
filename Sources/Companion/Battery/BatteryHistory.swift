import HeadphoneProtocols

/// The charges of a headphone over the last days.
///
/// A change is kept once in ten minutes, which is a few hundred bytes a day on the disk. Of a minute there is one sample at
/// most, the last one, however often a headphone reports.
///
/// | report | kept |
/// | --- | --- |
/// | charging begins or ends | at once |
/// | another level | ten minutes after the last sample |
/// | the same level | not at all |
/// | the first after more than half an hour out of sight | at once, marked as first |
/// | another one within a minute of the first | in its place: parts are reported one by one |
///
/// ```swift
/// var history = BatteryHistory(samples)
/// history.append(ChargeSample(minute: 29_400_000))
/// history.hours(until: now)  // 2, 4, 8, 12 or 24
/// ```
public struct BatteryHistory: Hashable, Sendable {
  /// The number of samples that are kept: those of about two weeks.
  public static let most = 512
  /// Minutes between two samples, unless charging begins or ends.
  static let spacing: Int64 = 10
  /// Minutes after a time out of sight in which a headphone reports its parts and its noise mode.
  private static let settling: Int64 = 1
  /// Minutes out of sight that count as none: the headphone has hardly been used meanwhile.
  private static let shortAbsence: Int64 = 30
  /// Minutes out of sight that the use of the buds outlasts: a link that was lost and came back.
  private static let shortestBreak: Int64 = 5

  /// The samples, the oldest first, each of a minute of its own.
  public private(set) var samples: [ChargeSample]
  /// All comparable discharges, oldest first.
  public private(set) var discharges: [Discharge]
  /// Whether the link has ended since the last sample.
  private var isInterrupted = true
  /// The minute since which the headphone is out of sight; nil: it is not, or never was in sight.
  private var awaySince: Int64?
  /// Minutes out of sight since the last sample.
  private var minutesAway: Int64 = 0

  /// Creates a history.
  ///
  /// - Parameters:
  ///   - samples: in any order; those after the first of the same minute are dropped.
  ///   - discharges: in any order.
  public init(_ samples: [ChargeSample] = [], discharges: [Discharge] = []) {
    let sorted = samples.sorted { $0.minute < $1.minute }
    self.samples = sorted.indices.filter { index in
      index == 0 || sorted[index - 1].minute < sorted[index].minute
    }.map { sorted[$0] }.suffix(Self.most)
    self.discharges = discharges.sorted { $0.minute < $1.minute }
    awaySince = self.samples.last?.minute
  }

  /// Adds a sample; later ones, which a wrong clock has left, are dropped.
  public mutating func append(_ sample: ChargeSample) {
    samples.removeAll { $0.minute >= sample.minute }
    samples.append(sample)
    if samples.count > Self.most { samples.removeFirst(samples.count - Self.most) }
  }

  /// Notes that the headphone is out of sight.
  ///
  /// - Parameter timestamp: since when, at the earliest; only the first time counts until it reports again.
  mutating func interrupt(at timestamp: Timestamp?) {
    isInterrupted = true
    awaySince = awaySince ?? timestamp?.minute ?? samples.last?.minute
  }

  /// Adds what was reported, if it is worth keeping; a discharge that ended with it is kept, too.
  ///
  /// - Returns: the sample to keep on the disk, too; nil: none.
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
    // It is in sight again, whether or not its level is another one.
    isInterrupted = false
    if let last, !last.isWorthFollowing(by: sample, spacing: Self.spacing) { return nil }
    sample.isFirst = last == nil
    sample.isResumed = !sample.isFirst && minutesAway > Self.shortestBreak
    minutesAway = 0
    keepDischarge(before: sample)
    append(sample)
    return sample
  }

  /// Whether the headphone has hardly been used while it was out of sight; false after a clock that was set back.
  private func isBackSoon(with sample: ChargeSample) -> Bool {
    guard let last = samples.last, last.minute <= sample.minute else { return false }
    return minutesAway <= Self.shortAbsence
  }

  /// The first sample after a time out of sight with what was reported right after it; nil: this is
  /// none, or the same.
  private func settled(_ sample: ChargeSample) -> ChargeSample? {
    guard let first = samples.last, first.isFirst || first.isResumed, !isInterrupted,
      (0...Self.settling).contains(sample.minute - first.minute)
    else { return nil }
    var settled = sample
    (settled.minute, settled.isFirst, settled.isResumed) =
      (first.minute, first.isFirst, first.isResumed)
    return settled == first ? nil : settled
  }

  /// Keeps the last use of the buds as a discharge, if it does not go on with the next sample.
  ///
  /// After a clock that was set back nothing says how long it was. After a crash it may have been kept already, and the sample
  /// that ended it not.
  private mutating func keepDischarge(before sample: ChargeSample) {
    guard let last = samples.last, sample.minute > last.minute, !sample.continuesUse(since: last),
      let discharge = lastUse, discharge != discharges.last
    else { return }
    discharges.append(discharge)
  }
}

extension ChargeSample {
  /// Whether the next sample is kept.
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
  /// Takes the history of earlier runs, from the disk.
  ///
  /// Samples of the future come from a clock that was wrong, and are dropped. A history that is
  /// there already stays.
  mutating func adopt(
    _ history: BatteryHistory, of id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    guard let headphone = headphones[id], headphone.charges == nil else { return [] }
    let past = BatteryHistory(
      history.samples.filter { $0.minute <= timestamp.minute },
      discharges: history.discharges.filter { $0.minute <= timestamp.minute })
    headphones.update(id) { $0.charges = past }
    return headphone.link.isConnected ? keepCharges(of: id, at: timestamp) : []
  }

  /// Adds the present charges to the history, and to the disk with ``Effect/keepCharge(_:_:)`` and
  /// ``Effect/keepDischarge(_:_:)``.
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
