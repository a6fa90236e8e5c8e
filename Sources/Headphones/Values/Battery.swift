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

  public init(level: UInt8?, isCharging: Bool? = nil) {
    self.level = level.flatMap { $0 <= 100 ? $0 : nil }
    self.isCharging = isCharging
  }
}
