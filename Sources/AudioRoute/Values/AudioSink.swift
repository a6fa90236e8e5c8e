/// An output of the sound server: speakers, a headphone, a filter.
package struct AudioSink: Hashable, Sendable {
  /// The server's key, for example "bluez_output.F0_F1_F2_F3_F4_F5.1".
  package var name: String
  /// The description; unsanitised.
  package var description: String
  /// The Bluetooth properties, or nil for any other output.
  package var bluetooth: BluetoothSink?
  /// The volume of the loudest channel in %; 100 is the server's norm and may be exceeded.
  package var volume: Int
  /// Whether the sink is muted, which does not change ``volume``.
  package var isMuted: Bool
  package var activity: Activity
  /// The name of the sink's card, or nil if it has none.
  package var card: String?
  /// The description of the active port, for example "Speakers", or nil if the sink has no ports.
  package var port: String?
  /// The server's latency in ms, including the port's offset, or nil while nothing plays or if
  /// unknown.
  package var latency: Int?

  /// Whether something plays: `running` if so, `idle` shortly after, `suspended` when the server
  /// has closed the device.
  package enum Activity: Hashable, Sendable { case running, idle, suspended }

  package init(
    name: String, description: String, bluetooth: BluetoothSink? = nil, volume: Int,
    isMuted: Bool = false, activity: Activity, card: String? = nil, port: String? = nil,
    latency: Int? = nil
  ) {
    self.name = name
    self.description = description
    self.bluetooth = bluetooth
    self.volume = volume
    self.isMuted = isMuted
    self.activity = activity
    self.card = card
    self.port = port
    self.latency = latency
  }
}

/// The Bluetooth properties of a sink.
package struct BluetoothSink: Hashable, Sendable {
  /// The Bluetooth address in upper case, "F0:F1:F2:F3:F4:F5", or nil if the server reports none.
  package var address: String?
  /// The profile that carries the sound, or nil if the server reports none.
  package var profile: AudioProfile?
  /// The codec by the server's name, for example "sbc_xq", or nil if the server reports none.
  package var codec: String?

  package init(address: String?, profile: AudioProfile?, codec: String?) {
    self.address = address
    self.profile = profile
    self.codec = codec
  }
}
