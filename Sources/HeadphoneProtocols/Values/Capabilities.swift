/// The capabilities of a connected headphone; what it lacks is not shown, and is not an error.
public struct Capabilities: Hashable, Sendable {
  /// The noise control modes in the order of their raw values, or none without noise control.
  public var ancModes: [ANCMode]
  /// Whether the depth of noise control can be set, within ``ancLevels``.
  public var hasANCLevel: Bool
  /// The levels of noise control.
  public var ancLevels: ClosedRange<UInt8>
  /// The amount by which a key changes the level.
  public var ancLevelStep: UInt8
  /// The modes in which the level can be set, or nil for all.
  public var ancLevelModes: [ANCMode]?
  /// The equaliser presets in the order of their raw values, or none without an equaliser.
  public var eqPresets: [EQPreset]
  /// The number of bands of the custom equaliser, or 0 without one.
  public var eqBands: Int
  /// The centre frequency of each band in Hz, ascending, or none if not reported.
  public var eqCentres: [Int]
  /// The largest gain of a band, in either direction.
  public var eqLimit: BandGain
  /// The smallest change of a band's gain.
  public var eqStep: BandGain
  /// The parts with a reported level, in the order of their raw values.
  public var batteries: [Part]
  /// Whether a bud can play a sound to be found.
  public var hasFind: Bool
  public var hasTouchActions: Bool
  /// Whether the headphone has its own volume, independent of the sound server's.
  public var hasVolume: Bool
  /// Whether it can listen to broadcasts.
  public var hasBroadcasts = false
  /// Whether there is a case that reports its lid or charge.
  public var hasCase: Bool
  public var hasFirmwareUpdate: Bool
  public var hasRename: Bool
  /// Whether the settings and bonds can be erased.
  public var hasFactoryReset: Bool
  /// The settings that its protocol declares, in display order.
  public var settings: [SettingDeclaration] = []

  /// Creates the capabilities of a headphone without any.
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
