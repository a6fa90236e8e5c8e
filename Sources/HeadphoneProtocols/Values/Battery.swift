/// A part of a headphone that has a battery; over-ear headphones use ``left``.
public enum Part: UInt8, Hashable, Sendable, CaseIterable {
  case left = 0
  case right = 1
  case `case` = 2
}

/// The battery of one part.
public struct Battery: Hashable, Sendable {
  /// The level in %, 0 to 100, or nil if unknown.
  public var level: UInt8?
  /// Whether the battery is charging, or nil if not reported.
  public var isCharging: Bool?
  /// The number of steps from empty to full, or nil for a percentage.
  public private(set) var steps: UInt8?

  /// Creates a battery with a level in %; a level above 100 becomes nil.
  public init(level: UInt8?, isCharging: Bool? = nil) {
    self.level = level.flatMap { $0 <= 100 ? $0 : nil }
    self.isCharging = isCharging
  }

  /// Creates a battery with a level in steps, such as 3 of 5.
  public init(step: UInt8, of steps: UInt8, isCharging: Bool? = nil) {
    let isKnown = steps > 0 && step <= steps
    level = isKnown ? UInt8(Int(step) * 100 / Int(steps)) : nil
    self.isCharging = isCharging
    self.steps = isKnown ? steps : nil
  }

  /// The level as one of ``steps``, or nil for a percentage.
  public var step: UInt8? {
    guard let steps, let level else { return nil }
    return UInt8((Int(level) * Int(steps) + 50) / 100)
  }
}
