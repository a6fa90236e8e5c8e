/// The audio route of this machine, as a stream of observations and a set of commands.
///
/// ``PulseSource`` observes a real sound server; ``ScriptedAudioSource`` has a virtual one, for
/// virtual headphones and tests. Consumers cannot tell which of them they have.
///
/// ```swift
/// let source: any AudioRouteSource = PulseSource(applicationName: "earshot")
/// for await case .running(let sound) in source.observations {
///   print(sound.route?.description ?? "no output", sound.route?.volume ?? 0, "%")
/// }
/// ```
public protocol AudioRouteSource: Sendable {
  /// The current observation as soon as it is known, and then each change; for one consumer.
  ///
  /// A consumer that falls behind gets the newest observation only, which replaces all earlier
  /// ones. Nothing is yielded, and no timer runs, while nothing changes.
  var observations: AsyncStream<AudioObservation> { get }

  /// Carries out a command and waits for the server's answer.
  ///
  /// When it returns, the server has accepted the command. The resulting change arrives as an
  /// observation, perhaps only afterwards.
  ///
  /// - Parameter command: the request, by the server's own names of sinks and cards.
  /// - Throws: ``AudioError/unavailable(_:)`` without a server or its response,
  ///   ``AudioError/notFound(_:)`` if the sink, card, profile or codec does not exist any more,
  ///   ``AudioError/refused(_:)`` otherwise.
  func perform(_ command: AudioCommand) async throws(AudioError)
}

/// A request to the sound server.
///
/// Sinks, cards, profiles and codecs are given by the names in the latest ``AudioSnapshot``, which
/// are the server's keys and not meant for people.
public enum AudioCommand: Hashable, Sendable {
  /// Makes the sink the default and moves the streams of applications to it.
  case route(sink: String)
  /// Makes the source the default, and moves the programs that record from other inputs to it.
  case record(source: String)
  /// Sets the volume of the sink in percent, 0 to 100.
  case setVolume(sink: String, percent: Int)
  /// Mutes or unmutes the sink; its volume stays.
  case setMute(sink: String, isMuted: Bool)
  /// Corks or uncorks all streams of the sink; PulseAudio only.
  ///
  /// See ``AudioSnapshot/canSuspend``.
  case setSuspended(sink: String, isSuspended: Bool)
  /// Switches a card to another profile.
  ///
  /// Both are names of the server, such as "bluez_card.F0_F1_F2_F3_F4_F5" and "a2dp-sink". The
  /// card's sink disappears, and another one may take its place.
  case setProfile(card: String, profile: String)
  /// Switches the codec of the active profile to one of the card's ``AudioCard/codecs``; PulseAudio
  /// only.
  case setCodec(card: String, codec: String)
  /// Sets the offset of a card's output, which players add to the latency; see ``CardOutput``.
  case setOffset(card: String, port: String, milliseconds: Int)
}

/// The reason why the sound server did not carry out a command.
public enum AudioError: Error, Hashable, Sendable {
  /// There is no connection to a server, or it was lost before the answer.
  case unavailable(AudioUnavailable)
  /// The sink, card, profile or codec of this name does not exist, or no longer.
  case notFound(String)
  /// The server refused, with libpulse's description of its error code.
  case refused(String)
}
