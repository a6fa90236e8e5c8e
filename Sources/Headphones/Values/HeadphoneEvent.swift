/// The steps from a connected bearer to ready (docs/protocol.md section 8).
public enum StartPhase: Hashable, Sendable, CaseIterable {
  case discoveringServices, discoveringCharacteristics, subscribing
}

/// Something that a headphone told.
public enum HeadphoneEvent: Hashable, Sendable {
  /// How far `start()` is.
  case starting(StartPhase)
  /// The parts whose charge was told, with it; what is missing stays as it was.
  case batteryChanged([Part: Battery])
  /// Both buds, also where only one has changed.
  case wearingChanged(Wearing)
  case ancChanged(ANCMode)
  /// Within ``Capabilities/ancLevels``.
  case ancLevelChanged(UInt8)
  /// `bands` is nil where the event did not carry them.
  case eqChanged(EQPreset, bands: [BandGain]?)
  /// The headphone's own volume, whoever changed it.
  case volumeChanged(HeadphoneVolume)
  case caseLidChanged(isOpen: Bool)
  /// A declared setting has this value now.
  case settingChanged(SettingID, SettingValue)
  /// A gesture was made on this bud; what it does is the headphone's affair.
  case touchUsed(Side, TouchGesture)
  /// Those that were told or set; what is missing stays as it was.
  case touchActionsChanged([Side: [TouchGesture: TouchAction]])
  /// All buds that make their sound now.
  case findChanged(Sides)
  /// The name that it has now.
  case renamed(String)
  /// %, 0 to 100.
  case firmwareProgress(UInt8)
  /// The headphone told of an error by itself, as by event 0x7F.
  case reportedError(HeadphoneStatus)
  /// What it has, or tells of itself, has become another since the start.
  case described(HeadphoneDescription)
  /// Something beside the link has failed or ended, in words; the link goes on.
  case noted(String)
  /// Bytes that made no sense: counted, logged, without further effect.
  case malformed(String)
}
