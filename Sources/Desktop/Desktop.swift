package import DBus

/// The services of the desktop session: media players (MPRIS 2.2), notifications and media keys.
///
/// ``SessionDesktop`` implements it on the session bus. An absent session bus is a normal state:
/// throwing methods then throw `DBusError.noBus`.
package protocol Desktop: Sendable {
  /// Shows a notification of displayable text, with its markup escaped.
  func notify(summary: String, body: String) async throws(DBusError)

  /// Pauses every media player that plays and can be paused, ignoring those that do not respond.
  func pausePlayers() async throws(DBusError) -> PauseOutcome

  /// Resumes those of the paused players that are still paused and are still the same process.
  @discardableResult
  func resume(_ players: [MediaPlayer]) async throws(DBusError) -> [MediaPlayer]

  /// Returns the desktop that handles media keys, now and after each change; for one consumer.
  func keyHandler() -> AsyncStream<String?>

  /// Returns the current player, now and after each change; for one consumer.
  func playing() -> AsyncStream<NowPlaying?>

  /// Sends a command to a player; throws `DBusError.refused` with the player's message.
  func send(_ command: PlayerCommand, to player: MediaPlayer) async throws(DBusError)

  /// Returns the current player: one that plays, or else one that is paused, or nil.
  func nowPlaying() async throws(DBusError) -> NowPlaying?

  /// Sends a command to the player of ``nowPlaying()``, and returns the player's previous state.
  func send(_ command: PlayerCommand) async throws(DBusError) -> NowPlaying?
}

/// A playback command; the raw value is its method in `org.mpris.MediaPlayer2.Player`.
package enum PlayerCommand: String, Sendable, CaseIterable {
  /// Starts or resumes playback.
  case play = "Play"
  case pause = "Pause"
  case playPause = "PlayPause"
  /// Stops, so that ``play`` starts again.
  case stop = "Stop"
  case next = "Next"
  case previous = "Previous"
}

package struct NowPlaying: Hashable, Sendable {
  package var player: MediaPlayer
  package enum Status: String, Hashable, Sendable, CaseIterable {
    case playing = "Playing"
    case paused = "Paused"
    case stopped = "Stopped"
  }

  package var status: Status
  /// The track's title (`xesam:title`), at most 200 characters, unsanitised, or nil if unknown.
  package var title: String?
  /// The track's artists (`xesam:artist`), at most eight, unsanitised.
  package var artists: [String]
  /// The album (`xesam:album`), at most 200 characters, unsanitised, or nil if unknown.
  package var album: String?
  /// The length of the track in µs (`mpris:length`), or nil if unknown.
  package var length: Int64?
  /// Whether the player can pause (`CanPause`); one that cannot can be stopped.
  package var canPause = true
  /// Whether the player can be controlled at all (`CanControl`).
  package var canControl = true

  package var isPlaying: Bool { status == .playing }

  package init(player: MediaPlayer, _ status: Status, title: String? = nil, artists: [String] = [])
  {
    self.player = player
    self.status = status
    self.title = title
    self.artists = artists
  }
}

package struct PauseOutcome: Hashable, Sendable {
  package var paused: [MediaPlayer]
  /// The players that play on, because they report that they cannot be paused or controlled.
  package var unable: [MediaPlayer]

  package init(paused: [MediaPlayer] = [], unable: [MediaPlayer] = []) {
    self.paused = paused
    self.unable = unable
  }
}
