/// Commands of Nothing's and CMF's headphones, by their published numbers.
public enum NothingCommand {
  public static let readBattery: UInt16 = 0xC007
  public static let readInEarDetection: UInt16 = 0xC00E
  public static let readNoise: UInt16 = 0xC01E
  public static let readEQ: UInt16 = 0xC01F
  public static let readFirmware: UInt16 = 0xC042
  public static let readGains: UInt16 = 0xC044

  public static let ring: UInt16 = 0xF002
  public static let setInEarDetection: UInt16 = 0xF004
  public static let setNoise: UInt16 = 0xF00F
  public static let setEQ: UInt16 = 0xF010
  public static let setGains: UInt16 = 0xF041

  /// Told unasked.
  public static let batteryNews: UInt16 = 0xE001
  public static let noiseNews: UInt16 = 0xE003

  /// The command of the answer to a request: bit 15 is the request's.
  public static func answer(to command: UInt16) -> UInt16 { command & 0x7FFF }
}

/// Noise control of these headphones: cancelling at three levels, and the rest.
public enum NothingNoise: UInt8, Hashable, Sendable, CaseIterable {
  case high = 1
  case mid = 2
  case low = 3
  case adaptive = 4
  case off = 5
  case transparency = 7

  /// Cancelling at whichever level is one mode.
  public var mode: ANCMode {
    switch self {
    case .high, .mid, .low: .noiseCancelling
    case .adaptive: .adaptive
    case .off: .off
    case .transparency: .transparency
    }
  }

  /// 1 low, 2 mid, 3 high; nil where it is not cancelling by a fixed level.
  public var level: UInt8? {
    switch self {
    case .low: 1
    case .mid: 2
    case .high: 3
    case .adaptive, .off, .transparency: nil
    }
  }

  /// Nil outside ``levels``.
  public init?(level: UInt8) {
    guard let noise = Self.allCases.first(where: { $0.level == level }) else { return nil }
    self = noise
  }

  /// - Parameter level: for cancelling, the one it had before.
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

extension EQPreset {
  /// Balanced, voice, more bass and custom have a place; more treble and advanced are shown as
  /// custom.
  init?(nothing byte: UInt8) {
    switch byte {
    case 0: self = .balanced
    case 1: self = .vocal
    case 3: self = .bassBoost
    case 2, 5, 6: self = .custom
    default: return nil
    }
  }

  var nothing: UInt8 {
    switch self {
    case .balanced: 0
    case .vocal: 1
    case .bassBoost: 3
    case .custom: 5
    }
  }
}
