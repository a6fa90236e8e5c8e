/// Which buds are in an ear; nil: unknown.
public struct Wearing: Hashable, Sendable {
  /// Nil: unknown.
  public var left: Bool?
  /// Nil: unknown.
  public var right: Bool?

  public init(left: Bool?, right: Bool?) {
    self.left = left
    self.right = right
  }
}

/// A bud.
public enum Side: UInt8, Hashable, Sendable, CaseIterable {
  case left = 0
  case right = 1
}

/// Buds as a mask, as `find` wants them.
public struct Sides: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let left = Sides(rawValue: 1)
  public static let right = Sides(rawValue: 2)
  public static let both: Sides = [.left, .right]
}
