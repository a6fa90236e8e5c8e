/// The states of noise control by their numbers in frames, with three levels of cancelling.
public enum NothingNoise: UInt8, Hashable, Sendable, CaseIterable {
  /// Cancelling, from strong to weak; ``level`` numbers these in the opposite order.
  case high = 1
  case mid = 2
  case low = 3
  case adaptive = 4
  case off = 5
  case transparency = 7

  public var mode: ANCMode {
    switch self {
    case .high, .mid, .low: .noiseCancelling
    case .adaptive: .adaptive
    case .off: .off
    case .transparency: .transparency
    }
  }

  /// The level of cancelling: 1 low, 2 mid, 3 high, or nil in other states.
  public var level: UInt8? {
    switch self {
    case .low: 1
    case .mid: 2
    case .high: 3
    case .adaptive, .off, .transparency: nil
    }
  }

  public init?(level: UInt8) {
    guard let noise = Self.allCases.first(where: { $0.level == level }) else { return nil }
    self = noise
  }

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
