/// What a view needs to know beside the state.
public struct Style: Hashable, Sendable {
  /// What the terminal can show.
  public var symbols: Symbols
  /// Whose keys are printed beside what they do.
  public var keys: KeyMap
  public var thresholds: BatteryThresholds

  public init(
    symbols: Symbols = .unicode, keys: KeyMap = .standard,
    thresholds: BatteryThresholds = BatteryThresholds()
  ) {
    self.symbols = symbols
    self.keys = keys
    self.thresholds = thresholds
  }
}

/// From where on downwards a charge is called low, and critical; %.
public struct BatteryThresholds: Hashable, Sendable {
  public var low: UInt8
  public var critical: UInt8

  public init(low: UInt8 = 20, critical: UInt8 = 10) {
    self.low = low
    self.critical = critical
  }
}
