package import AudioRoute

package struct Microphone: Hashable, Sendable {
  package var source: AudioSource
  /// Whether programs record from it unless they choose another.
  package var isDefault: Bool
  package var isOwn: Bool

  package init(source: AudioSource, isDefault: Bool, isOwn: Bool) {
    self.source = source
    self.isDefault = isDefault
    self.isOwn = isOwn
  }
}

extension UserCommand {
  package static let microphone = UserCommand(
    "microphone", keys: ["M"], "choose another call mic, so music plays in full quality",
    label: "Mic", shell: "choose another: earshot audio microphone", availability: \.hasMicrophones
  ) { state, _ in state.chooseMicrophone() }
}

extension State {
  /// Returns all microphones in the order of the sound server.
  package func microphones(of headphone: HeadphoneState?) -> [Microphone] {
    guard case .running(let sound) = audio else { return [] }
    let card = headphone.flatMap { audioMatch(for: $0)?.card }
    return sound.sources.map { source in
      Microphone(
        source: source, isDefault: source.name == sound.defaultSource,
        isOwn: card.map { source.isPart(of: $0) } ?? false)
    }
  }

  /// Returns the names of programs that record from the headphone's microphone, not sanitised.
  package func programsRecording(from headphone: HeadphoneState) -> [String] {
    microphones(of: headphone).first(where: \.isOwn)?.source.programs ?? []
  }

  fileprivate var hasMicrophones: Availability {
    if case .unavailable(let reason) = audio {
      return .refused("no microphone: \(reason.displayText)")
    }
    guard let headphone = headphones.selected else { return notConnected }
    return microphones(of: headphone).isEmpty
      ? .refused("this machine has no microphone") : .available
  }

  /// Opens the list of microphones.
  ///
  /// While the headphone's own one is in use, the cursor starts on another, which would free it.
  fileprivate mutating func chooseMicrophone() -> [Effect] {
    guard let headphone = headphones.selected else { return [] }
    let microphones = microphones(of: headphone)
    let isOwnInUse = microphones.contains {
      $0.isOwn && ($0.isDefault || !$0.source.programs.isEmpty)
    }
    let line =
      isOwnInUse
      ? microphones.firstIndex { !$0.isOwn } : microphones.firstIndex(where: \.isDefault)
    dialog = .soundChoice(
      SoundChoice(headphone: headphone.id, options: .microphones(microphones), line: line ?? 0))
    return []
  }

  mutating func record(from microphone: Microphone, at timestamp: Timestamp) -> [Effect] {
    guard case .running(let sound) = audio,
      let source = sound.source(named: microphone.source.name)
    else { return say("that microphone is gone", at: timestamp) }
    return sound.commands(toRecordFrom: source).map(Effect.audio)
      + note(.info, nil, "microphone: \(source.description)", at: timestamp)
  }

  mutating func noteRecording(
    since before: State, of headphone: HeadphoneState, at timestamp: Timestamp
  ) -> [Effect] {
    let programs = programsRecording(from: headphone)
    guard isInCallQuality(headphone), let program = programs.first,
      programs != before.programsRecording(from: headphone)
    else { return [] }
    return say(
      "call quality audio: \(program) has opened the headphone's microphone", headphone.id,
      remedy: .microphone, at: timestamp)
  }

  /// Returns the microphone and the programs that record from it; nil without a microphone.
  ///
  /// `isWarning` means that recording costs music its quality.
  package func microphoneText(of headphone: HeadphoneState?) -> (text: String, isWarning: Bool)? {
    let microphones = microphones(of: headphone)
    guard !microphones.isEmpty else { return nil }
    let own = microphones.first(where: \.isOwn)
    if let own, !own.source.programs.isEmpty {
      return ("this headphone, open: \(own.source.programs.joined(separator: ", "))", true)
    }
    guard let microphone = microphones.first(where: \.isDefault) else { return ("none", false) }
    let programs = microphone.source.programs.joined(separator: ", ")
    let name = microphone.isOwn ? "this headphone" : microphone.source.description
    return (programs.isEmpty ? name : "\(name), open: \(programs)", microphone.isOwn)
  }
}
