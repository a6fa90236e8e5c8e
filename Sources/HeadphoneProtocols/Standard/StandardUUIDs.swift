public import BluetoothCodec

/// UUIDs of services and characteristics that headphones of any maker have, and of Google's Fast
/// Pair.
///
/// From Bluetooth SIG, Assigned Numbers, 3.4 and 3.8.
extension BluetoothUUID {
  /// The Immediate Alert service.
  package static let immediateAlert = BluetoothUUID.bit16(0x1802)
  /// Alert Level: 0 none, 1 mild, 2 high.
  package static let alertLevel = BluetoothUUID.bit16(0x2A06)
  /// Battery Level Status, see ``BatteryLevelStatus``.
  package static let batteryLevelStatus = BluetoothUUID.bit16(0x2BED)

  /// The Volume Control service.
  public static let volumeControl = BluetoothUUID.bit16(0x1844)
  /// Volume State, see `VolumeState`.
  public static let volumeState = BluetoothUUID.bit16(0x2B7D)
  /// Volume Control Point, to which commands are written.
  public static let volumeControlPoint = BluetoothUUID.bit16(0x2B7E)

  /// The Coordinated Set Identification service.
  public static let coordinatedSet = BluetoothUUID.bit16(0x1846)
  /// Set Identity Resolving Key, see `ReceivedSetKey`.
  public static let setKey = BluetoothUUID.bit16(0x2B84)
  /// Coordinated Set Size: the number of members, 1 byte.
  public static let setSize = BluetoothUUID.bit16(0x2B85)
  /// Set Member Rank: a number from 1 on, 1 byte.
  public static let setRank = BluetoothUUID.bit16(0x2B87)

  /// The Published Audio Capabilities service.
  public static let publishedAudioCapabilities = BluetoothUUID.bit16(0x1850)
  /// Sink Audio Locations: the audio channels of a member, a bit mask of 4 bytes.
  package static let sinkAudioLocations = BluetoothUUID.bit16(0x2BCA)

  /// The Fast Pair service.
  public static let fastPair = BluetoothUUID.bit16(0xFE2C)
  /// The Model ID characteristic of Fast Pair.
  public static let fastPairModel = BluetoothUUID(
    high: 0xFE2C_1233_8366_4814, low: 0x8EB0_01DE_3210_0BEA)
}
