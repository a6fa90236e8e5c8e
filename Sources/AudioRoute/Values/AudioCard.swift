/// A Bluetooth device as the server knows it.
public struct AudioCard: Hashable, Sendable {
  /// The server's key for it, for example "bluez_card.F0_F1_F2_F3_F4_F5".
  public var name: String
  /// The description, often the headphone's name; unsanitised.
  public var description: String
  /// The Bluetooth address in upper case, "F0:F1:F2:F3:F4:F5"; nil: the server does not report one.
  public var address: String?
  /// The name of the active profile, which may be "off"; nil: the server does not report one.
  public var activeProfile: String?
  /// The preferred first, as the server ranks them.
  public var profiles: [CardProfile]

  public init(
    name: String, description: String, address: String?, activeProfile: String?,
    profiles: [CardProfile]
  ) {
    self.name = name
    self.description = description
    self.address = address
    self.activeProfile = activeProfile
    self.profiles = profiles
  }

  /// What carries the sound now; nil: nothing does.
  public var activeKind: AudioProfile? { activeProfile.flatMap(AudioProfile.init(serverName:)) }

  /// The best profile of that kind which can be switched to now.
  public func bestProfile(_ kind: AudioProfile) -> CardProfile? {
    profiles.first { $0.isAvailable && $0.kind == kind }
  }
}

/// A way that a card can be used.
public struct CardProfile: Hashable, Sendable {
  /// The server's key for it, for `AudioCommand.setProfile`.
  public var name: String
  /// The description, for example "High Fidelity Playback (A2DP Sink)"; unsanitised.
  public var description: String
  /// Whether the server holds that switching to it can work.
  public var isAvailable: Bool

  public init(name: String, description: String, isAvailable: Bool = true) {
    self.name = name
    self.description = description
    self.isAvailable = isAvailable
  }

  /// Nil: "off".
  public var kind: AudioProfile? { AudioProfile(serverName: name) }
}
