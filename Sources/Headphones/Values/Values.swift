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
  public let halfDecibels: Int8

  /// Nil outside -24 to 24.
  public init?(halfDecibels: Int8) {
    guard (-24...24).contains(halfDecibels) else { return nil }
    self.halfDecibels = halfDecibels
  }

  /// dB.
  public var decibels: Double { Double(halfDecibels) / 2 }

  public static func < (a: BandGain, b: BandGain) -> Bool { a.halfDecibels < b.halfDecibels }
}

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

/// Which buds are in an ear; nil: unknown.
public struct Wearing: Hashable, Sendable {
  public var left: Bool?
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

public enum TouchGesture: UInt8, Hashable, Sendable, CaseIterable {
  case tap = 0
  case doubleTap = 1
  case tripleTap = 2
  case hold = 3
}

public enum TouchAction: UInt8, Hashable, Sendable, CaseIterable {
  case none = 0
  case playPause = 1
  case next = 2
  case previous = 3
  case cycleANC = 4
  case assistant = 5
  case volumeUp = 6
  case volumeDown = 7
}

/// The Device Information service (180A), text as the headphone sent it, unsanitised.
public struct DeviceInformation: Hashable, Sendable {
  public var manufacturer: String?
  public var model: String?
  public var serial: String?
  public var firmware: String?
  public var hardware: String?

  public init(
    manufacturer: String? = nil, model: String? = nil, serial: String? = nil,
    firmware: String? = nil, hardware: String? = nil
  ) {
    self.manufacturer = manufacturer
    self.model = model
    self.serial = serial
    self.firmware = firmware
    self.hardware = hardware
  }
}

/// What a connected headphone can do; what it lacks is absent from the screen, not an error.
public struct Capabilities: Hashable, Sendable {
  /// In the order of their raw values; empty: no noise control.
  public var ancModes: [ANCMode]
  public var hasANCLevel: Bool
  /// In the order of their raw values; empty: no equaliser.
  public var eqPresets: [EQPreset]
  /// Bands of the custom equaliser; 0: none.
  public var eqBands: Int
  public var batteries: [Part]
  public var hasWearDetection: Bool
  public var hasFind: Bool
  public var hasTouchActions: Bool
  public var hasCase: Bool
  public var hasFirmwareUpdate: Bool
  public var hasRename: Bool
  public var hasFactoryReset: Bool

  /// A headphone that can do nothing.
  public init() {
    ancModes = []
    hasANCLevel = false
    eqPresets = []
    eqBands = 0
    batteries = []
    hasWearDetection = false
    hasFind = false
    hasTouchActions = false
    hasCase = false
    hasFirmwareUpdate = false
    hasRename = false
    hasFactoryReset = false
  }
}
