/// The states of noise control: cancelling at three levels, and the rest.
///
/// The numbers are those of the frames.
public enum NothingNoise: UInt8, Hashable, Sendable, CaseIterable {
  /// Cancelling, from strong to weak; ``level`` counts the other way.
  case high = 1
  case mid = 2
  case low = 3
  /// Cancelling that adapts to the surroundings.
  case adaptive = 4
  case off = 5
  case transparency = 7

  /// The mode; cancelling at whichever level is one mode.
  public var mode: ANCMode {
    switch self {
    case .high, .mid, .low: .noiseCancelling
    case .adaptive: .adaptive
    case .off: .off
    case .transparency: .transparency
    }
  }

  /// The level of cancelling: 1 low, 2 mid, 3 high; nil where it does not cancel at a fixed level.
  public var level: UInt8? {
    switch self {
    case .low: 1
    case .mid: 2
    case .high: 3
    case .adaptive, .off, .transparency: nil
    }
  }

  /// Cancelling at a level; nil outside of ``levels``.
  public init?(level: UInt8) {
    guard let noise = Self.allCases.first(where: { $0.level == level }) else { return nil }
    self = noise
  }

  /// The state of a mode.
  ///
  /// - Parameters:
  ///   - mode: any; all four are there.
  ///   - level: of cancelling, which keeps the one it had.
  public init(_ mode: ANCMode, level: UInt8) {
    switch mode {
    case .off: self = .off
    case .noiseCancelling: self = NothingNoise(level: level) ?? .high
    case .transparency: self = .transparency
    case .adaptive: self = .adaptive
    }
  }

  /// The levels of cancelling, from low to high.
  public static let levels: ClosedRange<UInt8> = 1...3
}
