public import BluetoothCodec

/// Services of Auracast broadcasts and their receivers (Assigned Numbers, 3.4 and 3.8).
extension BluetoothUUID {
  /// Service data of a broadcast: Broadcast Audio Announcement, see `BroadcastID`.
  public static let broadcastAnnouncement = BluetoothUUID.bit16(0x1852)
  /// Service data of a public broadcast, see `PublicBroadcastAnnouncement`.
  public static let publicBroadcastAnnouncement = BluetoothUUID.bit16(0x1856)

  /// The Broadcast Audio Scan service of a headphone that can listen to broadcasts.
  public static let broadcastAudioScan = BluetoothUUID.bit16(0x184F)
  /// Broadcast Audio Scan Control Point, see `BroadcastScanOperation`.
  public static let broadcastControlPoint = BluetoothUUID.bit16(0x2BC7)
  /// Broadcast Receive State, one for each possible source, see `ReceiveState`.
  public static let broadcastReceiveState = BluetoothUUID.bit16(0x2BC8)
}
