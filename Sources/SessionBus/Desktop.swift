/// The desktop as a person has it: media players, notifications.
public protocol Desktop: Sendable {
  /// Shows a notification until the desktop takes it away.
  func notify(summary: String, body: String) async throws(BusError)

  /// Pauses every media player that plays; returns those that took the order.
  func pausePlayers() async throws(BusError) -> [MediaPlayer]

  /// Lets players play that are still paused; returns those that took the order.
  @discardableResult
  func resume(_ players: [MediaPlayer]) async throws(BusError) -> [MediaPlayer]
}
