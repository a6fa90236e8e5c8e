internal import HeadphoneProtocols

/// One battery that drains and charges evenly; its level is known at any moment without a timer.
struct BatterySimulator: Hashable, Sendable {
  /// %, 0 to 100, at `timestamp`.
  private var level: Double
  private var timestamp: Duration
  /// % in an hour; negative: it drains.
  private(set) var rate: Double = 0

  init(level: UInt8, at timestamp: Duration = .zero) {
    self.level = Double(min(level, 100))
    self.timestamp = timestamp
  }

  var isCharging: Bool { rate > 0 }

  /// %, as a headphone tells it.
  func percent(at now: Duration) -> UInt8 { UInt8(exactLevel(at: now).rounded()) }

  mutating func setRate(_ rate: Double, at now: Duration) {
    level = exactLevel(at: now)
    timestamp = now
    self.rate = rate
  }

  mutating func setLevel(_ level: UInt8, at now: Duration) {
    self.level = Double(min(level, 100))
    timestamp = now
  }

  /// When ``percent(at:)`` will be another one; nil: never, as things are.
  func nextChange(after now: Duration) -> Duration? {
    let present = Double(percent(at: now))
    guard rate < 0 ? present > 0 : rate > 0 && present < 100 else { return nil }
    // A little beyond, so that rounding does not end the sleep too early.
    let target = present + (rate < 0 ? -1 : 1) * (0.5 + Self.beyond)
    return timestamp + .seconds(max(0, (target - level) / rate * 3600))
  }

  private static let beyond = 0.001

  private func exactLevel(at now: Duration) -> Double {
    let hours = (now - timestamp) / .seconds(3600)
    return min(100, max(0, level + rate * max(0, hours)))
  }
}
