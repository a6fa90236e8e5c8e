package import AudioRoute
import HeadphoneProtocols

extension UserCommand {
  static let soundCommands = [
    raise, lower, routeSound, toggleMute, switchProfile, microphone, soundSettings,
  ]

  package static let raise = UserCommand(
    "raise", keys: ["+", "="], "volume (or selected slider) up",
    shell: "raise it: earshot volume 30", availability: \.hasSlider
  ) { $0.slide(by: 1, at: $1) }
  package static let lower = UserCommand(
    "lower", keys: ["-", "_"], "volume (or selected slider) down", availability: \.hasSlider
  ) { $0.slide(by: -1, at: $1) }
  package static let routeSound = UserCommand(
    "route-sound", keys: ["o"], "move sound to this headphone, or to the selected output",
    hint: 10, isHinted: \.canBringSound, isUrgent: { _ in true }, label: "Play here",
    shell: "to play there: earshot audio connect NAME"
  ) { $0.routeSound(at: $1) }
  package static let toggleMute = UserCommand(
    "mute", keys: ["m"], "mute (selected volume)",
    currentLabel: { $0.focusedSink?.isMuted == true ? "Unmute" : "Mute" },
    shell: "unmute it: earshot mute off",
    availability: { $0.focusedLevel == .volume ? .available : $0.hasSink }
  ) { $0.toggleMute(at: $1) }
  package static let switchProfile = UserCommand(
    "switch-profile", keys: ["O"], "choose the profile and codec of the sound", label: "Profile",
    availability: \.hasOtherProfile
  ) { state, _ in state.switchProfile() }
}

extension State {
  /// Whether a command can bring the sound to the selected headphone from elsewhere.
  package var canBringSound: Bool {
    guard let headphone = headphones.selected else { return false }
    return switch route(of: headphone) {
    case .notRouted: true
    case .none: headphone.soundAddress != nil
    case .connected: canTakeOver
    case .unknown: false
    }
  }

  /// Adopts a snapshot of the sound server, or the reason why there is none.
  ///
  /// A drop to call quality is announced with its remedy, since it sounds like a defect. The return
  /// to music quality is only logged.
  mutating func adopt(_ observation: AudioObservation, at timestamp: Timestamp) -> [Effect] {
    let before = self
    adoptWithoutCorrections(observation)
    noteArrivals(since: before)
    let held = playHeld()
    if case .unavailable(let reason) = observation {
      let wasThere = headphones.contains { $0.care.use != nil }
      return held
        + note(
          .info, nil, "sound: \(reason.displayText)", sound: wasThere ? .lost : nil, at: timestamp)
    }
    var effects = held + noteReturnOfServer(since: before, at: timestamp)
    effects += noteSoundChanges(since: before, at: timestamp)
    if let output, output.name != before.output?.name {
      effects += note(.info, nil, "audio output: \(output.description)", at: timestamp)
    }
    effects += routeWantedSound(at: timestamp)
    effects += applyScene(since: before, at: timestamp)
    effects += careForSound(at: timestamp)
    guard let headphone = headphones.selected else { return effects }
    let recording = noteRecording(since: before, of: headphone, at: timestamp)
    switch (before.isInCallQuality(headphone), isInCallQuality(headphone)) {
    case (false, true) where recording.isEmpty:
      effects += say(
        "call quality audio: an open microphone keeps music from its full quality",
        headphone.id, remedy: .switchProfile, at: timestamp)
    case (true, false) where route(of: headphone).profile != nil:
      effects += note(.info, headphone.id, "music quality again", at: timestamp)
    default: break
    }
    return effects + recording
  }

  mutating func adopt(_ links: AudioLinks?, at timestamp: Timestamp) -> [Effect] {
    let before = self
    audioLinks = links
    var effects: [Effect] = []
    for headphone in headphones {
      guard let link = audioLink(of: headphone), link != before.audioLink(of: headphone) else {
        continue
      }
      // At the start, a link that is down is not a change.
      let isNews = link != .down || before.audioLinks != nil
      effects += note(
        isNews ? .info : .debug, headphone.id, link.displayText,
        sound: before.audioLinks == nil ? nil : .link,
        at: timestamp)
    }
    return effects
  }

