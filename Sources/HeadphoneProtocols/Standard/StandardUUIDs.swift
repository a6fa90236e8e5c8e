public import BluetoothCodec

/// UUIDs of services and characteristics that headphones of any maker have (Bluetooth SIG, Assigned
/// Numbers, 3.4 and 3.8), and of Google's Fast Pair.
extension BluetoothUUID {
  package static let immediateAlert = BluetoothUUID.bit16(0x1802)
  /// Alert Level: 0 none, 1 mild, 2 high.
  package static let alertLevel = BluetoothUUID.bit16(0x2A06)
  package static let batteryLevelStatus = BluetoothUUID.bit16(0x2BED)

  public static let volumeControl = BluetoothUUID.bit16(0x1844)
  public static let volumeState = BluetoothUUID.bit16(0x2B7D)
  public static let volumeControlPoint = BluetoothUUID.bit16(0x2B7E)

  public static let coordinatedSet = BluetoothUUID.bit16(0x1846)
  public static let setKey = BluetoothUUID.bit16(0x2B84)
  /// Coordinated Set Size: the number of members, 1 byte.
  public static let setSize = BluetoothUUID.bit16(0x2B85)
  /// Set Member Rank: a number starting at 1, 1 byte.
  public static let setRank = BluetoothUUID.bit16(0x2B87)

  public static let publishedAudioCapabilities = BluetoothUUID.bit16(0x1850)
  /// Sink Audio Locations: the audio channels of a member, a bit mask of 4 bytes.
  package static let sinkAudioLocations = BluetoothUUID.bit16(0x2BCA)

  public static let fastPair = BluetoothUUID.bit16(0xFE2C)
  public static let fastPairModel = BluetoothUUID(
    high: 0xFE2C_1233_8366_4814, low: 0x8EB0_01DE_3210_0BEA)
}
