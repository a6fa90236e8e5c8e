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
