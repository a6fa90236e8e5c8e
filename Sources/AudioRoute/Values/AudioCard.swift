package struct AudioCard: Hashable, Sendable {
  /// The server's key, for example "bluez_card.F0_F1_F2_F3_F4_F5".
  package var name: String
  /// The description, often the headphone's name; unsanitised.
  package var description: String
  /// The Bluetooth address in upper case, "F0:F1:F2:F3:F4:F5", or nil if the server reports none.
  package var address: String?
  /// The name of the active profile, which may be "off", or nil if the server reports none.
  package var activeProfile: String?
  /// The profiles by the server's priority, highest first.
  package var profiles: [CardProfile]
  /// The codecs of the active profile, if they can be selected separately, unlike on PipeWire.
  package var codecs: [CardCodec]
  package var activeCodec: String?
  package var output: CardOutput?

  package init(
    name: String, description: String, address: String?, activeProfile: String?,
    profiles: [CardProfile], codecs: [CardCodec] = [], activeCodec: String? = nil,
    output: CardOutput? = nil
  ) {
    self.name = name
    self.description = description
    self.address = address
    self.activeProfile = activeProfile
    self.profiles = profiles
    self.codecs = codecs
    self.activeCodec = activeCodec
    self.output = output
  }

  package var activeKind: AudioProfile? { activeProfile.flatMap(AudioProfile.init(serverName:)) }

  package func bestProfile(_ kind: AudioProfile) -> CardProfile? {
    profiles.first { $0.isAvailable && $0.kind == kind }
  }

  /// The first available profile for music: A2DP, else LE Audio, else ASHA; nil if there is none.
  package var musicProfile: CardProfile? {
    [.a2dp, .leAudio, .other("asha-sink")].lazy.compactMap(bestProfile).first
  }
}

package struct CardProfile: Hashable, Sendable {
  /// The server's key, for ``AudioCommand/setProfile(card:profile:)``.
  package var name: String
  /// The description, for example "High Fidelity Playback (A2DP Sink)"; unsanitised.
  package var description: String
  package var isAvailable: Bool

  package init(name: String, description: String, isAvailable: Bool = true) {
    self.name = name
    self.description = description
    self.isAvailable = isAvailable
  }

  /// The kind of Bluetooth profile, or nil for "off".
  package var kind: AudioProfile? { AudioProfile(serverName: name) }

  /// The codec at the end of PipeWire's names, as in "a2dp-sink-sbc_xq", or nil if there is none.
  package var codec: String? {
    let prefixes = [
      "a2dp-sink-", "a2dp-duplex-", "headset-head-unit-", "bap-sink-", "bap-duplex-",
    ]
    guard let prefix = prefixes.first(where: name.hasPrefix) else { return nil }
    return String(name.dropFirst(prefix.count))
  }
}

package struct CardOutput: Hashable, Sendable {
  /// The server's key, for ``AudioCommand/setOffset(card:port:milliseconds:)``.
  package var port: String
  /// The offset in ms, which is added to the latency that the server reports to players.
  package var offset: Int

  package init(port: String, offset: Int) {
    self.port = port
    self.offset = offset
  }
}

package struct CardCodec: Hashable, Sendable {
  /// The server's key, for ``AudioCommand/setCodec(card:codec:)``.
  package var name: String
  /// The name for people, for example "SBC XQ 552kbps"; unsanitised.
  package var description: String

  package init(name: String, description: String) {
    self.name = name
    self.description = description
  }
}
