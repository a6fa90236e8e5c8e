/// What the sound server tells, or why it tells nothing.
public enum AudioObservation: Hashable, Sendable {
  case unavailable(AudioUnavailable)
  case running(AudioSnapshot)
}

/// Why nothing is known about the sound.
public enum AudioUnavailable: Error, Hashable, Sendable {
  /// Nobody has asked yet.
  case notStarted
  /// No server listens, for example in a container or over ssh.
  case noServer
  /// The server ended; it is looked for again.
  case serverEnded
  case accessDenied
  /// Another failure, in the library's words.
  case failed(String)
}

/// The sound server's state at one moment.
public struct AudioSnapshot: Hashable, Sendable {
  /// "pulseaudio", or "PulseAudio (on PipeWire 1.0.5)".
  public var serverName: String
  public var serverVersion: String
  /// The name of the default sink; nil: none.
  public var defaultSink: String?
  /// In the order of their server indices.
  public var sinks: [AudioSink]
  /// Bluetooth cards, connected though perhaps without a sink.
  public var cards: [AudioCard]

  public init(
    serverName: String, serverVersion: String, defaultSink: String?, sinks: [AudioSink],
    cards: [AudioCard] = []
  ) {
    self.serverName = serverName
    self.serverVersion = serverVersion
    self.defaultSink = defaultSink
    self.sinks = sinks
    self.cards = cards
  }
}

/// A place that sound goes to.
public struct AudioSink: Hashable, Sendable {
  /// The server's key for it, for example "bluez_output.F0_F1_F2_F3_F4_F5.1".
  public var name: String
  /// As a person reads it; unsanitised.
  public var description: String
  /// Nil: not Bluetooth.
  public var bluetooth: BluetoothSink?
  /// %, 100 is the server's norm; may exceed it.
  public var volume: Int
  public var isMuted: Bool
  public var activity: Activity
  /// The card that it belongs to.
  public var card: String?

  public enum Activity: Hashable, Sendable { case running, idle, suspended }

  public init(
    name: String, description: String, bluetooth: BluetoothSink? = nil, volume: Int,
    isMuted: Bool = false, activity: Activity, card: String? = nil
  ) {
    self.name = name
    self.description = description
    self.bluetooth = bluetooth
    self.volume = volume
    self.isMuted = isMuted
    self.activity = activity
    self.card = card
  }
}

/// What makes a sink a Bluetooth one.
public struct BluetoothSink: Hashable, Sendable {
  /// Upper case, "F0:F1:F2:F3:F4:F5"; nil where the server does not tell.
  public var address: String?
  public var profile: AudioProfile?
  /// As the server names it, for example "sbc_xq"; nil where it does not tell.
  public var codec: String?

  public init(address: String?, profile: AudioProfile?, codec: String?) {
    self.address = address
    self.profile = profile
    self.codec = codec
  }
}

/// The Bluetooth profile that carries the sound.
public enum AudioProfile: Hashable, Sendable {
  /// Music.
  case a2dp
  /// Call quality.
  case handsFree
  case leAudio
  case other(String)
}

/// A Bluetooth device as the server knows it.
public struct AudioCard: Hashable, Sendable {
  public var name: String
  public var description: String
  public var address: String?
  public var activeProfile: String?
  /// Names of the profiles that are available now.
  public var profiles: [String]

  public init(
    name: String, description: String, address: String?, activeProfile: String?, profiles: [String]
  ) {
    self.name = name
    self.description = description
    self.address = address
    self.activeProfile = activeProfile
    self.profiles = profiles
  }
}
