/// The phases from a connected bearer to ready, in their order (docs/protocol.md section 8).
///
/// The second is reported only if the attributes are not cached; serial protocols have only the
/// last.
public enum StartPhase: Hashable, Sendable, CaseIterable {
  case discoveringServices, discoveringCharacteristics, subscribing
}

/// A report from a headphone, independent of its protocol.
public enum HeadphoneEvent: Hashable, Sendable {
  /// The current phase of the start.
  case starting(StartPhase)
  /// The batteries of the reported parts; missing parts are unchanged.
  case batteryChanged([Part: Battery])
  /// The wearing state of both buds, also if only one has changed.
  case wearingChanged(Wearing)
  /// The noise-control mode.
  case ancChanged(ANCMode)
  /// The level of noise control, within ``Capabilities/ancLevels``.
  case ancLevelChanged(UInt8)
  /// The equaliser preset; `bands` is `nil` if the event did not contain gains.
  case eqChanged(EQPreset, bands: [BandGain]?)
  /// The headphone's own volume, changed from either side.
  case volumeChanged(HeadphoneVolume)
  /// The lid of the case.
  case caseLidChanged(isOpen: Bool)
  /// The value of a declared setting.
  case settingChanged(SettingID, SettingValue)
  /// A gesture on a bud.
  case touchUsed(Side, TouchGesture)
  /// The wearer speaks, or no longer speaks; the headphone lowers nothing by itself.
  case speechChanged(Speech)
  /// The actions that were reported or set; missing ones are unchanged.
  case touchActionsChanged([Side: [TouchGesture: TouchAction]])
  /// All buds that are ringing.
  case findChanged(Sides)
  /// What it, or one of its buds, does with broadcasts.
  case receptionChanged(BroadcastReception)
  /// The current name.
  case renamed(String)
  /// The progress of a firmware update in %, 0 to 100.
  case firmwareProgress(UInt8)
  /// An error that the headphone reported unprompted, for example by event 0x7F.
  case reportedError(HeadphoneStatus)
  /// The description has changed since the start.
  case described(HeadphoneDescription)
  /// A failure or an end of something apart from the link, in words; the link continues.
  case noted(String)
  /// Malformed bytes, in words: counted and logged without further effect.
  case malformed(String)
}
