import HeadphoneProtocols

/// How low a charge is.
enum LowCharge: Int, Hashable, Sendable, Comparable {
  case low, critical

  static func < (a: LowCharge, b: LowCharge) -> Bool { a.rawValue < b.rawValue }
}

extension State {
  /// Alerts once per discharge that a part is low, and once more that it is critical.
  ///
  /// Charging resets the alert of a part; the hysteresis keeps one that wavers at the threshold
  /// from alerting again and again. Parts that become low together share one notice.
  mutating func reportLowBattery(of id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    var news: [Part: Battery] = [:]
    var worst = LowCharge.low
    for (part, battery) in headphones[id]?.battery?.value ?? [:] {
      guard let level = battery.level else { continue }
      let reported = headphones[id]?.reportedCharges[part]
      guard battery.isCharging != true, let low = thresholds.low(level, reported: reported != nil)
      else {
        headphones.update(id) { $0.reportedCharges[part] = nil }
        continue
      }
      guard reported.map({ $0 < low }) ?? true else { continue }
      headphones.update(id) { $0.reportedCharges[part] = low }
      news[part] = battery
      worst = max(worst, low)
    }
    guard !news.isEmpty else { return [] }
    let words = worst == .critical ? "is nearly empty" : "is low"
    let reported = news.displayText(isOnlyOne: headphones[id]?.hasOneBattery == true)
    return say("battery \(words): \(reported)", id, naming: true, level: .warning, at: timestamp)
      + (notifications.lowBattery
        ? [.notify(summary: "\(name(of: id)): battery \(words)", body: reported)] : [])
  }
}

extension BatteryThresholds {
  /// The hysteresis: how much a charge must rise before the next alert; %.
  ///
  /// A level at the edge goes up and down by one.
  private static let hysteresis = 5

  /// The alert for a level; nil: none.
  ///
  /// - Parameter reported: whether it was low before.
  fileprivate func low(_ level: UInt8, reported: Bool) -> LowCharge? {
    if level <= critical { return .critical }
    return Int(level) <= Int(low) + (reported ? Self.hysteresis : 0) ? .low : nil
  }
}

/// The charges from which a battery is low or critical; %.
public struct BatteryThresholds: Hashable, Sendable {
  /// %, 0 to 100.
  public var low: UInt8
  /// %, 0 to 100; not above ``low``.
  public var critical: UInt8

  public init(low: UInt8 = 20, critical: UInt8 = 10) {
    self.low = low
    self.critical = critical
  }
}
