/// The phases from a connected bearer to ready, in order (docs/protocol.md section 8).
///
/// The second is reported only if the attributes are not cached. Serial protocols only have the
/// last.
public enum StartPhase: Hashable, Sendable, CaseIterable {
  case discoveringServices, discoveringCharacteristics, subscribing
}

/// A report from a headphone, independent of its protocol.
public enum HeadphoneEvent: Hashable, Sendable {
  case starting(StartPhase)
  /// The batteries of the reported parts; those of missing parts are unchanged.
  case batteryChanged([Part: Battery])
  /// The wearing state of both buds, even if only one has changed.
  case wearingChanged(Wearing)
  case ancChanged(ANCMode)
  /// The level of noise control, within ``Capabilities/ancLevels``.
  case ancLevelChanged(UInt8)
  /// The equaliser preset, with gains if the event contained them.
  case eqChanged(EQPreset, bands: [BandGain]?)
  /// The headphone's own volume, changed from either side.
  case volumeChanged(HeadphoneVolume)
  case caseLidChanged(isOpen: Bool)
  case settingChanged(SettingID, SettingValue)
  case touchUsed(Side, TouchGesture)
  /// The wearer starts or stops speaking; the headphone does not lower the sound itself.
  case speechChanged(Speech)
  /// The actions that were reported or set; missing ones are unchanged.
  case touchActionsChanged([Side: [TouchGesture: TouchAction]])
  /// All buds that are ringing.
  case findChanged(Sides)
  case receptionChanged(BroadcastReception)
  /// The current name.
  case renamed(String)
  /// The progress of a firmware update in %, 0 to 100.
  case firmwareProgress(UInt8)
  /// An unprompted error, such as by event 0x7F.
  case reportedError(HeadphoneStatus)
  /// The description has changed since the start.
  case described(HeadphoneDescription)
  /// Something other than the link failed or ended, in words; the link continues.
  case noted(String)
  /// Malformed bytes, in words, which are counted and logged without other effects.
  case malformed(String)
  /// A well-formed but unknown message, by its number.
  case unknown(String)
}
