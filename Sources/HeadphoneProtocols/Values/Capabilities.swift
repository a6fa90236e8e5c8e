/// What a connected headphone can do; what it lacks is absent from the screen, not an error.
public struct Capabilities: Hashable, Sendable {
  /// In the order of their raw values; empty: no noise control.
  public var ancModes: [ANCMode]
  /// Whether the depth of noise control can be set, within ``ancLevels``.
  public var hasANCLevel: Bool
  /// What the level of noise control may be.
  public var ancLevels: ClosedRange<UInt8>
  /// By how much a key changes the level.
  public var ancLevelStep: UInt8
  /// In the order of their raw values; empty: no equaliser.
  public var eqPresets: [EQPreset]
  /// Bands of the custom equaliser; 0: none.
  public var eqBands: Int
  /// The centre of each of these bands in Hz, from low to high; empty: not reported.
  public var eqCentres: [Int]
  /// The most that a band is raised or lowered by.
  public var eqLimit: BandGain
  /// The parts whose charge the headphone reports, in the order of their raw values.
  public var batteries: [Part]
  /// Whether a bud can be made to sound.
  public var hasFind: Bool
  /// Whether what a touch does can be read and set.
  public var hasTouchActions: Bool
  /// The headphone's own, beside that of the sound server.
  public var hasVolume: Bool
  /// Whether there is a case that reports its lid or its charge.
  public var hasCase: Bool
  public var hasFirmwareUpdate: Bool
  public var hasRename: Bool
  /// Whether the person's settings, and the bonds, can be wiped.
  public var hasFactoryReset: Bool
  /// The settings that its protocol declares, in the order in which they are shown.
  public var settings: [SettingDeclaration] = []

  /// A headphone that can do nothing.
  public init() {
    ancModes = []
    hasANCLevel = false
    ancLevels = 0...10
    ancLevelStep = 1
    eqPresets = []
    eqBands = 0
    eqCentres = []
    eqLimit = .most
    batteries = []
    hasFind = false
    hasTouchActions = false
    hasVolume = false
    hasCase = false
    hasFirmwareUpdate = false
    hasRename = false
    hasFactoryReset = false
  }
}
