/// A place that sound goes to.
public struct AudioSink: Hashable, Sendable {
  /// The server's key for it, for example "bluez_output.F0_F1_F2_F3_F4_F5.1".
  public var name: String
  /// The description; unsanitised.
  public var description: String
  /// Nil: not Bluetooth.
  public var bluetooth: BluetoothSink?
  /// The loudest channel, in %; 100 is the server's norm and may be exceeded.
  public var volume: Int
  /// Whether it is silenced, at whatever ``volume``.
  public var isMuted: Bool
  /// Whether something plays.
  public var activity: Activity
  /// The name of the card that it belongs to; nil: none.
  public var card: String?
  /// The description of the active port, for example "Speakers"; nil: the sink has no ports.
  public var port: String?

  /// Whether something plays: `suspended` is normal for a Bluetooth sink when nothing does.
  public enum Activity: Hashable, Sendable { case running, idle, suspended }

  public init(
    name: String, description: String, bluetooth: BluetoothSink? = nil, volume: Int,
    isMuted: Bool = false, activity: Activity, card: String? = nil, port: String? = nil
  ) {
    self.name = name
    self.description = description
    self.bluetooth = bluetooth
    self.volume = volume
    self.isMuted = isMuted
    self.activity = activity
    self.card = card
    self.port = port
  }
}

/// What makes a sink a Bluetooth one.
public struct BluetoothSink: Hashable, Sendable {
  /// The Bluetooth address in upper case, "F0:F1:F2:F3:F4:F5"; nil: the server does not report one.
  public var address: String?
  /// Nil: the server does not report it.
  public var profile: AudioProfile?
  /// The codec by the server's name, for example "sbc_xq"; nil: the server does not report it.
  public var codec: String?

  public init(address: String?, profile: AudioProfile?, codec: String?) {
    self.address = address
    self.profile = profile
    self.codec = codec
  }
}
