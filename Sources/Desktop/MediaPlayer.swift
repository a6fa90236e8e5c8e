package struct MediaPlayer: Hashable, Sendable {
  static let prefix = "org.mpris.MediaPlayer2."
  static let path = "/org/mpris/MediaPlayer2"
  static let interface = "org.mpris.MediaPlayer2.Player"

  /// The well-known name on the bus, for example "org.mpris.MediaPlayer2.mpv".
  package let name: String
  /// The unique name of the player, for example ":1.42", which changes with a restart.
  let owner: String

  /// The name without the MPRIS prefix, for example "mpv"; unsanitised.
  package var shortName: String { String(name.dropFirst(Self.prefix.count)) }

  package init(name: String, owner: String) {
    self.name = name
    self.owner = owner
  }
}
