public import BluetoothCodec

/// A command to a headphone, independent of its protocol.
public enum HeadphoneCommand: Hashable, Sendable {
  /// Sets the noise-control mode, one of ``Capabilities/ancModes``.
  case setANC(ANCMode)
  /// Sets the level of noise control, within ``Capabilities/ancLevels``.
  case setANCLevel(UInt8)
  /// Selects an equaliser preset, one of ``Capabilities/eqPresets``.
  case setEQ(EQPreset)
  /// Sets a gain for each of ``Capabilities/eqBands``, ascending, and selects `custom`.
  case setCustomEQ([BandGain])
  case setVolume(HeadphoneVolume)
  /// Starts or stops the sound of buds, which is refused for a bud in an ear.
  case find(Sides, isOn: Bool)
  case setTouchAction(Side, TouchGesture, TouchAction)
  /// Reads the actions of gestures, reported by ``HeadphoneEvent/touchActionsChanged(_:)``.
  case readTouchActions
  /// Sets a declared setting to a value that its declaration accepts.
  case set(SettingID, SettingValue)
  /// Performs an action on one of ``SettingID/pairedDevices``.
  case pairedDevice(PairedDeviceAction, BluetoothAddress)
  /// Listens to a broadcast, or stops listening.
  case broadcast(BroadcastCommand)
  /// Announces that this computer searches for broadcasts in the headphone's place, or no longer.
  case announceSearch(Bool)
  /// Sets the name, 1 to 32 bytes of UTF-8.
  case rename(String)
  /// Restarts the headphone, which ends the link.
  case restart
  /// Erases the headphone's settings and bonds, which ends the link.
  case factoryReset
}
