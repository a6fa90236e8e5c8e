import HeadphoneProtocols

enum LowCharge: Int, Hashable, Sendable, Comparable {
  case low, critical

  static func < (a: LowCharge, b: LowCharge) -> Bool { a.rawValue < b.rawValue }
}

extension State {
  /// Alerts once per discharge that a part is low, and once that it is critical.
  ///
  /// A part alerts again after it was charged above the threshold plus hysteresis, since the level
  /// and the contacts of the case may waver. Parts that become low together share a notice.
  mutating func reportLowBattery(of id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    var news: [Part: Battery] = [:]
    var worst = LowCharge.low
    for (part, battery) in headphones[id]?.battery?.value ?? [:] {
      guard let level = battery.level else { continue }
      let reported = headphones[id]?.reportedCharges[part]
      guard let low = preferences.thresholds.low(level, reported: reported != nil) else {
        headphones.update(id) { $0.reportedCharges[part] = nil }
        continue
      }
      guard battery.isCharging != true, reported.map({ $0 < low }) ?? true else { continue }
      headphones.update(id) { $0.reportedCharges[part] = low }
      news[part] = battery
      worst = max(worst, low)
    }
    guard !news.isEmpty else { return [] }
    let words = worst == .critical ? "is nearly empty" : "is low"
    let reported = news.displayText(isOnlyOne: headphones[id]?.hasOneBattery == true)
    return say("battery \(words): \(reported)", id, naming: true, level: .warning, at: timestamp)
      + (preferences.notifications.lowBattery
        ? [.notify(summary: "\(name(of: id)): battery \(words)", body: reported)] : [])
  }
}

extension BatteryThresholds {
  /// The rise in % above the threshold before the next alert.
  private static let hysteresis = 5

  fileprivate func low(_ level: UInt8, reported: Bool) -> LowCharge? {
    if level <= critical { return .critical }
    return Int(level) <= Int(low) + (reported ? Self.hysteresis : 0) ? .low : nil
  }
}

package struct BatteryThresholds: Hashable, Sendable {
  /// The low charge, 0 to 100 %.
  package var low: UInt8
  /// The critical charge in %, at most ``low``.
  package var critical: UInt8

  package init(low: UInt8 = 20, critical: UInt8 = 10) {
    self.low = low
    self.critical = critical
  }
}
