public import DBus

/// The services of the desktop session: media players (MPRIS 2.2) and notifications.
///
/// ``SessionDesktop`` implements it on the session bus; tests have their own. An absent session bus
/// is a normal state: every method then throws `DBusError.noBus`.
///
/// ```swift
/// let outcome = try await desktop.pausePlayers()  // the buds are taken off
/// // … and later, when they are worn again:
/// try await desktop.resume(outcome.paused)
/// ```
public protocol Desktop: Sendable {
  /// Shows a notification for as long as the desktop chooses.
  ///
  /// - Parameters:
  ///   - summary: one line, displayable.
  ///   - body: plain text, displayable; markup is escaped.
  /// - Throws: `DBusError`; `refused` where no notification service runs.
  func notify(summary: String, body: String) async throws(DBusError)

  /// Pauses every media player that plays and reports that it can be paused.
  ///
  /// - Returns: the players that accepted, and those that play on.
  /// - Throws: `DBusError` without a bus. A player that fails or hangs is left out instead.
  func pausePlayers() async throws(DBusError) -> PauseOutcome

  /// Resumes those of the players that are still paused and are still the same process.
  ///
  /// - Parameter players: those that ``pausePlayers()`` paused.
  /// - Returns: the players that accepted.
  /// - Throws: `DBusError` without a bus.
  @discardableResult
  func resume(_ players: [MediaPlayer]) async throws(DBusError) -> [MediaPlayer]

  /// The desktop that handles media keys in this session, now and after each change; `nil` if none.
  ///
  /// The stream is for one consumer. Nothing wakes the process while nothing changes.
  func keyHandler() -> AsyncStream<String?>

  /// The current player, now and after each change; `nil` if none has played or is paused.
  ///
  /// The stream is for one consumer. Nothing wakes the process while nothing changes.
  func playing() -> AsyncStream<NowPlaying?>

  /// Sends a command to a player.
  ///
  /// - Throws: `DBusError.refused` with the player's message, or another `DBusError` without a bus.
  func send(_ command: PlayerCommand, to player: MediaPlayer) async throws(DBusError)

  /// The current player: one that plays, or else one that is paused; `nil` if there is neither.
  func nowPlaying() async throws(DBusError) -> NowPlaying?

  /// Sends a command to the player of ``nowPlaying()``.
  ///
  /// - Parameter command: the method of MPRIS to call.
  /// - Returns: the player's state before the command; `nil` if there is no player.
  /// - Throws: `DBusError.refused` with the player's message, or another `DBusError` without a bus.
  func send(_ command: PlayerCommand) async throws(DBusError) -> NowPlaying?
}

/// A playback command; the raw value is its method in `org.mpris.MediaPlayer2.Player`.
public enum PlayerCommand: String, Sendable, CaseIterable {
  /// Starts or resumes playback.
  case play = "Play"
  /// Pauses; nothing happens if playback is paused.
  case pause = "Pause"
  /// Pauses, or else resumes.
  case playPause = "PlayPause"
  /// Stops; ``play`` starts again.
  case stop = "Stop"
  /// Skips to the next track.
  case next = "Next"
  /// Skips to the previous track.
  case previous = "Previous"
}

/// A media player with its playback status and track.
public struct NowPlaying: Hashable, Sendable {
  /// The player.
  public var player: MediaPlayer
  /// What it says that it does.
  public enum Status: String, Hashable, Sendable, CaseIterable {
    case playing = "Playing"
    case paused = "Paused"
    case stopped = "Stopped"
  }

  /// The status.
  public var status: Status
  /// The track's title (`xesam:title`), at most 200 characters, unsanitised; `nil` if unknown.
  public var title: String?
  /// The track's artists (`xesam:artist`), at most eight, unsanitised.
  public var artists: [String]
  /// The album (`xesam:album`), at most 200 characters, unsanitised; `nil` if unknown.
  public var album: String?
  /// The length of the track in µs (`mpris:length`); `nil` if unknown.
  public var length: Int64?
  /// Whether it can pause (`CanPause`); one that cannot can be stopped.
  public var canPause = true
  /// Whether it can be controlled at all (`CanControl`).
  public var canControl = true

  /// Whether it plays.
  public var isPlaying: Bool { status == .playing }

  public init(player: MediaPlayer, _ status: Status, title: String? = nil, artists: [String] = []) {
    self.player = player
    self.status = status
    self.title = title
    self.artists = artists
  }
}

/// The result of a request to pause all media players.
public struct PauseOutcome: Hashable, Sendable {
  /// The players that accepted.
  public var paused: [MediaPlayer]
  /// The players that play on, because they report that they cannot be paused or controlled.
  public var unable: [MediaPlayer]

  public init(paused: [MediaPlayer] = [], unable: [MediaPlayer] = []) {
    self.paused = paused
    self.unable = unable
  }
}
