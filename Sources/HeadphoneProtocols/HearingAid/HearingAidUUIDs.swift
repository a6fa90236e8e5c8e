public import BluetoothCodec

/// Services of hearing aids, inputs and outputs.
///
/// From Assigned Numbers, 3.4 and 3.8, and ASHA by source.android.com.
extension BluetoothUUID {
  /// The Hearing Access service: presets.
  public static let hearingAccess = BluetoothUUID.bit16(0x1854)
  /// Hearing Aid Features, see `HearingAidFeatures`.
  public static let hearingAidFeatures = BluetoothUUID.bit16(0x2BDA)
  /// Hearing Aid Preset Control Point, see `PresetRequest` and `PresetMessage`.
  public static let presetControlPoint = BluetoothUUID.bit16(0x2BDB)
  /// Active Preset Index: 0 for none (1).
  public static let activePreset = BluetoothUUID.bit16(0x2BDC)

  /// The Volume Offset Control service, one for each output.
  public static let volumeOffset = BluetoothUUID.bit16(0x1845)
  /// Volume Offset State, see `OutputState`.
  public static let offsetState = BluetoothUUID.bit16(0x2B80)
  /// Audio Location of an output, as a mask (4).
  public static let outputLocation = BluetoothUUID.bit16(0x2B81)
  /// Volume Offset Control Point.
  public static let offsetControlPoint = BluetoothUUID.bit16(0x2B82)

  /// The Audio Input Control service, one for each input.
  public static let audioInput = BluetoothUUID.bit16(0x1843)
  /// Audio Input State, see `InputState`.
  public static let inputState = BluetoothUUID.bit16(0x2B77)
  /// Gain Settings Attribute, see `InputGain`.
  public static let inputGain = BluetoothUUID.bit16(0x2B78)
  /// Audio Input Type, see `InputType` (1).
  public static let inputType = BluetoothUUID.bit16(0x2B79)
  /// Audio Input Control Point.
  public static let inputControlPoint = BluetoothUUID.bit16(0x2B7B)
  /// Audio Input Description: text in UTF-8.
  public static let inputDescription = BluetoothUUID.bit16(0x2B7C)

  /// The Microphone Control service.
  public static let microphoneControl = BluetoothUUID.bit16(0x184D)
  /// Mute of all microphones, see `MicrophoneMute` (1).
  public static let microphoneMute = BluetoothUUID.bit16(0x2BC3)

  /// Audio Streaming for Hearing Aids.
  public static let asha = BluetoothUUID.bit16(0xFDF0)
  /// Read Only Properties of ASHA, see `ASHAProperties`.
  public static let ashaProperties = BluetoothUUID(
    high: 0x6333_651E_C481_4A3E, low: 0x9169_7C90_2AAD_37BB)
}
