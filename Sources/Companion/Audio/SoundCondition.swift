package import AudioRoute

/// What keeps music from being heard on a headphone, and the command that helps.
///
/// The key for the sound, `earshot audio connect` and the doctor use it.
///
/// | condition | effect of the key |
/// | --- | --- |
/// | `music` | none, except that a sink suspended by a program is resumed |
/// | `muted`, `silent`, `call` | it names the command that helps, as the state may be intended |
/// | `elsewhere` | the sound goes there |
/// | `off`, `callQuality` | the profile for music is chosen, and connected first if it is missing |
/// | `absent` | the sound is connected |
/// | `ambiguous`, `pinAbsent` | it names the command that helps |
package enum SoundCondition: Hashable, Sendable {
  case music
  case muted
  /// Music goes to the headphone, whose sink is at 0 %.
  case silent
  /// The sound goes to the headphone in call quality, because these programs use its microphone.
  case call([String])
  /// The headphone has a sink, and the sound goes to another, or nowhere if nil.
  case elsewhere(AudioSink?)
  /// The headphone is in call quality, although no program uses its microphone.
  case callQuality
  /// The headphone's card has no sink.
  case off
  /// The sound server has no device for the headphone.
  case absent
  /// Several headphones or sound devices have the name by which this one would be found.
  case ambiguous
  case pinAbsent(SoundDevice.ID)
}

extension SoundCondition {
  /// The problem in lower case without a full stop; names are not sanitised.
  package var displayText: String {
    switch self {
    case .music: "music goes there"
    case .muted: "its sound is muted"
    case .silent: "its volume is at 0%"
    case .call(let programs):
      "call quality: \(programs.joined(separator: ", ")) uses its microphone"
    case .elsewhere(let sink): "the sound goes to \(sink?.description ?? "nowhere")"
    case .callQuality: "call quality, though no program uses its microphone"
    case .off: "its sound profile is off"
    case .absent: "the sound server has no device for it"
    case .ambiguous: "its name does not tell which sound device it is"
    case .pinAbsent(let id): "the sound device chosen for it is not there: \(id.text)"
    }
  }

  package var remedy: UserCommand? {
    switch self {
    case .music, .ambiguous, .pinAbsent: nil
    case .muted: .toggleMute
    case .silent: .raise
    case .call: .microphone
    case .elsewhere, .callQuality, .off, .absent: .routeSound
    }
  }

  /// Returns advice for a shell; `selector` is the name or address of the headphone in a command.
  package func advice(for selector: String) -> String? {
    switch self {
    case .ambiguous: "choose its sound device: earshot audio pin DEVICE (earshot audio lists them)"
    case .pinAbsent: "match it automatically again: earshot audio unpin"
    default: remedy?.shell?.replacing("NAME", with: "\"\(selector)\"")
    }
  }
}

extension AudioSnapshot {
  package var conditions: [(device: SoundDevice, condition: SoundCondition)] {
    let (sound, _) = withoutCorrections()
    return sound.devices.filter(\.isBluetooth).map { ($0, sound.condition(of: $0.card, $0.sink)) }
  }

  func condition(of card: AudioCard?, _ sink: AudioSink?) -> SoundCondition {
    guard let sink else { return .off }
    let isCall = (sink.bluetooth?.profile ?? card?.activeKind) == .handsFree
    let programs = sources.first { source in card.map(source.isPart) == true }?.programs ?? []
    if isCall, programs.isEmpty { return .callQuality }
    guard sink.name == defaultSink else { return .elsewhere(route) }
    if isCall { return .call(programs) }
    if sink.isMuted { return .muted }
    return sink.volume == 0 ? .silent : .music
  }
}

extension State {
  /// Returns the condition of a headphone's sound, or nil if the sound server is unavailable.
  package func soundCondition(of headphone: HeadphoneState) -> SoundCondition? {
    guard case .running(let sound) = audio else { return nil }
    if let match = audioMatch(for: headphone) { return sound.condition(of: match.card, match.sink) }
    if let pin = headphone.soundPin { return .pinAbsent(pin) }
    guard headphone.publicAddress == nil else { return .absent }
    return sound.hasDevice(named: headphone.name) ? .ambiguous : .absent
  }

  package func isNeedlesslyInCallQuality(_ headphone: HeadphoneState) -> Bool {
    soundCondition(of: headphone) == .callQuality
  }

  /// Returns the command for a music sink; nil if there is one, or no card or available profile.
  func commandForMusic(of headphone: HeadphoneState) -> AudioCommand? {
    guard [.off, .callQuality].contains(soundCondition(of: headphone)),
      let card = audioMatch(for: headphone)?.card, let music = card.musicProfile
    else { return nil }
    return .setProfile(card: card.name, profile: music.name)
  }

  /// Sends the sound to a headphone's sink, and shows what still keeps music from being heard
  /// there.
  mutating func play(
    on sink: AudioSink, of headphone: HeadphoneState, at timestamp: Timestamp
  ) -> [Effect] {
    guard case .running(var sound) = audio else { return [] }
    let isSelected = headphone.id == headphones.selected?.id
    let effects: [Effect] =
      [.audio(.route(sink: sink.name))] + resume(sink)
      + (isSelected ? takeOver(at: timestamp) : [])
    sound.defaultSink = sink.name
    return effects
      + say(
        sound.condition(of: audioMatch(for: headphone)?.card, sink), of: headphone, at: timestamp)
  }

  private mutating func say(
    _ condition: SoundCondition, of headphone: HeadphoneState, at timestamp: Timestamp
  ) -> [Effect] {
    guard let remedy = condition.remedy, remedy != .routeSound else { return [] }
    return say(
      condition.displayText, headphone.id, naming: true, remedy: remedy, at: timestamp)
  }

  /// Handles the key for the sound while the sound already goes to the headphone.
  mutating func playHere(
    _ sink: AudioSink, of headphone: HeadphoneState, at timestamp: Timestamp
  ) -> [Effect] {
    let condition = soundCondition(of: headphone) ?? .music
    let resumed = resume(sink)
    let said = takeOver(at: timestamp) + say(condition, of: headphone, at: timestamp)
    return resumed
      + (said.isEmpty ? say("already playing here", headphone.id, at: timestamp) : said)
  }

  /// Resumes a sink that a program has suspended.
  ///
  /// PulseAudio does not tell such a sink from an idle one, for which the command changes nothing.
  private mutating func resume(_ sink: AudioSink) -> [Effect] {
    if soundPause?.means == .suspended(sink: sink.name) { soundPause = nil }
    guard case .running(let sound) = audio, sound.canSuspend, sink.activity == .suspended else {
      return []
    }
    return [.audio(.setSuspended(sink: sink.name, isSuspended: false))]
  }
}
