/// A key of a headphone that goes to a media player (AVRCP 1.6, pass-through commands).
public enum PlayerKey: String, Hashable, Sendable, CaseIterable {
  case play = "Play"
  case pause = "Pause"
  case stop = "Stop"
  case next = "Next"
  case previous = "Previous"
}

/// A media player as headphones see it.
public struct SharedPlayer: Hashable, Sendable {
  /// What it does.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    case playing = "Playing"
    case paused = "Paused"
    case stopped = "Stopped"
  }

  public var status: Status
  /// Displayable; nil: unknown.
  public var title: String?
  /// Displayable.
  public var artists: [String]
  /// Displayable; nil: unknown.
  public var album: String?
  /// The length of the track in µs; nil: unknown.
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

/// Whether this program handles the keys of headphones.
public enum PlayerOffer: Hashable, Sendable {
  /// It leaves them to others.
  case withdrawn
  /// It handles them while there is a player; it keeps its place without one.
  case offered(SharedPlayer?)
}

/// Whether bluetoothd has the player that was offered.
public enum PlayerRegistration: Hashable, Sendable {
  /// Nothing is offered, or there is no adapter or bluetoothd.
  case none
  case registered
  /// bluetoothd's words, unsanitised.
  case refused(String)
}
