/// A noise control mode (docs/protocol.md section 3, FFF1).
public enum ANCMode: UInt8, Hashable, Sendable, CaseIterable {
  case off = 0
  case noiseCancelling = 1
  case transparency = 2
  /// A mix of cancelling and transparency that the headphone adjusts.
  case adaptive = 3
}

/// An equaliser preset (docs/protocol.md section 3, FFF2).
public enum EQPreset: UInt8, Hashable, Sendable, CaseIterable {
  case balanced = 0
  case bassBoost = 1
  case vocal = 2
  case custom = 3
}

/// The gain of a band in steps of 0.5 dB, from -12 to +12 dB.
public struct BandGain: Hashable, Sendable, Comparable {
  /// The gain in units of 0.5 dB, -24 to 24.
  public let halfDecibels: Int8

  /// Creates a gain, or returns nil outside of -24 to 24.
  public init?(halfDecibels: Int8) {
    guard (-24...24).contains(halfDecibels) else { return nil }
    self.halfDecibels = halfDecibels
  }

  private init(known halfDecibels: Int8) { self.halfDecibels = halfDecibels }

  public static let flat = BandGain(known: 0)
  /// A gain of 0.5 dB, the smallest step.
  public static let half = BandGain(known: 1)
  public static let most = BandGain(known: 24)

  /// Returns the gain limited to ±`limit`.
  public func limited(to limit: BandGain) -> BandGain {
    BandGain(known: min(max(halfDecibels, -limit.halfDecibels), limit.halfDecibels))
  }

  /// The gain in dB.
  public var decibels: Double { Double(halfDecibels) / 2 }

  public static func < (a: BandGain, b: BandGain) -> Bool { a.halfDecibels < b.halfDecibels }
}

extension ANCMode {
  public var name: String {
    switch self {
    case .off: "off"
    case .noiseCancelling: "noise-cancelling"
    case .transparency: "transparency"
    case .adaptive: "adaptive"
    }
  }

  /// The title on the screen.
  public var title: String {
    switch self {
    case .off: "Off"
    case .noiseCancelling: "Noise cancelling"
    case .transparency: "Transparency"
    case .adaptive: "Adaptive"
    }
  }
}

extension EQPreset {
  public var name: String {
    switch self {
    case .balanced: "balanced"
    case .bassBoost: "bass-boost"
    case .vocal: "vocal"
    case .custom: "custom"
    }
  }

  /// The title on the screen.
  public var title: String {
    switch self {
    case .balanced: "Balanced"
    case .bassBoost: "Bass boost"
    case .vocal: "Vocal"
    case .custom: "Custom"
    }
  }
}
