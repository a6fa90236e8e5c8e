/// The sound server's state at one moment.
public struct AudioSnapshot: Hashable, Sendable {
  /// "pulseaudio", or "PulseAudio (on PipeWire 1.0.5)".
  public var serverName: String
  /// As a PulseAudio client sees it: PipeWire says the version that it imitates.
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

  /// The sink that sound goes to; nil where the server names none that exists.
  public var route: AudioSink? { defaultSink.flatMap(sink(named:)) }

  /// Whether ``AudioCommand/setSuspended(sink:isSuspended:)`` holds what plays.
  ///
  /// PipeWire says that it has suspended a sink, and plays on.
  public var canSuspend: Bool { !serverName.contains("PipeWire") }

  /// The sink of that name, if it is there now.
  public func sink(named name: String) -> AudioSink? { sinks.first { $0.name == name } }

  /// The Bluetooth card of that name, if it is there now.
  public func card(named name: String) -> AudioCard? { cards.first { $0.name == name } }
}
