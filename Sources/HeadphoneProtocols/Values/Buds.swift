/// The worn state of both buds.
public struct Wearing: Hashable, Sendable {
  /// Whether the left bud is worn, or nil if unknown.
  public var left: Bool?
  /// Whether the right bud is worn, or nil if unknown.
  public var right: Bool?

  public init(left: Bool?, right: Bool?) {
    self.left = left
    self.right = right
  }
}

/// A bud, left or right.
public enum Side: UInt8, Hashable, Sendable, CaseIterable {
  case left = 0
  case right = 1
}

/// A set of buds; the raw value is the bit mask of the find command.
public struct Sides: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let left = Sides(rawValue: 1)
  public static let right = Sides(rawValue: 2)
  public static let both: Sides = [.left, .right]
}

extension Side {
  package var asSides: Sides { self == .left ? .left : .right }
}
