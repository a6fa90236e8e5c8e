public import AudioRoute
import HeadphoneProtocols

extension UserCommand {
  static let soundCommands = [
    raise, lower, routeSound, toggleMute, switchProfile, microphone, soundSettings,
  ]

  /// The volume, or the focused slider.
  package static let raise = UserCommand(
    "raise", keys: ["+", "="], "volume up, or the selected slider", availability: \.hasSlider
  ) { $0.slide(by: 1, at: $1) }
  package static let lower = UserCommand(
    "lower", keys: ["-", "_"], "volume down, or the selected slider", availability: \.hasSlider
  ) { $0.slide(by: -1, at: $1) }
  package static let routeSound = UserCommand(
    "route-sound", keys: ["o"], "move sound to this headphone, or to the selected output",
    hint: 10, isHinted: \.canBringSound, isUrgent: { _ in true }, label: "Play here",
    shell: "to play there: earshot audio connect NAME"
  ) { $0.routeSound(at: $1) }
  package static let toggleMute = UserCommand(
    "mute", keys: ["m"], "mute, the sound or the selected volume",
    currentLabel: { $0.output?.isMuted == true ? "Unmute" : "Mute" },
    availability: { $0.focusedLevel == .volume ? .available : $0.hasSink }
  ) { $0.toggleMute(at: $1) }
  /// A change between music and calls is asked about.
  package static let switchProfile = UserCommand(
    "switch-profile", keys: ["O"], "choose the profile and codec of the sound", label: "Profile",
    availability: \.hasOtherProfile
  ) { state, _ in state.switchProfile() }
}

extension State {
  /// Whether the selected headphone lacks the sound, or plays another device's, and a key can bring it.
  public var canBringSound: Bool {
    guard let headphone = headphones.selected else { return false }
    return switch route(of: headphone) {
    case .notRouted: true
    case .none: headphone.publicAddress != nil
    case .connected: canTakeOver
    case .unknown: false
    }
  }

