/// A part of a headphone that has a battery; over-ear headphones use ``left``.
public enum Part: UInt8, Hashable, Sendable, CaseIterable {
  /// The left bud, or the whole of an over-ear headphone.
  case left = 0
  /// The right bud.
  case right = 1
  /// The charging case.
  case `case` = 2
}

/// The battery of one part.
public struct Battery: Hashable, Sendable {
  /// The level in %, 0 to 100; `nil` if it is unknown.
  public var level: UInt8?
  /// Whether it is charging; `nil` if the headphone does not report it.
  public var isCharging: Bool?
  /// The number of steps from empty to full; `nil` if the headphone reports a percentage.
  public private(set) var steps: UInt8?

  /// A level in %; one above 100 is unknown.
  public init(level: UInt8?, isCharging: Bool? = nil) {
    self.level = level.flatMap { $0 <= 100 ? $0 : nil }
    self.isCharging = isCharging
  }

  /// A level in steps, for example 3 of 5.
  public init(step: UInt8, of steps: UInt8, isCharging: Bool? = nil) {
    let isKnown = steps > 0 && step <= steps
    level = isKnown ? UInt8(Int(step) * 100 / Int(steps)) : nil
    self.isCharging = isCharging
    self.steps = isKnown ? steps : nil
  }

  /// The step of ``steps`` for the level; `nil` if it is a percentage.
  public var step: UInt8? {
    guard let steps, let level else { return nil }
    return UInt8((Int(level) * Int(steps) + 50) / 100)
  }
}