  mutating func complain(about error: AudioError, at timestamp: Timestamp) -> [Effect] {
    complain(error.displayText, advice: error.advice, at: timestamp)
  }

  /// Moves the focused slider, or else the sound server's volume by 5 %, which is never raised
  /// above 100 %.
  mutating func slide(by step: Int, at timestamp: Timestamp) -> [Effect] {
    if let focusedLevel { return turn(focusedLevel, by: step, at: timestamp) }
    guard let sink = focusedSink else { return explain(hasSink, at: timestamp) }
    let limit = max(100, sink.volume)
    return set(sink, toVolume: min(max(0, sink.volume + 5 * step), limit), at: timestamp)
  }

  private mutating func set(
    _ sink: AudioSink, toVolume percent: Int, at timestamp: Timestamp
  ) -> [Effect] {
    let ceiling = volumeCeiling(of: sink)
    let allowed = min(percent, ceiling ?? percent)
    let effects: [Effect] =
      allowed == sink.volume ? [] : [.audio(.setVolume(sink: sink.name, percent: allowed))]
    guard let ceiling, percent > ceiling else { return effects }
    return effects
      + explain(
        "its volume has a ceiling of \(ceiling)%", headphones.selected?.id,
        remedy: .soundSettings, at: timestamp)
  }

  fileprivate mutating func toggleMute(at timestamp: Timestamp) -> [Effect] {
    if focusedLevel == .volume { return toggleOwnMute(at: timestamp) }
    guard let sink = focusedSink else { return [] }
    return [.audio(.setMute(sink: sink.name, isMuted: !sink.isMuted))]
  }

  /// Sends the sound to the output under the cursor, or else to the selected headphone.
  ///
  /// A headphone that plays another device's sound is asked to play this computer's. Otherwise the
  /// ``SoundCondition`` decides. After a call without music, PulseAudio leaves the card's profile
  /// off, and PipeWire plays in call quality.
  mutating func routeSound(at timestamp: Timestamp) -> [Effect] {
    if page == .main, let sink = focusedOutput, sink != output, sink != ownOutput {
      return [.audio(.route(sink: sink.name))]
    }
    guard let headphone = headphones.selected else { return noteNotConnected(at: timestamp) }
    switch soundCondition(of: headphone) {
    case nil:
      guard case .unavailable(let reason) = audio else { return [] }
      return say("no sound route: \(reason.displayText)", at: timestamp)
    case .off, .callQuality: return switchToMusic(headphone, at: timestamp)
    case .elsewhere:
      return ownOutput.map { play(on: $0, of: headphone, at: timestamp) } ?? []
    case .music, .muted, .silent, .call:
      return ownOutput.map { playHere($0, of: headphone, at: timestamp) } ?? []
    case .absent: return connectSound(headphone, at: timestamp)
    case .pinAbsent where headphone.soundAddress != nil:
      return connectSound(headphone, at: timestamp)
    case .ambiguous, .pinAbsent: return complainOfSound(of: headphone, at: timestamp)
    }
  }

  /// Shows what keeps music from being heard on a headphone, with the remedy.
  private mutating func complainOfSound(
    of headphone: HeadphoneState, at timestamp: Timestamp
  ) -> [Effect] {
    guard let condition = soundCondition(of: headphone) else { return [] }
    let name = name(of: headphone.id)
    return complain(
      "\(name): \(condition.displayText)", advice: condition.advice(for: name) ?? "", headphone.id,
      at: timestamp)
  }

  /// Switches to the profile for music, or connects it if the sound server does not offer it.
  private mutating func switchToMusic(
    _ headphone: HeadphoneState, at timestamp: Timestamp
  ) -> [Effect] {
    guard let command = commandForMusic(of: headphone) else {
      return connectSound(headphone, at: timestamp)
    }
    headphones.update(headphone.id) {
      $0.isSoundWanted = true
      $0.soundAttempt = .profile
    }
    return [.audio(command), .startTimer(.sound(headphone.id), .exactly(.seconds(10)))]
  }

