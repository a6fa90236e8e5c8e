/// Sinks that carry the properties which the servers' Bluetooth modules set.
enum BluetoothSinks {
  static let address = "00:AA:01:01:00:01"

  /// Of PulseAudio's module-bluez5-device, as seen with 16.1 and a headphone over BR/EDR.
  static func pulseAudio(protocol name: String, codec: String) -> [(String, String)] {
    [
      ("bluetooth.protocol", name), ("bluetooth.codec", codec),
      ("device.description", "MyHeadphone"), ("device.string", address), ("device.api", "bluez"),
      ("device.class", "sound"), ("device.bus", "bluetooth"),
      ("bluez.path", "/org/bluez/hci0/dev_00_AA_01_01_00_01"), ("bluez.class", "0x240418"),
      ("bluez.alias", "MyHeadphone"), ("device.icon_name", "audio-headphones-bluetooth"),
    ]
  }

  /// Of PipeWire's spa/plugins/bluez5 and WirePlumber's scripts, as seen with 0.3.65 and 0.4.13.
  ///
  /// The connection is "disconnected" there while music plays.
  static func pipeWire(profile: String, codec: String) -> [(String, String)] {
    [
      ("api.bluez5.address", address), ("api.bluez5.codec", codec),
      ("api.bluez5.profile", profile), ("api.bluez5.class", "0x240418"),
      ("api.bluez5.connection", "disconnected"), ("api.bluez5.icon", "audio-headphones"),
      ("api.bluez5.path", "/org/bluez/hci0/dev_00_AA_01_01_00_01"), ("bluez5.profile", "off"),
      ("device.alias", "MyHeadphone"), ("device.api", "bluez5"), ("device.bus", "bluetooth"),
      ("device.description", "MyHeadphone"), ("device.form_factor", "headphone"),
      ("device.icon_name", "audio-headphones-bluetooth"),
      ("device.name", "bluez_card.00_AA_01_01_00_01"), ("device.string", address),
    ]
  }
}
