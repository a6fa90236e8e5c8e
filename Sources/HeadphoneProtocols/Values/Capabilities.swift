/// The capabilities of a connected headphone; what it lacks is not shown, and is not an error.
public struct Capabilities: Hashable, Sendable {
  /// The noise-control modes in the order of their raw values; empty without noise control.
  public var ancModes: [ANCMode]
  /// Whether the depth of noise control can be set, within ``ancLevels``.
  public var hasANCLevel: Bool
  /// The levels of noise control.
  public var ancLevels: ClosedRange<UInt8>
  /// The amount by which a key changes the level.
  public var ancLevelStep: UInt8
  /// The modes in which the level can be set; nil: in all.
  public var ancLevelModes: [ANCMode]?
  /// The equaliser presets in the order of their raw values; empty without an equaliser.
  public var eqPresets: [EQPreset]
  /// The number of bands of the custom equaliser; 0 without one.
  public var eqBands: Int
  /// The centre frequency of each band in Hz, ascending; empty if they are not reported.
  public var eqCentres: [Int]
  /// The largest gain of a band, in either direction.
  public var eqLimit: BandGain
  /// The smallest change of a band's gain.
  public var eqStep: BandGain
  /// The parts whose level the headphone reports, in the order of their raw values.
  public var batteries: [Part]
  /// Whether a bud can be made to sound.
  public var hasFind: Bool
  /// Whether the actions of gestures can be read and set.
  public var hasTouchActions: Bool
  /// Whether the headphone has its own volume, independent of that of the sound server.
  public var hasVolume: Bool
  /// Whether it can be sent to a broadcast.
  public var hasBroadcasts = false
  /// Whether there is a case that reports its lid or its charge.
  public var hasCase: Bool
  /// Whether its firmware can be updated.
  public var hasFirmwareUpdate: Bool
  /// Whether its name can be changed.
  public var hasRename: Bool
  /// Whether the user's settings and the bonds can be erased.
  public var hasFactoryReset: Bool
  /// The settings that its protocol declares, in the order in which they are shown.
  public var settings: [SettingDeclaration] = []

  /// A headphone without capabilities.
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
