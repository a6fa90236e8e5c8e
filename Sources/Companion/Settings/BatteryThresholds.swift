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
