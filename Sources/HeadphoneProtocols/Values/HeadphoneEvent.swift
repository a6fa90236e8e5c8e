/// The phases of the start, from a connected bearer to a ready headphone, in order
/// (docs/protocol.md section 8).
///
/// The second phase is reported only if the attributes are not cached. Serial protocols report only
/// the last.
public enum StartPhase: Hashable, Sendable, CaseIterable {
  case discoveringServices, discoveringCharacteristics, subscribing
}

/// A report from a headphone, independent of its protocol.
public enum HeadphoneEvent: Hashable, Sendable {
  case starting(StartPhase)
  /// The batteries of the parts in the report; the batteries of other parts are unchanged.
  case batteryChanged([Part: Battery])
  /// The worn state of both buds, even if only one has changed.
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
  /// The description has changed since the start.
  case described(HeadphoneDescription)
  /// A failure or end of something other than the link, in words; the link continues.
  case noted(String)
  /// Malformed bytes, in words; they are counted and logged, and have no other effect.
  case malformed(String)
  /// A well-formed message that is unknown here, by its number.
  case unknown(String)
}
