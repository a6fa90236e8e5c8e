package import AudioRoute

/// A profile of a sound card, with one of its codecs if the server offers a choice (PulseAudio).
package struct SoundMode: Hashable, Sendable {
  package var profile: CardProfile
  /// The codec if it is chosen separately, as in PulseAudio; nil if the profile implies it.
  package var codec: CardCodec?
  package var isActive: Bool

  package init(profile: CardProfile, codec: CardCodec?, isActive: Bool) {
    self.profile = profile
    self.codec = codec
    self.isActive = isActive
  }

  package var name: String { codec?.name ?? profile.name }

  package func command(on card: AudioCard) -> AudioCommand {
    if let codec { return .setCodec(card: card.name, codec: codec.name) }
    return .setProfile(card: card.name, profile: profile.name)
  }
}

extension AudioCard {
  /// The modes that are available or in use, in the server's order of preference.
  package var modes: [SoundMode] {
    profiles.flatMap { profile -> [SoundMode] in
      let isActive = profile.name == activeProfile
      guard isActive, !codecs.isEmpty else {
        let isOffered = profile.isAvailable || isActive
        return isOffered ? [SoundMode(profile: profile, codec: nil, isActive: isActive)] : []
      }
      return codecs.map {
        SoundMode(profile: profile, codec: $0, isActive: $0.name == activeCodec)
      }
    }
  }

  /// Returns the modes that match "music", "calls", or the start of a name or codec.
  package func modes(matching words: String) -> [SoundMode] {
    let wanted = comparable(words)
    guard !wanted.isEmpty else { return [] }
    let modes = modes
    let exact = modes.filter { comparable($0.name) == wanted }
    if !exact.isEmpty { return exact }
    switch wanted {
    case "music": return Array(modes.filter { $0.profile.kind == .a2dp }.prefix(1))
    case "calls": return Array(modes.filter { $0.profile.kind == .handsFree }.prefix(1))
    default:
      let sameCodec = modes.filter { $0.codecName.map(comparable) == wanted }
      if !sameCodec.isEmpty { return sameCodec }
      return modes.filter {
        comparable($0.name).hasPrefix(wanted)
          || $0.codecName.map(comparable)?.hasPrefix(wanted) == true
      }
    }
  }
}

extension SoundMode {
  var codecName: String? { codec?.name ?? profile.codec }
}

private func comparable(_ name: String) -> String {
  name.lowercased().replacing("_", with: "-")
}
