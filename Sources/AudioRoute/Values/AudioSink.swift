package struct AudioSink: Hashable, Sendable {
  /// The server's key, for example "bluez_output.F0_F1_F2_F3_F4_F5.1".
  package var name: String
  /// The description; unsanitised.
  package var description: String
  package var bluetooth: BluetoothSink?
  /// The volume of the loudest channel in %; 100 is the server's norm and may be exceeded.
  package var volume: Int
  /// Whether the sink is muted, which does not change ``volume``.
  package var isMuted: Bool
  package var activity: Activity
  package var card: String?
  /// The description of the active port, for example "Speakers", or nil if the sink has no ports.
  package var port: String?
  /// The latency in ms with the port's offset, or nil while nothing plays or if unknown.
  package var latency: Int?

  /// `idle` is shortly after something played, `suspended` when the server closed the device.
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

package struct BluetoothSink: Hashable, Sendable {
  /// The Bluetooth address in upper case, "F0:F1:F2:F3:F4:F5", or nil if the server reports none.
  package var address: String?
  package var profile: AudioProfile?
  package var codec: String?

  package init(address: String?, profile: AudioProfile?, codec: String?) {
    self.address = address
    self.profile = profile
    self.codec = codec
  }
}
