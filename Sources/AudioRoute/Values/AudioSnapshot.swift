package struct AudioSnapshot: Hashable, Sendable {
  /// The server's name: "pulseaudio", or "PulseAudio (on PipeWire 1.0.5)".
  package var serverName: String
  /// The PulseAudio version that the server implements or, on PipeWire, emulates.
  package var serverVersion: String
  package var defaultSink: String?
  /// All sinks in the order of their server indices.
  package var sinks: [AudioSink]
  /// The connected Bluetooth devices, which may be without a sink.
  package var cards: [AudioCard]
  /// The name of the default source, which may be an output's monitor, or nil if there is none.
  package var defaultSource: String?
  /// The microphones and other inputs, in the order of their server indices.
  package var sources: [AudioSource]
  /// The programs that play, on whatever sink, in the order of their streams.
  package var playing: [AudioProgram]

  package init(
    serverName: String, serverVersion: String, defaultSink: String?, sinks: [AudioSink],
    cards: [AudioCard] = [], defaultSource: String? = nil, sources: [AudioSource] = [],
    playing: [AudioProgram] = []
  ) {
    self.serverName = serverName
    self.serverVersion = serverVersion
    self.defaultSink = defaultSink
    self.sinks = sinks
    self.cards = cards
    self.defaultSource = defaultSource
    self.sources = sources
    self.playing = playing
  }

  package var route: AudioSink? { defaultSink.flatMap(sink(named:)) }

  /// The source that programs record from, or nil if the default is not an input.
  package var microphone: AudioSource? { defaultSource.flatMap(source(named:)) }

  /// Returns the commands that record from a source, and restore music quality on other headphones.
  package func commands(toRecordFrom source: AudioSource) -> [AudioCommand] {
    let freed = cards.filter { $0.activeKind == .handsFree && !source.isPart(of: $0) }
    return [.record(source: source.name)]
      + freed.compactMap { card in
        card.musicProfile.map { .setProfile(card: card.name, profile: $0.name) }
      }
  }

  /// Whether suspending a sink pauses playback, which continues on PipeWire.
  package var canSuspend: Bool { !serverName.contains("PipeWire") }

  package func sink(named name: String) -> AudioSink? { sinks.first { $0.name == name } }

  package func source(named name: String) -> AudioSource? { sources.first { $0.name == name } }

  package func card(named name: String) -> AudioCard? { cards.first { $0.name == name } }
}
