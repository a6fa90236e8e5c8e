/// A sound server as a value: speakers, virtual headphones, and the effects of commands on them.
///
/// The default falls back to the speakers when its sink disappears.
///
/// ```swift
/// var server = VirtualSoundServer()
/// server.connect(name: "Aurora", address: "F0:F1:F2:F3:F4:F5")
/// print(server.snapshot.route?.description ?? "")  // Aurora
/// ```
package struct VirtualSoundServer: Hashable, Sendable {
  package private(set) var snapshot: AudioSnapshot

  /// The real server whose names and profiles a virtual one has.
  ///
  /// | with calls alone connected | the card's profile |
  /// | --- | --- |
  /// | PipeWire, and the server named "virtual" | calls |
  /// | PulseAudio | off |
  package enum Manner: Hashable, Sendable, CaseIterable { case virtual, pipeWire, pulseAudio }

  private let manner: Manner
  /// The sinks that a client has suspended, which routing sound to them does not resume.
  private var suspended: Set<String> = []

  private static let off = CardProfile(name: "off", description: "Off")
  private static let microphone = AudioSource(
    name: "virtual_microphone", description: "Microphone")

  /// Creates a server with speakers at 60 % and no headphone.
  package init(like manner: Manner = .virtual) {
    self.manner = manner
    let speakers = AudioSink(
      name: "virtual_speakers", description: "Speakers", volume: 60, activity: .running,
      port: "Speakers")
    snapshot = AudioSnapshot(
      serverName: manner.serverName, serverVersion: "1", defaultSink: speakers.name,
      sinks: [speakers], defaultSource: Self.microphone.name, sources: [Self.microphone])
  }

  /// Connects or reconnects a headphone, and makes its sink for music the default.
  ///
  /// - Parameter connected: the kinds of profiles that Bluetooth has connected. The card lists A2DP
  ///   and calls in any case, and those that are not connected as not available.
  package mutating func connect(
    name: String, address: String, profiles connected: [AudioProfile] = [.a2dp, .handsFree]
  ) {
    disconnect(address: address)
    let kinds: [AudioProfile] =
      [.a2dp, .handsFree] + (connected.contains(.leAudio) ? [.leAudio] : [])
    let profiles = kinds.map { kind in
      CardProfile(
        name: manner.profile(kind), description: Self.description(of: kind),
        isAvailable: connected.contains(kind))
    }
    let card = AudioCard(
      name: VirtualSoundServer.name("virtual_card", address), description: name, address: address,
      activeProfile: nil, profiles: profiles + [Self.off])
    snapshot.cards.append(card)
    let calls = manner == .pulseAudio ? nil : card.bestProfile(.handsFree)
    setProfile((card.musicProfile ?? calls ?? Self.off).name, of: card)
    if card.musicProfile != nil, let sink = snapshot.sinks.last { setDefault(sink.name) }
  }

  /// Makes a kind of profile of a connected headphone available, as when Bluetooth connects it.
  package mutating func makeAvailable(_ kind: AudioProfile, address: String) {
    for card in snapshot.cards.indices where snapshot.cards[card].address == address {
      for profile in snapshot.cards[card].profiles.indices
      where snapshot.cards[card].profiles[profile].kind == kind {
        snapshot.cards[card].profiles[profile].isAvailable = true
      }
    }
  }

  /// Makes a program record from a headphone's microphone, or end all recordings from it if nil.
  package mutating func record(_ program: String?, address: String) {
    for source in snapshot.sources.indices where snapshot.sources[source].address == address {
      snapshot.sources[source].programs = program.map { [$0] } ?? []
    }
  }

  /// Switches a headphone to calls and makes a program record from it, or ends that call if nil.
  package mutating func call(_ program: String?, address: String) {
    guard let card = snapshot.cards.first(where: { $0.address == address }) else { return }
    let profile = program == nil ? card.musicProfile : card.bestProfile(.handsFree)
    record(nil, address: address)
    if let profile { setProfile(profile.name, of: card) }
    record(program, address: address)
  }

  /// Makes a program play, or none if nil.
  package mutating func play(_ program: String?) {
    snapshot.playing = program.map { [AudioProgram(name: $0)] } ?? []
  }

  package mutating func disconnect(address: String) {
    guard let card = snapshot.cards.first(where: { $0.address == address }) else { return }
    setProfile(VirtualSoundServer.off.name, of: card)
    snapshot.cards.removeAll { $0.name == card.name }
  }

  /// Carries out a command as a real server would; there are no codecs, as on PipeWire.
  package mutating func perform(_ command: AudioCommand) throws(AudioError) {
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
      let index = try index(of: sink)
      // PipeWire accepts the request, and keeps playing.
      guard snapshot.canSuspend else { return }
      if isSuspended { suspended.insert(sink) } else { suspended.remove(sink) }
      snapshot.sinks[index].activity =
        isSuspended || sink != snapshot.defaultSink ? .suspended : .running
    case .setProfile(let card, let profile):
      guard let card = snapshot.card(named: card) else { throw .notFound(card) }
      guard card.profiles.contains(where: { $0.name == profile && $0.isAvailable }) else {
        throw .notFound(profile)
      }
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
      let name = snapshot.sinks[index].name
      let plays = name == sink && !suspended.contains(name)
      snapshot.sinks[index].activity = plays ? .running : .suspended
    }
  }

  /// Switches a card's profile, which replaces its sink; the default follows if possible.
  private mutating func setProfile(_ profile: String, of card: AudioCard) {
    guard card.activeProfile != profile else { return }
    let old = snapshot.sinks.first { $0.card == card.name }
    let wasRoute = old != nil && old?.name == snapshot.defaultSink
    snapshot.sinks.removeAll { $0.card == card.name }
    if let old { suspended.remove(old.name) }
    for index in snapshot.cards.indices where snapshot.cards[index].name == card.name {
      snapshot.cards[index].activeProfile = profile
    }
    if let kind = AudioProfile(serverName: profile), let address = card.address {
      snapshot.sinks.append(
        AudioSink(
          name: VirtualSoundServer.name("virtual_output", address), description: card.description,
          bluetooth: BluetoothSink(address: address, profile: kind, codec: Self.codec(of: kind)),
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

  private static func description(of kind: AudioProfile) -> String {
    switch kind {
    case .a2dp: "High Fidelity Playback (A2DP Sink)"
    case .handsFree: "Headset Head Unit (HSP/HFP)"
    case .leAudio: "High Fidelity Playback (BAP Sink)"
    case .other(let name): name
    }
  }

  private static func codec(of kind: AudioProfile) -> String {
    switch kind {
    case .a2dp, .other: "sbc"
    case .handsFree: "cvsd"
    case .leAudio: "lc3"
    }
  }
}

extension VirtualSoundServer.Manner {
  fileprivate var serverName: String {
    switch self {
    case .virtual: "virtual"
    case .pipeWire: "PulseAudio (on PipeWire 1.4.2)"
    case .pulseAudio: "pulseaudio"
    }
  }

  fileprivate func profile(_ kind: AudioProfile) -> String {
    switch kind {
    case .a2dp: self == .pulseAudio ? "a2dp_sink" : "a2dp-sink"
    case .handsFree: self == .pulseAudio ? "handsfree_head_unit" : "headset-head-unit"
    case .leAudio: "bap-sink"
    case .other(let name): name
    }
  }
}
