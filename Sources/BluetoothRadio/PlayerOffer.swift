/// A key on a headphone that controls a media player (AVRCP 1.6, pass-through commands).
public enum PlayerKey: String, Hashable, Sendable, CaseIterable {
  case play = "Play"
  case pause = "Pause"
  case stop = "Stop"
  case next = "Next"
  case previous = "Previous"
}

/// A media player as headphones see it; its texts are displayable.
public struct SharedPlayer: Hashable, Sendable {
  /// What the player does.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    case playing = "Playing"
    case paused = "Paused"
    case stopped = "Stopped"
  }

  public var status: Status
  /// The title, or nil if unknown.
  public var title: String?
  /// The artists.
  public var artists: [String]
  /// The album, or nil if unknown.
  public var album: String?
  /// The length of the track in µs, or nil if unknown.
  public var length: Int64?

  public init(
    _ status: Status, title: String? = nil, artists: [String] = [], album: String? = nil,
    length: Int64? = nil
  ) {
    self.status = status
    self.title = title
    self.artists = artists
    self.album = album
    self.length = length
  }
}

/// Whether this program handles the media keys of headphones.
public enum PlayerOffer: Hashable, Sendable {
  /// The program has withdrawn its player and leaves the keys to other players.
  case withdrawn
  /// The program handles the keys with this player; without one, it stays registered.
  case offered(SharedPlayer?)
}

/// Whether bluetoothd has registered the offered player.
public enum PlayerRegistration: Hashable, Sendable {
  case none
  case registered
  /// bluetoothd rejected the player with this message, which is unsanitised.
  case refused(String)
}
