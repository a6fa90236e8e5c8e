/// The steps from a connected bearer to ready (docs/protocol.md section 8).
public enum StartPhase: Hashable, Sendable, CaseIterable {
  case discoveringServices, discoveringCharacteristics, subscribing
}

/// A report from a headphone.
public enum HeadphoneEvent: Hashable, Sendable {
  /// How far `start()` is.
  case starting(StartPhase)
  /// The reported parts with their charge; missing parts are unchanged.
  case batteryChanged([Part: Battery])
  /// Both buds, also where only one has changed.
  case wearingChanged(Wearing)
  case ancChanged(ANCMode)
  /// Within ``Capabilities/ancLevels``.
  case ancLevelChanged(UInt8)
  /// `bands` is nil where the event did not carry them.
  case eqChanged(EQPreset, bands: [BandGain]?)
  /// The headphone's own volume, changed from either side.
  case volumeChanged(HeadphoneVolume)
  case caseLidChanged(isOpen: Bool)
  /// A declared setting has this value now.
  case settingChanged(SettingID, SettingValue)
  /// A gesture was made on this bud; what it does is the headphone's affair.
  case touchUsed(Side, TouchGesture)
  /// Actions that were reported or set; missing ones are unchanged.
  case touchActionsChanged([Side: [TouchGesture: TouchAction]])
  /// All buds that make their sound now.
  case findChanged(Sides)
  /// The name that it has now.
  case renamed(String)
  /// %, 0 to 100.
  case firmwareProgress(UInt8)
  /// An error that the headphone reported unprompted, as by event 0x7F.
  case reportedError(HeadphoneStatus)
  /// The description has changed since the start.
  case described(HeadphoneDescription)
  /// Something beside the link has failed or ended, in words; the link goes on.
  case noted(String)
  /// Bytes that made no sense: counted, logged, without further effect.
  case malformed(String)
}
