import AudioRoute

package struct KnownSoundMode: Hashable, Sendable {
  package var profile: String
  /// The server's name of the codec; nil if it cannot be chosen separately.
  package var codec: String?

  package init(profile: String, codec: String?) {
    self.profile = profile
    self.codec = codec
  }
}

struct ModeCare: Hashable, Sendable {
  var isDue = false
  var isProfileSet = false
}

/// Restores the profile and codec that the user chose, which PulseAudio forgets on disconnection.
///
/// PipeWire's session manager keeps the profile, whose name contains the codec.
extension State {
  mutating func keepMode(_ mode: SoundMode, of id: HeadphoneID) -> [Effect] {
    guard let headphone = headphones[id], case .running(let sound) = audio, !sound.isPipeWire,
      mode.profile.kind == .a2dp
    else { return [] }
    let known = KnownSoundMode(profile: mode.profile.name, codec: mode.codec?.name)
    // The choice replaces a restoration that is due in this connection.
    headphones.update(id) {
      $0.care.known.mode = known
      $0.care.mode.isDue = false
    }
    return headphone.care.known.mode == known ? [] : keep(.sound, of: id)
  }

  /// Restores the profile and then the codec once per connection, unless a call uses the
  /// microphone.
  mutating func restoreMode(
    of headphone: HeadphoneState, _ match: AudioMatch, at timestamp: Timestamp
  ) -> [Effect] {
    guard case .running(let sound) = audio, !sound.isPipeWire, let card = match.card else {
      return []
    }
    var care = headphone.care.mode
    if arrivedDevices.contains(match.deviceID) { care = ModeCare(isDue: true) }
    defer { headphones.update(headphone.id) { $0.care.mode = care } }
    guard care.isDue else { return [] }
    guard let wanted = headphone.care.known.mode,
      soundRules.word(.profile, for: headphone) == "keep", card.activeKind != .handsFree
    else {
      care.isDue = false
      return []
    }
    if card.activeProfile != wanted.profile {
      let isOffered = card.profiles.contains { $0.name == wanted.profile && $0.isAvailable }
      guard isOffered, !care.isProfileSet else {
        // The music profile may still be connecting.
        care.isDue = !care.isProfileSet
        return []
      }
      care.isProfileSet = true
      return [.audio(.setProfile(card: card.name, profile: wanted.profile))]
    }
    guard let codec = wanted.codec, codec != card.activeCodec else {
      care.isDue = false
      return []
    }
    // The list of codecs arrives after the profile.
    guard !card.codecs.isEmpty else { return [] }
    care.isDue = false
    guard card.codecs.contains(where: { $0.name == codec }) else { return [] }
    return [.audio(.setCodec(card: card.name, codec: codec))]
      + note(.info, headphone.id, "its codec is \(codecText(codec)) again", at: timestamp)
  }
}
