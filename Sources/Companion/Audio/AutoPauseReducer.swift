import AudioRoute
import HeadphoneProtocols

extension State {
  mutating func adopt(_ setting: AutoPause) -> [Effect] {
    autoPause = setting
    return setting == .off ? releaseSound() : []
  }

  /// Auto-pause: pauses playback when both buds are out, and resumes it when one is put back.
  mutating func followWearing(
    of id: HeadphoneID, from before: Wearing?, at timestamp: Timestamp
  ) -> [Effect] {
    guard let headphone = headphones[id], let wearing = headphone.wearing else { return [] }
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
    guard let pause = soundPause, headphones[pause.headphone]?.link.isReady != true else {
      return []
    }
    return releaseSound()
  }

  /// Ends the pause without starting players.
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

  private mutating func pauseSound(of headphone: HeadphoneState, at timestamp: Timestamp)
    -> [Effect]
  {
    // What plays elsewhere is not heard in this headphone.
    guard soundPause == nil, case .connected(let sink, _) = route(of: headphone) else { return [] }
    switch autoPause {
    case .off: return []
    case .players:
      soundPause = SoundPause(headphone: headphone.id, means: .players)
      return [.pausePlayers]
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
    // Not out loud on the speakers that the sound may have been sent to meanwhile.
    guard let headphone = headphones[pause.headphone], case .connected = route(of: headphone) else {
      return releaseSound()
    }
    soundPause = nil
    return [.resumePlayers] + note(.info, pause.headphone, "playback resumed", at: timestamp)
  }
}

extension Wearing {
  fileprivate var isAny: Bool { left == true || right == true }
  /// Both are known to be out.
  fileprivate var isNone: Bool { left == false && right == false }
}
