package import AudioRoute

/// The kind of change of a headphone's sound that a log line reports; the raw values are in logs.
package enum SoundChange: String, Hashable, Sendable, CaseIterable {
  /// The sound server has the headphone's sound, or lost it.
  case connected, lost
  case profile, codec
  /// The link of the sound or of the controls came or went.
  case link
}

package struct SoundUse: Hashable, Sendable {
  package var profile: AudioProfile
  /// The sound server's name of the codec, or nil if it is unknown.
  package var codec: String?

  package init(profile: AudioProfile, codec: String?) {
    self.profile = profile
    self.codec = codec
  }

  /// Creates the profile and codec of a sound device; fails if it carries no sound.
  init?(_ match: AudioMatch?) {
    guard let match, let profile = match.sink?.bluetooth?.profile ?? match.card?.activeKind else {
      return nil
    }
    self.init(
      profile: profile,
      codec: match.sink?.bluetooth?.codec ?? match.card?.activeCodec
        ?? match.card?.activeMode?.codec)
  }

  package var displayText: String {
    [profile.displayText, codec.map(codecText)].compactMap(\.self).joined(separator: ", ")
  }
}

extension AudioCard {
  package var activeMode: CardProfile? { profiles.first { $0.name == activeProfile } }
}

extension State {
  /// Logs what has changed in the sound of each headphone since `before`.
  ///
  /// What the first observation of a sound server shows is not a change. While a server replaces a
  /// sink, the codec is unknown for a moment; that is not one either.
  mutating func noteSoundChanges(since before: State, at timestamp: Timestamp) -> [Effect] {
    let hasSeenSound = if case .running = before.audio { true } else { false }
    var effects: [Effect] = []
    for headphone in headphones {
      let old = headphone.care.use ?? SoundUse(before.audioMatch(for: headphone))
      var now = SoundUse(audioMatch(for: headphone))
      if let old, now?.profile == old.profile, now?.codec == nil { now = old }
      if now != headphone.care.use { headphones.update(headphone.id) { $0.care.use = now } }
      guard now != old else { continue }
      let change: (SoundChange, String)? =
        switch (old, now) {
        case (nil, let now?):
          hasSeenSound ? (.connected, "sound connected: \(now.displayText)") : nil
        case (_?, nil): (.lost, "sound lost: the sound server no longer has it")
        case (let old?, let now?) where old.profile != now.profile:
          (.profile, "profile: \(old.displayText) to \(now.displayText)")
        case (let old?, let now?):
          old.codec.flatMap { old in
            now.codec.map { (.codec, "codec: \(codecText(old)) to \(codecText($0))") }
          }
        case (nil, nil): nil
        }
      if let change {
        effects += note(.info, headphone.id, change.1, sound: change.0, at: timestamp)
      }
    }
    return effects
  }

  /// Logs that the sound server is back, if a headphone had sound when it went.
  mutating func noteReturnOfServer(since before: State, at timestamp: Timestamp) -> [Effect] {
    guard case .unavailable(let reason) = before.audio, reason != .notStarted,
      headphones.contains(where: { $0.care.use != nil })
    else { return [] }
    return note(.info, nil, "sound: the sound server is back", sound: .connected, at: timestamp)
  }
}
