import AudioRoute
import HeadphoneProtocols

extension State {
  /// Switching auto-pause off ends a pause that it made.
  mutating func adopt(_ setting: AutoPause) -> [Effect] {
    autoPause = setting
    return setting == .off ? releaseSound() + forgetWearPause() : []
  }

  /// Auto-pause: pauses playback when both buds are out, and resumes it when one is put back.
  ///
  /// - Parameters:
  ///   - id: The headphone whose wearing was reported.
  ///   - before: The report before this one; nil: the first, which pauses nothing.
  ///   - timestamp: The time of a notice.
  mutating func followWearing(
    of id: HeadphoneID, from before: Wearing?, at timestamp: Timestamp
  ) -> [Effect] {
    guard let headphone = headphones[id], let wearing = headphone.wearing else { return [] }
    if wearing.isAny, wearPause == id { return forgetWearPause() }
    if wearing.isNone, before?.isAny == true { return pauseSound(of: headphone, at: timestamp) }
    if wearing.isAny, let pause = soundPause, pause.headphone == id {
      return resumeSound(pause, at: timestamp)
    }
    return []
  }

  /// Forgets the pause of a headphone that is gone; players stay paused.
  ///
  /// But a sink that the server holds would be silent for everyone, and for ever.
  mutating func forgetPauseOfAbsent() -> [Effect] {
    if let wearPause, headphones[wearPause]?.link.isReady != true { return forgetWearPause() }
    guard let pause = soundPause, headphones[pause.headphone]?.link.isReady != true else {
      return []
    }
    return releaseSound()
  }

  /// Pauses what the headphone has not paused by itself, and still plays here.
  mutating func pauseAfterWait() -> [Effect] {
    guard let id = wearPause else { return [] }
    wearPause = nil
    guard autoPause == .players, soundPause == nil, let headphone = headphones[id],
      case .connected = route(of: headphone)
    else { return [] }
    soundPause = SoundPause(headphone: id, means: .players)
    return [.pausePlayers]
  }

  /// The headphone paused by its own button message, or a bud is worn again.
  mutating func forgetWearPause() -> [Effect] {
    guard wearPause != nil else { return [] }
    wearPause = nil
    return [.cancelTimer(.wearPause)]
  }

  /// Ends the pause without starting players.
  ///
  /// A suspended sink is always resumed: it would stay silent for every program.
  mutating func releaseSound() -> [Effect] {
    guard let pause = soundPause else { return [] }
    soundPause = nil
    switch pause.means {
    case .players: return [.forgetPlayers]
    case .suspended(let sink): return [.audio(.setSuspended(sink: sink, isSuspended: false))]
    }
  }

  /// The answer to `pausePlayers`; without a player that was playing there is nothing to resume.
  mutating func reportPaused(_ players: [String], at timestamp: Timestamp) -> [Effect] {
    guard let pause = soundPause, pause.means == .players else { return [] }
    guard !players.isEmpty else {
      soundPause = nil
      return note(.info, pause.headphone, "no media player to pause", at: timestamp)
    }
    return say(
      "both buds are out: \(players.joined(separator: ", ")) paused", pause.headphone, at: timestamp
    )
  }

  /// The time in which a headphone's own pause should follow its report that the buds are out.
  private static let wearTime: Duration = .milliseconds(500)

  /// Pauses by the means that is set, if the sound goes to this headphone.
  ///
  /// Many headphones pause and resume by themselves, as if a button were pressed. A second pause from
  /// here would be followed by a second resume, so these get some time first.
  private mutating func pauseSound(of headphone: HeadphoneState, at timestamp: Timestamp)
    -> [Effect]
  {
    // Playback that goes to another output has nothing to do with these buds.
    guard soundPause == nil, case .connected(let sink, _) = route(of: headphone) else { return [] }
    switch autoPause {
    case .off: return []
    case .players:
      guard wearPause == nil else { return [] }
      wearPause = headphone.id
      return [.startTimer(.wearPause, .exactly(Self.wearTime))]
    case .cork:
      guard case .running(let sound) = audio, sound.canSuspend else {
        return say(
          "this sound server cannot suspend playback; auto-pause can use media players",
          headphone.id, at: timestamp)
      }
      soundPause = SoundPause(headphone: headphone.id, means: .suspended(sink: sink.name))
      return say("both buds are out: playback is paused", headphone.id, at: timestamp) + [
        .audio(.setSuspended(sink: sink.name, isSuspended: true))
      ]
    }
  }

  /// Resumes what was paused, unless the sound goes elsewhere by now.
  private mutating func resumeSound(_ pause: SoundPause, at timestamp: Timestamp) -> [Effect] {
    guard case .players = pause.means else { return releaseSound() }
    // Never resumed on speakers to which the sound may have been routed meanwhile.
    guard let headphone = headphones[pause.headphone], case .connected = route(of: headphone) else {
      return releaseSound()
    }
    soundPause = nil
    return [.resumePlayers] + note(.info, pause.headphone, "playback resumed", at: timestamp)
  }
}

extension Wearing {
  /// At least one bud is known to be in.
  var isAny: Bool { left == true || right == true }
  /// Both are known to be out.
  var isNone: Bool { left == false && right == false }
}
