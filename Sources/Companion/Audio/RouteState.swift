package import AudioRoute

/// The audio route as seen from one headphone, regardless of its control link.
package enum RouteState: Hashable, Sendable {
  case connected(AudioSink, AudioMatch)
  /// The audio link is up, but the sound goes to `elsewhere`, or nowhere if it is nil.
  case notRouted(AudioMatch, elsewhere: AudioSink?)
  case none(elsewhere: AudioSink?)
  case unknown(AudioUnavailable)
}

extension State {
  /// Returns the audio route as seen from `headphone`.
  ///
  /// The sound goes to a headphone if its sink is the default sink. Streams that were moved to
  /// another sink by hand are ignored.
  package func route(of headphone: HeadphoneState) -> RouteState {
    switch audio {
    case .unavailable(let reason): return .unknown(reason)
    case .running(let sound):
      let output = sound.sinks.first { $0.name == sound.defaultSink }
      guard let match = audioMatch(for: headphone) else { return .none(elsewhere: output) }
      guard let sink = match.sink, sink.name == sound.defaultSink else {
        return .notRouted(match, elsewhere: output)
      }
      return .connected(sink, match)
    }
  }

  package var output: AudioSink? {
    guard case .running(let sound) = audio else { return nil }
    return sound.sinks.first { $0.name == sound.defaultSink }
  }
}

extension RouteState {
  /// The headphone's sink, whether or not the sound goes there.
  package var sink: AudioSink? {
    switch self {
    case .connected(let sink, _): sink
    case .notRouted(let match, _): match.sink
    case .none, .unknown: nil
    }
  }

  package var match: AudioMatch? {
    switch self {
    case .connected(_, let match), .notRouted(let match, _): match
    case .none, .unknown: nil
    }
  }

  package var profile: AudioProfile? { sink?.bluetooth?.profile ?? match?.card?.activeKind }
}

extension State {
  /// Whether the headphone plays in call quality (HFP), which users mistake for a defect.
  package func isInCallQuality(_ headphone: HeadphoneState) -> Bool {
    route(of: headphone).profile == .handsFree
  }
}