  /// Connects the audio link; the sound goes there once the sound server has its device.
  ///
  /// bluetoothd needs the BR/EDR address. During pairing, the request waits for the keys.
  mutating func connectSound(
    _ headphone: HeadphoneState, at timestamp: Timestamp
  ) -> [Effect] {
    guard !headphone.isSoundWanted else {
      return say("its sound is being connected", headphone.id, at: timestamp)
    }
    guard let address = headphone.soundAddress else {
      return complain(
        "no audio connection to \(name(of: headphone.id))",
        advice: "its audio address is not known: pair it (earshot pair), or connect it in the "
          + "desktop's sound settings", headphone.id, at: timestamp)
    }
    if let step = headphone.pairing.step {
      headphones.update(headphone.id) { $0.pairing = .underWay(step, thenSound: true) }
      return say("its sound is connected once it is paired", headphone.id, at: timestamp)
    }
    headphones.update(headphone.id) {
      $0.isSoundWanted = true
      $0.soundAttempt = .link
      $0.care.known.isDeclined = false
      $0.care.follow.isTrying = false
    }
    return say("connecting the sound of \(name(of: headphone.id))", headphone.id, at: timestamp)
      + [.connectSound(headphone.id, address: address)]
  }

  /// Handles the results of `connectSound`; those after the end of the request are dropped.
  ///
  /// Once the transport is up, the sound server gets a second to create its device.
  mutating func follow(
    _ event: SoundLinkEvent, of id: HeadphoneID, at timestamp: Timestamp
  ) -> [Effect] {
    if event == .disconnected { return declineSound(of: id) }
    guard let headphone = headphones[id], headphone.isSoundWanted || headphone.care.follow.isTrying
    else { return [] }
    switch event {
    case .connected where !headphone.isSoundWanted:
      return [.startTimer(.sound(id), .exactly(.seconds(11)))]
    case .connected:
      let effects = routeWantedSound(at: timestamp)
      guard headphones[id]?.isSoundWanted == true else { return effects }
      return effects + [.startTimer(.sound(id), .exactly(.seconds(1)))]
    case .disconnected: return []
    case .failed(let why, _) where headphone.care.follow.isTrying:
      return endAttempt(of: id, why, at: timestamp)
    case .failed(let why, let advice):
      headphones.update(id) { $0.isSoundWanted = false }
      return complain("\(name(of: id)): \(why)", advice: advice, id, at: timestamp)
    }
  }

  private mutating func routeWantedSound(at timestamp: Timestamp) -> [Effect] {
    var effects: [Effect] = []
    for headphone in headphones where headphone.isSoundWanted {
      guard let sink = route(of: headphone).sink, !isNeedlesslyInCallQuality(headphone) else {
        continue
      }
      headphones.update(headphone.id) { $0.isSoundWanted = false }
      effects += note(.info, headphone.id, "audio connected", at: timestamp)
      effects += [.cancelTimer(.sound(headphone.id))]
      effects += play(on: sink, of: headphone, at: timestamp)
    }
    return effects
  }

  /// Handles an audio link for which the sound server has created no device yet.
  ///
  /// The card may exist with its profile off: WirePlumber restores a profile that was switched off,
  /// and PulseAudio leaves off the card of a headphone that had only calls. The profile is switched
  /// on, and the device gets 10 s. If there is none then, the link is requested again: bluetoothd or
  /// the adapter may have gone meanwhile, and a link that is up is not connected again. Otherwise the
  /// sound server's Bluetooth module is usually missing, which the doctor finds.
  mutating func awaitSound(of id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones[id], headphone.isSoundWanted || headphone.care.follow.isTrying
    else { return [] }
    if headphone.isSoundWanted, headphone.soundAttempt == .link {
      headphones.update(id) { $0.soundAttempt = .profile }
      let command = commandForMusic(of: headphone)
      return [.startTimer(.sound(id), .exactly(.seconds(10)))]
        + (command.map { [.audio($0)] } ?? [])
    }
    if headphone.care.follow.isTrying {
      return endAttempt(of: id, "the sound server has no device for it", at: timestamp)
    }
    let condition = soundCondition(of: headphone)
    if condition == .absent, headphone.soundAttempt == .profile,
      let address = headphone.soundAddress
    {
      headphones.update(id) { $0.soundAttempt = .linkAgain }
      return [.connectSound(id, address: address)]
    }
    headphones.update(id) { $0.isSoundWanted = false }
    switch condition {
    case .callQuality, .off:
      let what =
        condition == .off ? "its sound profile stays off" : "its sound stays in call quality"
      return complain(
        "\(name(of: id)): \(what)",
        advice: "reconnect it: earshot audio disconnect, then earshot audio connect", id,
        at: timestamp)
    case .ambiguous, .pinAbsent: return complainOfSound(of: headphone, at: timestamp)
    default:
      return complain(
        "\(name(of: id)): its audio side is linked, but the sound server has no device for it",
        advice: "earshot audio lists the devices; `earshot doctor` checks the sound server", id,
        at: timestamp)
    }
  }

