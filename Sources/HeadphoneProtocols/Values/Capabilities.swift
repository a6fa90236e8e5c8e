/// The capabilities of a connected headphone; the feature of a missing one is not shown.
public struct Capabilities: Hashable, Sendable {
  /// The noise control modes in the order of their raw values, or empty without noise control.
  public var ancModes: [ANCMode]
  public var hasANCLevel: Bool
  /// The range of noise control levels.
  public var ancLevels: ClosedRange<UInt8>
  /// The amount by which one key press changes the level.
  public var ancLevelStep: UInt8
  /// The modes in which the level can be set, or nil for all.
  public var ancLevelModes: [ANCMode]?
  /// The equaliser presets in the order of their raw values, or empty without an equaliser.
  public var eqPresets: [EQPreset]
  /// The number of bands of the custom equaliser, or 0 if there is none.
  public var eqBands: Int
  /// The centre frequency of each band in Hz, ascending, or empty if not reported.
  public var eqCentres: [Int]
  /// The maximum boost and cut of a band.
  public var eqLimit: BandGain
  public var eqStep: BandGain
  /// The parts with a reported level, in the order of their raw values.
  public var batteries: [Part]
  public var hasFind: Bool
  public var hasTouchActions: Bool
  /// Whether the headphone has its own volume, independent of the sound server's.
  public var hasVolume: Bool
  /// Whether the headphone can receive broadcasts.
  public var hasBroadcasts = false
  /// Whether the headphone has a case that reports its lid or battery.
  public var hasCase: Bool
  public var hasFirmwareUpdate: Bool
  public var hasRename: Bool
  public var hasFactoryReset: Bool
  /// The settings that the headphone's protocol declares, in display order.
  public var settings: [SettingDeclaration] = []

  /// Creates an empty set of capabilities.
  public init() {
    ancModes = []
    hasANCLevel = false
    ancLevels = 0...10
    ancLevelStep = 1
    eqPresets = []
    eqBands = 0
    eqCentres = []
    eqLimit = .most
    eqStep = .half
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
