/// Something that a person wants of a headphone.
public enum HeadphoneCommand: Hashable, Sendable {
  case setANC(ANCMode)
  /// Within ``Capabilities/ancLevels``.
  case setANCLevel(UInt8)
  case setEQ(EQPreset)
  case setCustomEQ([BandGain])
  /// Of the headphone itself, and whether it is muted.
  case setVolume(HeadphoneVolume)
  case find(Sides, isOn: Bool)
  case setTouchAction(Side, TouchGesture, TouchAction)
  case readTouchActions
  case setWearDetection(isOn: Bool)
  /// 1 to 32 bytes of UTF-8.
  case rename(String)
  case restart
  case factoryReset
}
