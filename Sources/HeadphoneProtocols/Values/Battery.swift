/// A part of a headphone that has a battery.
public enum Part: UInt8, Hashable, Sendable, CaseIterable {
  case left = 0
  case right = 1
  case `case` = 2
}

/// One part's charge; nil level: unknown.
public struct Battery: Hashable, Sendable {
  /// %, 0 to 100.
  public var level: UInt8?
  /// Nil where the headphone does not tell.
  public var isCharging: Bool?
  /// Number of steps from empty to full; nil: the headphone reports a percentage.
  public private(set) var steps: UInt8?

  /// A charge as a percentage; a level above 100 is unknown.
  public init(level: UInt8?, isCharging: Bool? = nil) {
    self.level = level.flatMap { $0 <= 100 ? $0 : nil }
    self.isCharging = isCharging
  }

  /// A charge in steps: 3 of 5.
  public init(step: UInt8, of steps: UInt8, isCharging: Bool? = nil) {
    let isKnown = steps > 0 && step <= steps
    level = isKnown ? UInt8(Int(step) * 100 / Int(steps)) : nil
    self.isCharging = isCharging
    self.steps = isKnown ? steps : nil
  }

  /// The step of ``steps`` that the level stands for; nil where it is a percentage.
  public var step: UInt8? {
    guard let steps, let level else { return nil }
    return UInt8((Int(level) * Int(steps) + 50) / 100)
  }
}
