/// Noise control (docs/protocol.md section 3, FFF1).
public enum ANCMode: UInt8, Hashable, Sendable, CaseIterable {
  case off = 0
  case noiseCancelling = 1
  case transparency = 2
  case adaptive = 3
}

/// Equaliser preset (FFF2).
public enum EQPreset: UInt8, Hashable, Sendable, CaseIterable {
  case balanced = 0
  case bassBoost = 1
  case vocal = 2
  case custom = 3
}

/// A band's gain in steps of 0.5 dB: -24 to 24, that is -12 to +12 dB.
public struct BandGain: Hashable, Sendable, Comparable {
  /// -24 to 24.
  public let halfDecibels: Int8

  /// Nil outside -24 to 24.
  public init?(halfDecibels: Int8) {
    guard (-24...24).contains(halfDecibels) else { return nil }
    self.halfDecibels = halfDecibels
  }

  private init() { halfDecibels = 0 }

  /// 0 dB.
  public static let flat = BandGain()

  /// dB.
  public var decibels: Double { Double(halfDecibels) / 2 }

  public static func < (a: BandGain, b: BandGain) -> Bool { a.halfDecibels < b.halfDecibels }
}
