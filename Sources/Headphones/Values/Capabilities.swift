/// What a connected headphone can do; what it lacks is absent from the screen, not an error.
public struct Capabilities: Hashable, Sendable {
  /// In the order of their raw values; empty: no noise control.
  public var ancModes: [ANCMode]
  public var hasANCLevel: Bool
  /// What the level of noise control may be.
  public var ancLevels: ClosedRange<UInt8>
  /// By how much a key changes the level.
  public var ancLevelStep: UInt8
  /// In the order of their raw values; empty: no equaliser.
  public var eqPresets: [EQPreset]
  /// Bands of the custom equaliser; 0: none.
  public var eqBands: Int
  /// The middle of each of these bands in Hz, from low to high; empty: it is not told.
  public var eqCentres: [Int]
  public var batteries: [Part]
  public var hasWearDetection: Bool
  public var hasFind: Bool
  public var hasTouchActions: Bool
  /// The headphone's own, beside that of the sound server.
  public var hasVolume: Bool
  public var hasCase: Bool
  public var hasFirmwareUpdate: Bool
  public var hasRename: Bool
  public var hasFactoryReset: Bool

  /// A headphone that can do nothing.
  public init() {
    ancModes = []
    hasANCLevel = false
    ancLevels = 0...10
    ancLevelStep = 1
    eqPresets = []
    eqBands = 0
    eqCentres = []
    batteries = []
    hasWearDetection = false
    hasFind = false
    hasTouchActions = false
    hasVolume = false
    hasCase = false
    hasFirmwareUpdate = false
    hasRename = false
    hasFactoryReset = false
  }
}
