import HeadphoneProtocols

/// The charges of a headphone over the last days.
///
/// A change is kept once in ten minutes, which is a few hundred bytes a day on the disk.
///
/// | report | kept |
/// | --- | --- |
/// | charging begins or ends | at once |
/// | another level | ten minutes after the last sample |
/// | the same level | not at all |
/// | the first after a time out of sight | at once, marked as first |
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
  /// Minutes out of sight that count as none: the headphone has hardly been used meanwhile.
  private static let shortAbsence: Int64 = 30

  /// The samples, the oldest first, each of a minute of its own.
  public private(set) var samples: [ChargeSample]
  /// Whether the link has ended since the last sample.
  private var isInterrupted = true

  /// Creates a history.
  ///
  /// - Parameter samples: in any order; those after the first of the same minute are dropped.
  public init(_ samples: [ChargeSample] = []) {
    let sorted = samples.sorted { $0.minute < $1.minute }
    self.samples = sorted.indices.filter { index in
      index == 0 || sorted[index - 1].minute < sorted[index].minute
    }.map { sorted[$0] }.suffix(Self.most)
  }

  /// Adds a sample; later ones, which a wrong clock has left, are dropped.
  public mutating func append(_ sample: ChargeSample) {
    samples.removeAll { $0.minute >= sample.minute }
    samples.append(sample)
    if samples.count > Self.most { samples.removeFirst(samples.count - Self.most) }
  }

  /// Notes that the headphone is out of sight from now on.
  mutating func interrupt() { isInterrupted = true }

  /// Adds what was reported, if it is worth keeping.
  ///
  /// - Returns: the sample to keep on the disk, too; nil: none.
  mutating func add(_ battery: [Part: Battery], at timestamp: Timestamp) -> ChargeSample? {
    var sample = ChargeSample(battery, at: timestamp)
    guard !sample.parts.isEmpty else { return nil }
    if let last = samples.last,
      (0...Self.shortAbsence).contains(sample.minute - last.minute)
        || !isInterrupted
    {
      guard last.isWorthFollowing(by: sample, spacing: Self.spacing) else { return nil }
    } else {
      sample.isFirst = true
    }
    isInterrupted = false
    append(sample)
    return sample
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
    let past = BatteryHistory(history.samples.filter { $0.minute <= timestamp.minute })
    headphones.update(id) { $0.charges = past }
    return headphone.link.isConnected ? keepCharges(of: id, at: timestamp) : []
  }

  /// Adds the present charges to the history, and to the disk with ``Effect/keepCharge(_:_:)``.
  mutating func keepCharges(of id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    guard var history = headphones[id]?.charges, let battery = headphones[id]?.battery,
      let sample = history.add(battery.value, at: timestamp)
    else { return [] }
    headphones.update(id) { $0.charges = history }
    return [.keepCharge(id, sample)]
  }
}
