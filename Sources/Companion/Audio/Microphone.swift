public import AudioRoute

/// A microphone of this machine, as seen from one headphone.
public struct Microphone: Hashable, Sendable {
  /// The sound server's source.
  public var source: AudioSource
  /// Whether it is the one that programs record from unless they choose another.
  public var isDefault: Bool
  /// Whether it is this headphone's.
  public var isOwn: Bool

  public init(source: AudioSource, isDefault: Bool, isOwn: Bool) {
    self.source = source
    self.isDefault = isDefault
    self.isOwn = isOwn
  }
}

extension UserCommand {
  /// Opens the list of microphones; another one than the headphone's gives music its quality back.
  package static let microphone = UserCommand(
    "microphone", keys: ["M"], "choose another call mic, so music plays in full quality",
    label: "Mic", availability: \.hasMicrophones
  ) { state, _ in state.chooseMicrophone() }
}

extension State {
  /// All microphones, in the order of the sound server; empty without one.
  ///
  /// - Parameter headphone: whose microphone is marked as its own.
  public func microphones(of headphone: HeadphoneState?) -> [Microphone] {
    guard case .running(let sound) = audio else { return [] }
    let card = headphone.flatMap { audioMatch(for: $0)?.card }
    return sound.sources.map { source in
      Microphone(
        source: source, isDefault: source.name == sound.defaultSource,
        isOwn: card.map { source.isPart(of: $0) } ?? false)
    }
  }

  /// The names of the programs that have the headphone's own microphone open, not made displayable.
  public func programsRecording(from headphone: HeadphoneState) -> [String] {
    microphones(of: headphone).first(where: \.isOwn)?.source.programs ?? []
  }

  /// Whether there are microphones to choose from.
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
  /// The cursor is on another one while the headphone's is in use, because that frees it; else on
  /// the present one.
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

  /// Takes the choice of a microphone, if the sound server still has it.
  mutating func record(from microphone: Microphone, at timestamp: Timestamp) -> [Effect] {
    guard case .running(let sound) = audio,
      let source = sound.source(named: microphone.source.name)
    else { return say("that microphone is gone", at: timestamp) }
    return sound.commands(toRecordFrom: source).map(Effect.audio)
      + note(.info, nil, "microphone: \(source.description)", at: timestamp)
  }

  /// Notes which program has opened the headphone's microphone, once that is known.
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

  /// The microphone in the panel.
  ///
  /// - Returns: whose it is and the programs that have opened it, with a warning where that costs
  ///   the quality of the headphone's sound; nil: there is none.
  public func microphoneText(of headphone: HeadphoneState?) -> (text: String, isWarning: Bool)? {
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
