public import BluetoothCodec

/// UUIDs of hearing aids, inputs and outputs (Assigned Numbers, 3.4 and 3.8; ASHA).
extension BluetoothUUID {
  public static let hearingAccess = BluetoothUUID.bit16(0x1854)
  public static let hearingAidFeatures = BluetoothUUID.bit16(0x2BDA)
  public static let presetControlPoint = BluetoothUUID.bit16(0x2BDB)
  /// Active Preset Index; 0 for none.
  public static let activePreset = BluetoothUUID.bit16(0x2BDC)

  /// Volume Offset Control, one service for each output.
  public static let volumeOffset = BluetoothUUID.bit16(0x1845)
  public static let offsetState = BluetoothUUID.bit16(0x2B80)
  /// Audio Location of an output, a mask of 4 bytes.
  public static let outputLocation = BluetoothUUID.bit16(0x2B81)
  public static let offsetControlPoint = BluetoothUUID.bit16(0x2B82)

  /// Audio Input Control, one service for each input.
  public static let audioInput = BluetoothUUID.bit16(0x1843)
  public static let inputState = BluetoothUUID.bit16(0x2B77)
  public static let inputGain = BluetoothUUID.bit16(0x2B78)
  public static let inputType = BluetoothUUID.bit16(0x2B79)
  public static let inputControlPoint = BluetoothUUID.bit16(0x2B7B)
  public static let inputDescription = BluetoothUUID.bit16(0x2B7C)

  public static let microphoneControl = BluetoothUUID.bit16(0x184D)
  public static let microphoneMute = BluetoothUUID.bit16(0x2BC3)

  /// Audio Streaming for Hearing Aids (source.android.com).
  public static let asha = BluetoothUUID.bit16(0xFDF0)
  public static let ashaProperties = BluetoothUUID(
    high: 0x6333_651E_C481_4A3E, low: 0x9169_7C90_2AAD_37BB)
}
