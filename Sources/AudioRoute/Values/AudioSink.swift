/// A place that sound goes to.
public struct AudioSink: Hashable, Sendable {
  /// The server's key for it, for example "bluez_output.F0_F1_F2_F3_F4_F5.1".
  public var name: String
  /// As a person reads it; unsanitised.
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
  /// The active port as a person reads it, for example "Speakers"; nil: it has no ports.
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
  /// Upper case, "F0:F1:F2:F3:F4:F5"; nil where the server does not tell.
  public var address: String?
  /// Nil where the server does not tell.
  public var profile: AudioProfile?
  /// As the server names it, for example "sbc_xq"; nil where it does not tell.
  public var codec: String?

  public init(address: String?, profile: AudioProfile?, codec: String?) {
    self.address = address
    self.profile = profile
    self.codec = codec
  }
}
