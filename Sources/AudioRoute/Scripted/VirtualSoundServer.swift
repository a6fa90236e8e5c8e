/// A sound server as a value: speakers, virtual headphones, and the effects of commands on them.
///
/// Like a real server it has a card for each connected headphone, with a profile for music and one
/// for calls, a sink while one of them is active, and a default that falls back to the speakers
/// when its sink disappears.
///
/// ```swift
/// var server = VirtualSoundServer()
/// server.connect(name: "Aurora", address: "F0:F1:F2:F3:F4:F5")
/// print(server.snapshot.route?.description ?? "")  // Aurora
/// ```
public struct VirtualSoundServer: Hashable, Sendable {
  public private(set) var snapshot: AudioSnapshot

  private static let music = CardProfile(
    name: "a2dp-sink", description: "High Fidelity Playback (A2DP Sink)")
  private static let call = CardProfile(
    name: "headset-head-unit", description: "Headset Head Unit (HSP/HFP)")
  private static let off = CardProfile(name: "off", description: "Off")
  private static let microphone = AudioSource(
    name: "virtual_microphone", description: "Microphone")

  /// Creates a server with speakers at 60 % and no headphone.
  public init() {
    let speakers = AudioSink(
      name: "virtual_speakers", description: "Speakers", volume: 60, activity: .running,
      port: "Speakers")
    snapshot = AudioSnapshot(
      serverName: "virtual", serverVersion: "1", defaultSink: speakers.name, sinks: [speakers],
      defaultSource: Self.microphone.name, sources: [Self.microphone])
  }

  /// Connects or reconnects a headphone with its profile for music, and makes its sink the default.
  ///
  /// - Parameter address: the address in upper case, "F0:F1:F2:F3:F4:F5".
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

  /// Disconnects a headphone, if it is connected with this address.
  public mutating func disconnect(address: String) {
    guard let card = snapshot.cards.first(where: { $0.address == address }) else { return }
    setProfile(VirtualSoundServer.off.name, of: card)
    snapshot.cards.removeAll { $0.name == card.name }
  }

  /// Carries out a command as a real server would; there are no codecs, as on PipeWire.
  public mutating func perform(_ command: AudioCommand) throws(AudioError) {
    switch command {
    case .route(let sink):
      _ = try index(of: sink)
      setDefault(sink)
    case .record(let source):
      guard snapshot.source(named: source) != nil else { throw .notFound(source) }
      snapshot.defaultSource = source
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
    case .setOffset(_, let port, _): throw .notFound(port)
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

  /// Switches a card's profile, which replaces its sink; the default follows if possible.
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
    setMicrophone(of: card, isThere: AudioProfile(serverName: profile) == .handsFree)
    if wasRoute {
      let new = snapshot.sinks.first { $0.card == card.name }
      setDefault((new ?? snapshot.sinks.first)?.name)
    }
  }

  private mutating func setMicrophone(of card: AudioCard, isThere: Bool) {
    snapshot.sources.removeAll { $0.card == card.name }
    if isThere, let address = card.address {
      snapshot.sources.append(
        AudioSource(
          name: Self.name("virtual_input", address), description: card.description,
          isBluetooth: true, address: address, card: card.name))
    }
    // Servers have this policy, too: calls on the headphone use its microphone.
    snapshot.defaultSource = (snapshot.sources.last ?? Self.microphone).name
  }

  private static func name(_ kind: String, _ address: String) -> String {
    "\(kind).\(address.replacing(":", with: "_"))"
  }
}
