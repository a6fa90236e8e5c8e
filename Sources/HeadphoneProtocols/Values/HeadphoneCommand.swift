public import BluetoothCodec

/// A command to a headphone, independent of its protocol.
public enum HeadphoneCommand: Hashable, Sendable {
  case setANC(ANCMode)
  /// Sets the level of noise control, within ``Capabilities/ancLevels``.
  case setANCLevel(UInt8)
  case setEQ(EQPreset)
  /// Sets a gain for each of ``Capabilities/eqBands``, in ascending frequency, and selects
  /// `custom`.
  case setCustomEQ([BandGain])
  case setVolume(HeadphoneVolume)
  /// Starts or stops the sound for finding buds, which is rejected for a bud that is worn.
  case find(Sides, isOn: Bool)
  case setTouchAction(Side, TouchGesture, TouchAction)
  /// Reads the touch actions, which ``HeadphoneEvent/touchActionsChanged(_:)`` then reports.
  case readTouchActions
  case set(SettingID, SettingValue)
  /// Performs an action on one of the paired devices (``SettingID/pairedDevices``).
  case pairedDevice(PairedDeviceAction, BluetoothAddress)
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
