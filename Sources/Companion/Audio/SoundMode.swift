public import AudioRoute

/// A profile of a sound card, with one of its codecs where the server offers a choice.
///
/// PipeWire has a profile for each codec; PulseAudio has one A2DP profile and a list of codecs
/// beside it. Both become one list of modes for the user.
public struct SoundMode: Hashable, Sendable {
  public var profile: CardProfile
  /// Chosen apart from the profile, as PulseAudio does; nil: the profile's name says it, or nothing.
  public var codec: CardCodec?
  /// Whether it is in use.
  public var isActive: Bool

  public init(profile: CardProfile, codec: CardCodec?, isActive: Bool) {
    self.profile = profile
    self.codec = codec
    self.isActive = isActive
  }

  /// The server's name for it.
  public var name: String { codec?.name ?? profile.name }

  /// What switches to it.
  ///
  /// - Parameter card: The card that `AudioCard.modes` listed it for.
  /// - Returns: A codec change where the codec is apart from the profile, else a change of profile.
  public func command(on card: AudioCard) -> AudioCommand {
    if let codec { return .setCodec(card: card.name, codec: codec.name) }
    return .setProfile(card: card.name, profile: profile.name)
  }
}

extension AudioCard {
  /// All that can be switched to now, and what is in use, the server's preferred first.
  ///
  /// Profiles that are not available now, such as calls on a headphone without HFP, are left out
  /// unless one is active.
  public var modes: [SoundMode] {
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

  /// The modes that a selector means: "music", "calls", "off", or a beginning of a mode's name or
  /// codec.
  public func modes(matching words: String) -> [SoundMode] {
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
  /// Nil: the server chooses it, or does not report it.
  var codecName: String? { codec?.name ?? profile.codec }
}

/// Servers write "sbc_xq", people "SBC-XQ".
private func comparable(_ name: String) -> String {
  name.lowercased().replacing("_", with: "-")
}
