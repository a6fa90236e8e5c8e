public import BluetoothCodec

/// UUIDs of Auracast broadcasts and their receivers (Assigned Numbers, 3.4 and 3.8).
extension BluetoothUUID {
  /// The service data of a Broadcast Audio Announcement, see `BroadcastID`.
  public static let broadcastAnnouncement = BluetoothUUID.bit16(0x1852)
  public static let publicBroadcastAnnouncement = BluetoothUUID.bit16(0x1856)

  public static let broadcastAudioScan = BluetoothUUID.bit16(0x184F)
  public static let broadcastControlPoint = BluetoothUUID.bit16(0x2BC7)
  public static let broadcastReceiveState = BluetoothUUID.bit16(0x2BC8)
}
