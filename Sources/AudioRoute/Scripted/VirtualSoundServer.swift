/// A sound server that is only a value: virtual headphones, speakers, and what commands do to them.
///
/// It has what the real ones have: a card for each connected headphone with a profile for music
/// and one for calls, a sink while one of these is in use, and a default that falls back to
/// the speakers when its sink goes.
public struct VirtualSoundServer: Hashable, Sendable {
  /// The server's current state.
  public private(set) var snapshot: AudioSnapshot

  private static let music = CardProfile(
    name: "a2dp-sink", description: "High Fidelity Playback (A2DP Sink)")
  private static let call = CardProfile(
    name: "headset-head-unit", description: "Headset Head Unit (HSP/HFP)")
  private static let off = CardProfile(name: "off", description: "Off")

  /// A server with speakers alone.
  public init() {
    let speakers = AudioSink(
      name: "virtual_speakers", description: "Speakers", volume: 60, activity: .running,
      port: "Speakers")
    snapshot = AudioSnapshot(
      serverName: "virtual", serverVersion: "1", defaultSink: speakers.name, sinks: [speakers])
  }

  /// The headphone's audio link comes up, for music, and the sound goes to it.
  ///
  /// - Parameter address: upper case, "F0:F1:F2:F3:F4:F5".
  public mutating func connect(name: String, address: String) {
    disconnect(address: address)
    let card = AudioCard(
      name: VirtualSoundServer.name("virtual_card", address), description: name, address: address,
      activeProfile: nil,
      profiles: [VirtualSoundServer.music, VirtualSoundServer.call, VirtualSoundServer.off])
    snapshot.cards.append(card)
    setProfile(VirtualSoundServer.music.name, of: card)
    if let sink = snapshot.sinks.last { setDefault(sink.name) }
  }

  /// The headphone's audio link goes down.
  public mutating func disconnect(address: String) {
    guard let card = snapshot.cards.first(where: { $0.address == address }) else { return }
    setProfile(VirtualSoundServer.off.name, of: card)
    snapshot.cards.removeAll { $0.name == card.name }
  }

  /// Carries out a command as a real server would.
  ///
  /// - Throws: ``AudioError/notFound(_:)`` for an unknown sink or card.
  public mutating func perform(_ command: AudioCommand) throws(AudioError) {
    switch command {
    case .route(let sink):
      _ = try index(of: sink)
      setDefault(sink)
    case .setVolume(let sink, let percent):
      snapshot.sinks[try index(of: sink)].volume = min(max(percent, 0), 100)
    case .setMute(let sink, let isMuted):
      snapshot.sinks[try index(of: sink)].isMuted = isMuted
    case .setSuspended(let sink, let isSuspended):
      snapshot.sinks[try index(of: sink)].activity = isSuspended ? .suspended : .running
    case .setProfile(let card, let profile):
      guard let card = snapshot.card(named: card) else { throw .notFound(card) }
      guard card.profiles.contains(where: { $0.name == profile }) else { throw .notFound(profile) }
      setProfile(profile, of: card)
    case .setCodec(_, let codec): throw .notFound(codec)
    }
  }

  private func index(of sink: String) throws(AudioError) -> Int {
    guard let index = snapshot.sinks.firstIndex(where: { $0.name == sink }) else {
      throw .notFound(sink)
    }
    return index
  }

  private mutating func setDefault(_ sink: String?) {
    snapshot.defaultSink = sink
    for index in snapshot.sinks.indices {
      let isRoute = snapshot.sinks[index].name == sink
      snapshot.sinks[index].activity = isRoute ? .running : .suspended
    }
  }

  private mutating func setProfile(_ profile: String, of card: AudioCard) {
    guard card.activeProfile != profile else { return }
    let old = snapshot.sinks.first { $0.card == card.name }
    let wasRoute = old != nil && old?.name == snapshot.defaultSink
    snapshot.sinks.removeAll { $0.card == card.name }
    for index in snapshot.cards.indices where snapshot.cards[index].name == card.name {
      snapshot.cards[index].activeProfile = profile
    }
    if let kind = AudioProfile(serverName: profile), let address = card.address {
      snapshot.sinks.append(
        AudioSink(
          name: VirtualSoundServer.name("virtual_output", address), description: card.description,
          bluetooth: BluetoothSink(
            address: address, profile: kind, codec: kind == .a2dp ? "sbc" : "cvsd"),
          volume: old?.volume ?? 50, isMuted: old?.isMuted ?? false, activity: .suspended,
          card: card.name))
    }
    if wasRoute {
      let new = snapshot.sinks.first { $0.card == card.name }
      setDefault((new ?? snapshot.sinks.first)?.name)
    }
  }

  private static func name(_ kind: String, _ address: String) -> String {
    "\(kind).\(address.replacing(":", with: "_"))"
  }
}