  /// A snapshot of the sound server, or the reason why there is none.
  ///
  /// A change of the output is logged; sound that waited for its device is routed. Falling into
  /// call quality is announced with the remedy, since it sounds like a defect; the return to music
  /// quality is only logged.
  mutating func adopt(_ observation: AudioObservation, at timestamp: Timestamp) -> [Effect] {
    let before = self
    adoptWithoutCorrections(observation)
    noteArrivals(since: before)
    let held = playHeld()
    if case .unavailable(let reason) = observation {
      return held + note(.info, nil, "sound: \(reason.displayText)", at: timestamp)
    }
    var effects = held
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

  /// The kernel's links that can carry audio; changes are logged for each headphone.
  mutating func adopt(_ links: AudioLinks?, at timestamp: Timestamp) -> [Effect] {
    let before = self
    audioLinks = links
    var effects: [Effect] = []
    for headphone in headphones {
      guard let link = audioLink(of: headphone), link != before.audioLink(of: headphone) else {
        continue
      }
      // That a link is down is no change at the start.
      let isNews = link != .down || before.audioLinks != nil
      effects += note(isNews ? .info : .debug, headphone.id, link.displayText, at: timestamp)
    }
    return effects
  }

  /// A failed command to the sound server, with what the user can do.
  mutating func complain(about error: AudioError, at timestamp: Timestamp) -> [Effect] {
    complain(error.displayText, advice: error.advice, at: timestamp)
  }

  /// `+` and `-`: the focused slider, else the volume.
  ///
  /// The level under the cursor, and otherwise the sound server's volume in steps of 5 %.
  ///
  /// - Parameter step: 1 or -1.
  mutating func slide(by step: Int, at timestamp: Timestamp) -> [Effect] {
    if let focusedLevel { return turn(focusedLevel, by: step, at: timestamp) }
    guard let sink = focusedSink else { return explain(hasSink, at: timestamp) }
    return set(sink, toVolume: min(max(0, sink.volume + 5 * step), 100), at: timestamp)
  }

  /// Sets the volume of an output, up to the ceiling of its headphone.
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

  /// The sound server's, or the headphone's own where the cursor is on it.
  fileprivate mutating func toggleMute(at timestamp: Timestamp) -> [Effect] {
    if focusedLevel == .volume { return toggleOwnMute(at: timestamp) }
    guard let sink = focusedSink else { return [] }
    return [.audio(.setMute(sink: sink.name, isMuted: !sink.isMuted))]
  }

  /// `o`: sends the sound to the output under the cursor, or else to the selected headphone, which is
  /// asked to play it where it plays another device's.
  ///
  /// Where the headphone has no sound device yet, its audio link is brought up first; so it is where
  /// only calls are connected, for which PulseAudio keeps the card with its profile off. A profile
  /// that was switched off is switched on again.
  mutating func routeSound(at timestamp: Timestamp) -> [Effect] {
    if page == .main, let sink = focusedOutput, sink != output, sink != ownOutput {
      return [.audio(.route(sink: sink.name))]
    }
    guard let headphone = headphones.selected else { return noteNotConnected(at: timestamp) }
    switch route(of: headphone) {
    case .connected:
      let asked = takeOver(at: timestamp)
      return asked.isEmpty ? say("already playing here", headphone.id, at: timestamp) : asked
    case .notRouted(let match, _):
      if let sink = match.sink {
        return [.audio(.route(sink: sink.name))] + takeOver(at: timestamp)
      }
      guard let command = route(of: headphone).commandForMusic else {
        return connectSound(headphone, at: timestamp)
      }
      headphones.update(headphone.id) {
        $0.isSoundWanted = true
        $0.isSoundProfileTried = true
      }
      return [
        .audio(command),
        .startTimer(.sound(headphone.id), .exactly(.seconds(10))),
      ]
    case .none: return connectSound(headphone, at: timestamp)
    case .unknown(let reason): return say("no sound route: \(reason.displayText)", at: timestamp)
    }
  }

  /// The sound link is down: it is made, and the sound goes there when the sound server has it.
  ///
  /// Needs the BR/EDR address: without one there is nothing to ask bluetoothd for. During pairing
  /// the wish is kept until the keys are there.
  mutating func connectSound(
    _ headphone: HeadphoneState, at timestamp: Timestamp
  ) -> [Effect] {
    guard !headphone.isSoundWanted else {
      return say("its sound is being connected", headphone.id, at: timestamp)
    }
    guard let address = headphone.publicAddress else {
      return complain(
        "no audio connection to \(name(of: headphone.id))",
        advice: "connect it in the desktop's sound settings: its audio address is not known",
        headphone.id, at: timestamp)
    }
    if let step = headphone.pairing.step {
      headphones.update(headphone.id) { $0.pairing = .underWay(step, thenSound: true) }
      return say("its sound is connected once it is paired", headphone.id, at: timestamp)
    }
    headphones.update(headphone.id) {
      $0.isSoundWanted = true
      $0.isSoundProfileTried = false
      $0.care.known.isDeclined = false
      $0.care.follow.isTrying = false
    }
    return say("connecting the sound of \(name(of: headphone.id))", headphone.id, at: timestamp)
      + [.connectSound(headphone.id, address: address)]
  }

  /// How the effect `connectSound` goes on; events after the wish has ended are dropped.
  ///
  /// Once the transport is up, the sound server gets a second to make its device by itself.
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

  /// Sends the sound to those headphones that were waited for and have their device now.
  private mutating func routeWantedSound(at timestamp: Timestamp) -> [Effect] {
    var effects: [Effect] = []
    for headphone in headphones where headphone.isSoundWanted {
      guard let sink = route(of: headphone).sink else { continue }
      headphones.update(headphone.id) { $0.isSoundWanted = false }
      effects += note(.info, headphone.id, "audio connected", at: timestamp)
      effects += [.cancelTimer(.sound(headphone.id)), .audio(.route(sink: sink.name))]
      if headphone.id == headphones.selected?.id { effects += takeOver(at: timestamp) }
    }
    return effects
  }

  /// The audio link is up, and the sound server has no device for it yet.
  ///
  /// A card may be there with its profile off: WirePlumber restores a profile that was switched off,
  /// and PulseAudio leaves off the card of a headphone that had calls alone. It is switched on, and
  /// the device gets 10 s. Where none comes, usually the sound server's Bluetooth module is missing,
  /// which the doctor finds.
  mutating func awaitSound(of id: HeadphoneID, at timestamp: Timestamp) -> [Effect] {
    guard let headphone = headphones[id], headphone.isSoundWanted || headphone.care.follow.isTrying
    else { return [] }
    if headphone.isSoundWanted, !headphone.isSoundProfileTried {
      headphones.update(id) { $0.isSoundProfileTried = true }
      let command = route(of: headphone).commandForMusic
      return [.startTimer(.sound(id), .exactly(.seconds(10)))]
        + (command.map { [.audio($0)] } ?? [])
    }
    if headphone.care.follow.isTrying {
      return endAttempt(of: id, "the sound server has no device for it", at: timestamp)
    }
    headphones.update(id) { $0.isSoundWanted = false }
    return complain(
      "\(name(of: id)): its audio side is linked, but the sound server has no device for it",
      advice: "earshot audio lists the devices; `earshot doctor` checks the sound server", id,
      at: timestamp)
  }

  /// Whether there is another profile or codec to choose.
  fileprivate var hasOtherProfile: Availability {
    guard let card = headphones.selected.flatMap({ audioMatch(for: $0)?.card }) else {
      return .refused("audio isn't connected")
    }
    return card.modes.contains { !$0.isActive }
      ? .available : .refused("no other profile is available")
  }

  /// Opens the list of the selected headphone's profiles and codecs.
  fileprivate mutating func switchProfile() -> [Effect] {
    guard let headphone = headphones.selected, let modes = audioMatch(for: headphone)?.card?.modes
    else { return [] }
    dialog = .soundChoice(
      SoundChoice(
        headphone: headphone.id, options: .modes(modes),
        line: modes.firstIndex(where: \.isActive) ?? 0))
    return []
  }

  /// One was chosen: the card is as it is now.
  ///
  /// Enter in the list of profiles and codecs. The card is looked up again, since it may have gone
  /// while the list was open.
  mutating func switchSound(
    of id: HeadphoneID, to mode: SoundMode, at timestamp: Timestamp
  ) -> [Effect] {
    guard !mode.isActive else { return [] }
    guard let card = headphones[id].flatMap({ audioMatch(for: $0)?.card }) else {
      return say("its audio device is gone", id, at: timestamp)
    }
    return [.audio(mode.command(on: card))] + keepMode(mode, of: id)
  }

  /// A click on a bar.
  ///
  /// - Parameters:
  ///   - bar: The bar that was clicked.
  ///   - percent: The place along it; clamped to 0 to 100.
  ///   - timestamp: The time of a notice.
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

  /// The outputs of the audio panel: where the sound goes, the selected headphone's own, then where
  /// else it could go.
  public var outputs: [AudioSink] {
    guard case .running(let sound) = audio else { return [] }
    let own = ownOutput?.name
    let others = sound.sinks.filter { $0.name != sound.defaultSink }
    return sound.sinks.filter { $0.name == sound.defaultSink }
      + others.filter { $0.name == own } + others.filter { $0.name != own }
  }

  /// The output that the cursor is on; nil: it is elsewhere.
  private var focusedOutput: AudioSink? {
    guard focus == .audio, case .output(let name) = audioCursor else { return nil }
    return outputs.first { $0.name == name }
  }

  /// The selected headphone's own.
  private var ownOutput: AudioSink? { headphones.selected.flatMap { route(of: $0).sink } }

  /// Enter in the audio panel: ``routeSound(at:)``, but for the output that plays.
  mutating func playOnFocusedOutput(at timestamp: Timestamp) -> [Effect] {
    guard let focusedOutput, focusedOutput == output, focusedOutput != ownOutput else {
      return routeSound(at: timestamp)
    }
    return explain("the sound goes there already", at: timestamp)
  }

  /// The one under the cursor, else the headphone's own, else the one that sound goes to.
  ///
  /// What volume and mute act on, so that they never act on an output that the panel does not show.
  private var focusedSink: AudioSink? {
    focusedOutput ?? headphones.selected.flatMap { audioMatch(for: $0)?.sink } ?? output
  }

  /// Whether there is an output whose volume can change.
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

  /// Whether `+` and `-` have a slider to move.
  fileprivate var hasSlider: Availability {
    focusedLevel.map(availability(of:)) ?? hasSink
  }
}
