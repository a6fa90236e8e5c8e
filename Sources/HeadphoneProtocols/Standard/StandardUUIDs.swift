public import BluetoothCodec

/// Services and characteristics that any maker's headphone may have (Bluetooth SIG, Assigned
/// Numbers, 3.4 and 3.8), and Google's Fast Pair.
extension BluetoothUUID {
  package static let immediateAlert = BluetoothUUID.bit16(0x1802)
  package static let alertLevel = BluetoothUUID.bit16(0x2A06)
  package static let batteryLevelStatus = BluetoothUUID.bit16(0x2BED)

  public static let volumeControl = BluetoothUUID.bit16(0x1844)
  public static let volumeState = BluetoothUUID.bit16(0x2B7D)
  public static let volumeControlPoint = BluetoothUUID.bit16(0x2B7E)

  public static let coordinatedSet = BluetoothUUID.bit16(0x1846)
  public static let setKey = BluetoothUUID.bit16(0x2B84)
  public static let setSize = BluetoothUUID.bit16(0x2B85)
  public static let setRank = BluetoothUUID.bit16(0x2B87)

  public static let publishedAudioCapabilities = BluetoothUUID.bit16(0x1850)
  package static let sinkAudioLocations = BluetoothUUID.bit16(0x2BCA)

  public static let fastPair = BluetoothUUID.bit16(0xFE2C)
  public static let fastPairModel = BluetoothUUID(
    high: 0xFE2C_1233_8366_4814, low: 0x8EB0_01DE_3210_0BEA)
}
