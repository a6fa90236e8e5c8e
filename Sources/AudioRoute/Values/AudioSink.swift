/// An output of the sound server: speakers, a headphone, a filter.
public struct AudioSink: Hashable, Sendable {
  /// The server's key, for example "bluez_output.F0_F1_F2_F3_F4_F5.1".
  public var name: String
  /// The description; unsanitised.
  public var description: String
  /// The Bluetooth properties; `nil` for any other output.
  public var bluetooth: BluetoothSink?
  /// The volume of the loudest channel in %; 100 is the server's norm and may be exceeded.
  public var volume: Int
  /// Whether the sink is muted, which leaves ``volume`` as it is.
  public var isMuted: Bool
  /// Whether something plays.
  public var activity: Activity
  /// The name of the sink's card; `nil` if it has none.
  public var card: String?
  /// The description of the active port, for example "Speakers"; `nil` if the sink has no ports.
  public var port: String?
  /// The server's own latency in ms, with the offset of its port; `nil` while nothing plays, or if
  /// it reports none.
  public var latency: Int?

  /// Whether something plays: `running` if so, `idle` shortly after, `suspended` when the server
  /// closed the device.
  ///
  /// For a Bluetooth sink on which nothing plays `suspended` is normal.
  public enum Activity: Hashable, Sendable { case running, idle, suspended }

  public init(
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

/// The Bluetooth side of a sink.
public struct BluetoothSink: Hashable, Sendable {
  /// The Bluetooth address in upper case, "F0:F1:F2:F3:F4:F5"; `nil` if the server reports none.
  public var address: String?
  /// The profile that carries the sound; `nil` if the server reports none.
  public var profile: AudioProfile?
  /// The codec by the server's name, for example "sbc_xq"; `nil` if the server reports none.
  public var codec: String?

  public init(address: String?, profile: AudioProfile?, codec: String?) {
    self.address = address
    self.profile = profile
    self.codec = codec
  }
}
