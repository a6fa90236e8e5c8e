/// The phases of the start, in order (docs/protocol.md section 8).
///
/// The second is reported only if the attributes are not cached; serial protocols report only the
/// last.
public enum StartPhase: Hashable, Sendable, CaseIterable {
  case discoveringServices, discoveringCharacteristics, subscribing
}

/// A report from a headphone, independent of its protocol.
public enum HeadphoneEvent: Hashable, Sendable {
  case starting(StartPhase)
  /// The reported batteries; those of other parts are unchanged.
  case batteryChanged([Part: Battery])
  case wearingChanged(Wearing)
  case ancChanged(ANCMode)
  /// The level of noise control, within ``Capabilities/ancLevels``.
  case ancLevelChanged(UInt8)
  /// The equaliser preset, with gains if the event contained them.
  case eqChanged(EQPreset, bands: [BandGain]?)
  /// The headphone's own volume, whether it was changed here or on the headphone.
  case volumeChanged(HeadphoneVolume)
  case caseLidChanged(isOpen: Bool)
  case settingChanged(SettingID, SettingValue)
  case touchUsed(Side, TouchGesture)
  /// The wearer started or stopped speaking; the headphone itself does not lower the volume.
  case speechChanged(Speech)
  /// The actions that were reported or set; other actions are unchanged.
  case touchActionsChanged([Side: [TouchGesture: TouchAction]])
  /// All buds that are ringing.
  case findChanged(Sides)
  case receptionChanged(BroadcastReception)
  /// The new name of the headphone.
  case renamed(String)
  /// The progress of a firmware update in %, 0 to 100.
  case firmwareProgress(UInt8)
  /// An error that the headphone reported unprompted, such as with event 0x7F.
  case reportedError(HeadphoneStatus)
  case described(HeadphoneDescription)
  /// A failure or end of something other than the link, in words; the link continues.
  case noted(String)
  /// Malformed bytes, in words, which are only counted and logged.
  case malformed(String)
  /// A well-formed message that is not understood here, by its number.
  case unknown(String)
}
