public import BluetoothCodec

/// A command to a headphone, independent of its protocol.
public enum HeadphoneCommand: Hashable, Sendable {
  /// Sets the noise control mode, one of ``Capabilities/ancModes``.
  case setANC(ANCMode)
  /// Sets the level of noise control, within ``Capabilities/ancLevels``.
  case setANCLevel(UInt8)
  /// Selects an equaliser preset, one of ``Capabilities/eqPresets``.
  case setEQ(EQPreset)
  /// Sets a gain for each of ``Capabilities/eqBands``, in ascending frequency, and selects
  /// `custom`.
  case setCustomEQ([BandGain])
  case setVolume(HeadphoneVolume)
  /// Starts or stops the sound that helps to find buds; rejected for a bud that is worn.
  case find(Sides, isOn: Bool)
  case setTouchAction(Side, TouchGesture, TouchAction)
  /// Reads the touch actions, which ``HeadphoneEvent/touchActionsChanged(_:)`` then reports.
  case readTouchActions
  /// Sets a declared setting to a value that its declaration accepts.
  case set(SettingID, SettingValue)
  /// Performs an action on one of the headphone's paired devices (``SettingID/pairedDevices``).
  case pairedDevice(PairedDeviceAction, BluetoothAddress)
  /// Starts or stops listening to a broadcast.
  case broadcast(BroadcastCommand)
  /// Tells the headphone whether this computer searches for broadcasts on its behalf.
  case announceSearch(Bool)
  /// Sets the name, 1 to 32 bytes of UTF-8.
  case rename(String)
  /// Restarts the headphone, which ends the link.
  case restart
  /// Erases the headphone's settings and bonds, which ends the link.
  case factoryReset
}
