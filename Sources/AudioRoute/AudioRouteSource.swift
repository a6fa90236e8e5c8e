/// The sound of this machine: the real sound server, or a scripted one.
public protocol AudioRouteSource: Sendable {
  /// The current observation as soon as it is known, then each change; a single consumer.
  ///
  /// Nothing is yielded, and nothing wakes, while nothing changes.
  var observations: AsyncStream<AudioObservation> { get }

  /// Carries out a command; the change itself arrives as an observation.
  func perform(_ command: AudioCommand) async throws(AudioError)
}

/// A request to the sound server.
public enum AudioCommand: Hashable, Sendable {
  /// Makes the sink the default and moves what plays to it.
  case route(sink: String)
  /// `percent`: 0 to 100.
  case setVolume(sink: String, percent: Int)
  /// Mutes or unmutes the sink; its volume stays.
  case setMute(sink: String, isMuted: Bool)
  /// Corks or uncorks all streams of the sink (PulseAudio only).
  case setSuspended(sink: String, isSuspended: Bool)
  /// Both by the server's keys, such as "bluez_card.F0_F1_F2_F3_F4_F5" and "a2dp-sink".
  case setProfile(card: String, profile: String)
  /// The name of one of the card's ``AudioCard/codecs``; PulseAudio only.
  case setCodec(card: String, codec: String)
}

/// Why the sound server did not obey.
public enum AudioError: Error, Hashable, Sendable {
  /// There is no server to obey.
  case unavailable(AudioUnavailable)
  /// The sink or card is gone.
  case notFound(String)
  /// In the server's words.
  case refused(String)
}
