/// The audio route of this machine, as a stream of observations and a set of commands.
///
/// ```swift
/// let source: any AudioRouteSource = PulseSource(applicationName: "earshot")
/// for await case .running(let sound) in source.observations {
///   print(sound.route?.description ?? "no output", sound.route?.volume ?? 0, "%")
/// }
/// ```
package protocol AudioRouteSource: Sendable {
  /// The current observation as soon as it is known, and then each change; for one consumer.
  ///
  /// A consumer that falls behind gets only the newest observation.
  var observations: AsyncStream<AudioObservation> { get }

  /// Sends a command, and waits until the server has accepted it.
  ///
  /// The resulting change arrives as an observation, possibly later.
  func perform(_ command: AudioCommand) async throws(AudioError)
}

/// A request to the sound server.
///
/// Sinks, cards, profiles and codecs are given by their names in the latest ``AudioSnapshot``.
package enum AudioCommand: Hashable, Sendable {
  /// Makes the sink the default and moves the streams of applications to it.
  case route(sink: String)
  /// Makes the source the default, and moves the programs that record from other inputs to it.
  case record(source: String)
  /// Sets the volume of the sink's loudest channel in percent, 0 to 153.
  case setVolume(sink: String, percent: Int)
  case setMute(sink: String, isMuted: Bool)
  /// Corks or uncorks all streams of the sink; PulseAudio only (``AudioSnapshot/canSuspend``).
  case setSuspended(sink: String, isSuspended: Bool)
  /// Switches a card to another profile, for example "a2dp-sink", which replaces the card's sink.
  case setProfile(card: String, profile: String)
  /// Switches the codec of the active profile, on PulseAudio only, to an ``AudioCard/codecs``.
  case setCodec(card: String, codec: String)
  /// Sets the offset of a card's output, which players add to the latency; see ``CardOutput``.
  case setOffset(card: String, port: String, milliseconds: Int)
}

package enum AudioError: Error, Hashable, Sendable {
  /// There is no connection to a server, or it was lost before the response.
  case unavailable(AudioUnavailable)
  case notFound(String)
  /// The server returned an error, described by libpulse.
  case refused(String)
}