  fileprivate var hasOtherProfile: Availability {
    guard let card = headphones.selected.flatMap({ audioMatch(for: $0)?.card }) else {
      return .refused("audio isn't connected")
    }
    return card.modes.contains { !$0.isActive }
      ? .available : .refused("no other profile is available")
  }

  fileprivate mutating func switchProfile() -> [Effect] {
    guard let headphone = headphones.selected, let modes = audioMatch(for: headphone)?.card?.modes
    else { return [] }
    dialog = .soundChoice(
      SoundChoice(
        headphone: headphone.id, options: .modes(modes),
        line: modes.firstIndex(where: \.isActive) ?? 0))
    return []
  }

  mutating func switchSound(
    of id: HeadphoneID, to mode: SoundMode, at timestamp: Timestamp
  ) -> [Effect] {
    guard !mode.isActive else { return [] }
    guard let card = headphones[id].flatMap({ audioMatch(for: $0)?.card }) else {
      return say("its audio device is gone", id, at: timestamp)
    }
    return [.audio(mode.command(on: card))] + keepMode(mode, of: id)
  }

  mutating func set(_ bar: Bar, toPercent percent: Int, at timestamp: Timestamp) -> [Effect] {
    guard dialog == nil else { return [] }
    let percent = min(max(0, percent), 100)
    switch bar {
    case .setting(let id): return set(id, toPercent: percent, at: timestamp)
    case .soundVolume:
      guard let sink = focusedSink else { return explain(hasSink, at: timestamp) }
      return set(sink, toVolume: percent, at: timestamp)
    }
  }

  package var outputs: [AudioSink] {
    if case .running(let sound) = audio { sound.sinks } else { [] }
  }

  /// The output on the panel's first row: the selected headphone's own, else the current one.
  package var volumeOutput: AudioSink? {
    headphones.selected.flatMap { audioMatch(for: $0)?.sink } ?? output
  }

  private var focusedOutput: AudioSink? {
    guard focus == .audio, case .output(let name) = audioCursor else { return nil }
    return outputs.first { $0.name == name }
  }

  private var ownOutput: AudioSink? { headphones.selected.flatMap { route(of: $0).sink } }

  mutating func playOnFocusedOutput(at timestamp: Timestamp) -> [Effect] {
    guard let shown = focusedSink, shown == output, shown != ownOutput else {
      return routeSound(at: timestamp)
    }
    return explain("the sound goes there already", at: timestamp)
  }

  /// The output under the cursor, else that of the first row: never one that the panel does not
  /// show.
  fileprivate var focusedSink: AudioSink? { focusedOutput ?? volumeOutput }

  fileprivate var hasSink: Availability {
    if focusedSink != nil { return .available }
    if let headphone = headphones.selected, headphone.link.isReady, headphone.isVolumeWithheld {
      return .refused("bluetoothd holds the link, and keeps the headphone's volume for itself")
    }
    if case .unavailable(let reason) = audio {
      return .refused("no volume: \(reason.displayText)")
    }
    return .refused("no audio output")
  }

  fileprivate var hasSlider: Availability {
    focusedLevel.map(availability(of:)) ?? hasSink
  }
}
