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
  /// Logs what has changed in the sound of each headphone since the sound was last seen.
  ///
  /// While a server replaces a sink, the codec is unknown for a moment; that is not a change.
  mutating func noteSoundChanges(at timestamp: Timestamp) -> [Effect] {
    var effects: [Effect] = []
    for headphone in headphones {
      let before = headphone.care.use
      var now = SoundUse(audioMatch(for: headphone))
      if let before, now?.profile == before.profile, now?.codec == nil { now = before }
      guard now != before else { continue }
      headphones.update(headphone.id) { $0.care.use = now }
      let change: (SoundChange, String)? =
        switch (before, now) {
        case (nil, let now?): (.connected, "sound connected: \(now.displayText)")
        case (_?, nil): (.lost, "sound lost: the sound server no longer has it")
        case (let before?, let now?) where before.profile != now.profile:
          (.profile, "profile: \(before.displayText) to \(now.displayText)")
        case (let before?, let now?):
          before.codec.flatMap { old in
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
}
