internal import HeadphoneProtocols

/// A simulated battery with a constant rate, whose level is known at any time without a timer.
struct BatterySimulator: Hashable, Sendable {
  /// The level at `timestamp`, in %.
  private var level: Double
  private var timestamp: Duration
  private(set) var rate: Double = 0
  /// Whether the battery is being charged, even if its level is held constant.
  private(set) var isCharging = false

  init(level: UInt8, at timestamp: Duration = .zero) {
    self.level = Double(min(level, 100))
    self.timestamp = timestamp
  }

  func percent(at now: Duration) -> UInt8 { UInt8(exactLevel(at: now).rounded()) }

  /// Changes the rate (in % per hour, positive while charging) from `now` on.
  mutating func setRate(_ rate: Double, at now: Duration, isHeld: Bool = false) {
    isCharging = rate > 0
    level = exactLevel(at: now)
    timestamp = now
    self.rate = isHeld ? 0 : rate
  }

  mutating func setLevel(_ level: UInt8, at now: Duration) {
    self.level = Double(min(level, 100))
    timestamp = now
  }

  func nextChange(after now: Duration) -> Duration? {
    let present = Double(percent(at: now))
    guard rate < 0 ? present > 0 : rate > 0 && present < 100 else { return nil }
    // Slightly later than the exact time, so that rounding does not end a sleep too early.
    let target = present + (rate < 0 ? -1 : 1) * (0.5 + Self.beyond)
    return timestamp + .seconds(max(0, (target - level) / rate * 3600))
  }

  private static let beyond = 0.001

  private func exactLevel(at now: Duration) -> Double {
    let hours = (now - timestamp) / .seconds(3600)
    return min(100, max(0, level + rate * max(0, hours)))
  }
}
