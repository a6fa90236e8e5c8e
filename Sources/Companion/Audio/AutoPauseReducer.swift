import AudioRoute
import HeadphoneProtocols

extension State {
  /// Pauses playback when both buds are out, and resumes it when one is back; `before` is nil at
  /// first.
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

  /// Ends the pause of an absent headphone as ``releaseSound()`` does.
  mutating func forgetPauseOfAbsent() -> [Effect] {
    if let wearPause, headphones[wearPause]?.link.isReady != true { return forgetWearPause() }
    guard let pause = soundPause, headphones[pause.headphone]?.link.isReady != true else {
      return []
    }
    return releaseSound()
  }

  mutating func pauseAfterWait() -> [Effect] {
    guard let id = wearPause else { return [] }
    wearPause = nil
    guard preferences.autoPause == .players, soundPause == nil, let headphone = headphones[id],
      case .connected = route(of: headphone)
    else { return [] }
    soundPause = SoundPause(headphone: id, means: .players)
    return [.pausePlayers]
  }

  mutating func forgetWearPause() -> [Effect] {
    guard wearPause != nil else { return [] }
    wearPause = nil
    return [.cancelTimer(.wearPause)]
  }

  /// Ends the pause: players stay paused, but a suspended sink would stay silent and is resumed.
  mutating func releaseSound() -> [Effect] {
    guard let pause = soundPause else { return [] }
    soundPause = nil
    switch pause.means {
    case .players: return [.forgetPlayers]
    case .suspended(let sink): return [.audio(.setSuspended(sink: sink, isSuspended: false))]
    }
  }

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

  /// The time that a headphone gets to pause playback itself after both buds are out.
  private static let wearTime: Duration = .milliseconds(500)

  /// Pauses playback if it goes to this headphone, after giving it time to do so itself.
  ///
  /// Many headphones send pause and play as if a button were pressed. A second pause from here
  /// would lead to a second resume.
  private mutating func pauseSound(of headphone: HeadphoneState, at timestamp: Timestamp)
    -> [Effect]
  {
    guard soundPause == nil, case .connected(let sink, _) = route(of: headphone) else { return [] }
    switch preferences.autoPause {
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

  private mutating func resumeSound(_ pause: SoundPause, at timestamp: Timestamp) -> [Effect] {
    guard case .players = pause.means else { return releaseSound() }
    // Never resumed on loudspeakers to which the sound may have been routed meanwhile.
    guard let headphone = headphones[pause.headphone], case .connected = route(of: headphone) else {
      return releaseSound()
    }
    soundPause = nil
    return [.resumePlayers] + note(.info, pause.headphone, "playback resumed", at: timestamp)
  }
}

extension Wearing {
  var isAny: Bool { left == true || right == true }
  var isNone: Bool { left == false && right == false }
}
