/// Something that a person wants of a headphone.
public enum HeadphoneCommand: Hashable, Sendable {
  case setANC(ANCMode)
  /// Within ``Capabilities/ancLevels``.
  case setANCLevel(UInt8)
  case setEQ(EQPreset)
  /// One gain for each of ``Capabilities/eqBands``, from low to high; it selects `custom`, too.
  case setCustomEQ([BandGain])
  /// Of the headphone itself, and whether it is muted.
  case setVolume(HeadphoneVolume)
  /// Begins or ends the sound of these buds, which is refused for one that is in an ear.
  case find(Sides, isOn: Bool)
  /// What a gesture on this bud does from now on.
  case setTouchAction(Side, TouchGesture, TouchAction)
  /// Tells them by ``HeadphoneEvent/touchActionsChanged(_:)``.
  case readTouchActions
  /// Gives a declared setting a value that its declaration accepts.
  case set(SettingID, SettingValue)
  /// 1 to 32 bytes of UTF-8.
  case rename(String)
  /// The link ends, and the headphone is back in a moment.
  case restart
  /// The headphone forgets its settings and its bonds, and the link ends.
  case factoryReset
}
