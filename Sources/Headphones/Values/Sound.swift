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

  private init(known halfDecibels: Int8) { self.halfDecibels = halfDecibels }

  /// 0 dB.
  public static let flat = BandGain(known: 0)
  /// 12 dB.
  public static let most = BandGain(known: 24)

  /// The same, or the limit on its side of 0 dB where that is nearer.
  public func limited(to limit: BandGain) -> BandGain {
    BandGain(known: min(max(halfDecibels, -limit.halfDecibels), limit.halfDecibels))
  }

  /// dB.
  public var decibels: Double { Double(halfDecibels) / 2 }

  public static func < (a: BandGain, b: BandGain) -> Bool { a.halfDecibels < b.halfDecibels }
}

extension ANCMode {
  /// The mode's name on the command line and in JSON.
  public var name: String {
    switch self {
    case .off: "off"
    case .noiseCancelling: "noise-cancelling"
    case .transparency: "transparency"
    case .adaptive: "adaptive"
    }
  }

  /// The mode as a person reads it.
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
  /// The preset's name on the command line and in JSON.
  public var name: String {
    switch self {
    case .balanced: "balanced"
    case .bassBoost: "bass-boost"
    case .vocal: "vocal"
    case .custom: "custom"
    }
  }

  /// The preset as a person reads it.
  public var title: String {
    switch self {
    case .balanced: "Balanced"
    case .bassBoost: "Bass boost"
    case .vocal: "Vocal"
    case .custom: "Custom"
    }
  }
}
