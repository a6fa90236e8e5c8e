public import AudioRoute

/// The audio route as seen from one headphone.
///
/// The AUDIO ROUTE panel in one value. It says nothing of the control link.
public enum RouteState: Hashable, Sendable {
  /// Audio goes to this headphone.
  case connected(AudioSink, AudioMatch)
  /// This headphone's audio link is up, but the sound goes elsewhere; nil: nowhere.
  case notRouted(AudioMatch, elsewhere: AudioSink?)
  /// The audio link is down; `elsewhere` is where the sound goes.
  case none(elsewhere: AudioSink?)
  /// The sound server is unavailable; why.
  case unknown(AudioUnavailable)
}

extension State {
  /// The audio route as seen from `headphone`.
  ///
  /// "Sound goes there" means that the sound server's default sink is this headphone's. A stream
  /// that was moved to another sink by hand is not looked at.
  public func route(of headphone: HeadphoneState) -> RouteState {
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

  /// The sink that sound goes to now; nil: none, or unknown.
  public var output: AudioSink? {
    guard case .running(let sound) = audio else { return nil }
    return sound.sinks.first { $0.name == sound.defaultSink }
  }
}

extension RouteState {
  /// The headphone's own sink, whether or not the sound goes there.
  public var sink: AudioSink? {
    switch self {
    case .connected(let sink, _): sink
    case .notRouted(let match, _): match.sink
    case .none, .unknown: nil
    }
  }

  /// The headphone's sound device, if it has one now.
  public var match: AudioMatch? {
    switch self {
    case .connected(_, let match), .notRouted(let match, _): match
    case .none, .unknown: nil
    }
  }

  /// The command that gives the headphone a sink for music.
  ///
  /// - Returns: nil if it has a sink, no card, or no profile for music that is available now.
  public var commandForMusic: AudioCommand? {
    guard sink == nil, let card = match?.card, let music = card.bestProfile(.a2dp) else {
      return nil
    }
    return .setProfile(card: card.name, profile: music.name)
  }

  /// The profile of the headphone's sound; nil: it has none, or the server does not report it.
  public var profile: AudioProfile? { sink?.bluetooth?.profile ?? match?.card?.activeKind }
}

extension State {
  /// Whether the headphone plays in call quality (HFP), which users take for a fault.
  public func isInCallQuality(_ headphone: HeadphoneState) -> Bool {
    route(of: headphone).profile == .handsFree
  }
}
