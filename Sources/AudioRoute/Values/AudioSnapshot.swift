/// The state of the sound server at one moment.
///
/// ```swift
/// if let sink = sound.route, let headphone = sink.bluetooth {
///   print(sink.description, headphone.codec ?? "unknown codec", "at \(sink.volume) %")
/// }
/// ```
public struct AudioSnapshot: Hashable, Sendable {
  /// The server's name: "pulseaudio", or "PulseAudio (on PipeWire 1.0.5)".
  public var serverName: String
  /// The PulseAudio version that the server implements; on PipeWire the one that it emulates.
  public var serverVersion: String
  /// The name of the default sink; `nil` if there is none.
  public var defaultSink: String?
  /// All sinks in the order of their server indices.
  public var sinks: [AudioSink]
  /// The connected Bluetooth devices, which may be without a sink.
  public var cards: [AudioCard]
  /// The name of the default source, which may be an output's monitor; `nil` if there is none.
  public var defaultSource: String?
  /// Microphones and other inputs, in the order of their server indices.
  public var sources: [AudioSource]

  public init(
    serverName: String, serverVersion: String, defaultSink: String?, sinks: [AudioSink],
    cards: [AudioCard] = [], defaultSource: String? = nil, sources: [AudioSource] = []
  ) {
    self.serverName = serverName
    self.serverVersion = serverVersion
    self.defaultSink = defaultSink
    self.sinks = sinks
    self.cards = cards
    self.defaultSource = defaultSource
    self.sources = sources
  }

  /// The default sink; `nil` if the server names none that exists.
  public var route: AudioSink? { defaultSink.flatMap(sink(named:)) }

  /// The source that programs record from; `nil` if the default is not an input.
  public var microphone: AudioSource? { defaultSource.flatMap(source(named:)) }

  /// The commands that make a source the microphone of all programs.
  ///
  /// They set the source, and return each headphone to music quality whose own microphone is then
  /// no longer needed.
  public func commands(toRecordFrom source: AudioSource) -> [AudioCommand] {
    let freed = cards.filter { $0.activeKind == .handsFree && !source.isPart(of: $0) }
    return [.record(source: source.name)]
      + freed.compactMap { card in
        card.bestProfile(.a2dp).map { .setProfile(card: card.name, profile: $0.name) }
      }
  }

  /// Whether ``AudioCommand/setSuspended(sink:isSuspended:)`` pauses playback.
  ///
  /// PipeWire reports a suspended sink, and continues to play.
  public var canSuspend: Bool { !serverName.contains("PipeWire") }

  /// The sink of a name.
  ///
  /// - Parameter name: the server's key.
  /// - Returns: `nil` if there is none now.
  public func sink(named name: String) -> AudioSink? { sinks.first { $0.name == name } }

  /// The input with a name; `nil` if it does not exist now.
  public func source(named name: String) -> AudioSource? { sources.first { $0.name == name } }

  /// The Bluetooth card with a name; `nil` if it does not exist now.
  public func card(named name: String) -> AudioCard? { cards.first { $0.name == name } }
}
