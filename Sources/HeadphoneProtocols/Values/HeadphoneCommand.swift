public import BluetoothCodec

/// A command to a headphone, independent of its protocol.
public enum HeadphoneCommand: Hashable, Sendable {
  /// Sets the noise-control mode, one of ``Capabilities/ancModes``.
  case setANC(ANCMode)
  /// Sets the level of noise control, within ``Capabilities/ancLevels``.
  case setANCLevel(UInt8)
  /// Selects an equaliser preset, one of ``Capabilities/eqPresets``.
  case setEQ(EQPreset)
  /// Sets one gain for each of ``Capabilities/eqBands``, ascending, and selects `custom`.
  case setCustomEQ([BandGain])
  /// Sets the headphone's own volume and mute.
  case setVolume(HeadphoneVolume)
  /// Starts or stops the sound of buds, which is refused for a bud that is in an ear.
  case find(Sides, isOn: Bool)
  /// Sets the action of a gesture on a bud.
  case setTouchAction(Side, TouchGesture, TouchAction)
  /// Reads the actions of gestures, reported by ``HeadphoneEvent/touchActionsChanged(_:)``.
  case readTouchActions
  /// Sets a declared setting to a value that its declaration accepts.
  case set(SettingID, SettingValue)
  /// Does something with a device that the headphone is paired with, one of
  /// ``SettingID/pairedDevices``.
  case pairedDevice(PairedDeviceAction, BluetoothAddress)
  /// Sends the headphone to a broadcast, or has it stop listening.
  case broadcast(BroadcastCommand)
  /// Says that this computer searches for broadcasts in the headphone's place, or does so no longer.
  case announceSearch(Bool)
  /// Sets the name, 1 to 32 bytes of UTF-8.
  case rename(String)
  /// Restarts the headphone, which ends the link.
  case restart
  /// Erases the headphone's settings and bonds, which ends the link.
  case factoryReset
}
