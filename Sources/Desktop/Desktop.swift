public import DBus

/// The services of the desktop session: media players (MPRIS) and notifications.
public protocol Desktop: Sendable {
  /// Shows a notification until the desktop takes it away.
  func notify(summary: String, body: String) async throws(DBusError)

  /// Pauses every media player that plays and says that it can be paused.
  func pausePlayers() async throws(DBusError) -> PauseOutcome

  /// Lets players play that are still paused; returns those that took the order.
  @discardableResult
  func resume(_ players: [MediaPlayer]) async throws(DBusError) -> [MediaPlayer]

  /// What plays, else what is paused; nil: neither.
  func nowPlaying() async throws(DBusError) -> NowPlaying?

  /// Gives an order to the player of ``nowPlaying()``.
  ///
  /// - Returns: the player as it was before; nil: there is none.
  func order(_ order: PlayerOrder) async throws(DBusError) -> NowPlaying?
}

/// What a person asks of a media player.
public enum PlayerOrder: String, Sendable, CaseIterable {
  case play = "Play"
  case pause = "Pause"
  case next = "Next"
  case previous = "Previous"
}

/// A media player and what it has on.
public struct NowPlaying: Hashable, Sendable {
  public var player: MediaPlayer
  /// False: it is paused.
  public var isPlaying: Bool
  /// Unsanitised; nil: it does not tell.
  public var title: String?
  /// Unsanitised.
  public var artists: [String]

  public init(player: MediaPlayer, isPlaying: Bool, title: String? = nil, artists: [String] = []) {
    self.player = player
    self.isPlaying = isPlaying
    self.title = title
    self.artists = artists
  }
}

/// What came of the wish that all media players pause.
public struct PauseOutcome: Hashable, Sendable {
  /// Those that took the order.
  public var paused: [MediaPlayer]
  /// Those that play on: they say that they cannot be paused, or not by others.
  public var unable: [MediaPlayer]

  public init(paused: [MediaPlayer] = [], unable: [MediaPlayer] = []) {
    self.paused = paused
    self.unable = unable
  }
}
