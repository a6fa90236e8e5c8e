import Desktop
import HeadphoneProtocols

extension State {
  /// Gives a command to the media player that the panel shows; without one, a notice.
  mutating func commandPlayer(_ order: PlayerCommand, at timestamp: Timestamp) -> [Effect] {
    guard let nowPlaying else { return say("no media player is playing or paused", at: timestamp) }
    return [.commandPlayer(order, nowPlaying.player)]
  }

  /// The media player's state and piece: "Title - Artist, Artist", else the player's name.
  ///
  /// - Returns: displayable text; nil: there is no player.
  public var nowPlayingText: (isPlaying: Bool, text: String)? {
    guard let nowPlaying else { return nil }
    let title = displayable(nowPlaying.title ?? "")
    let artists = displayable(nowPlaying.artists.joined(separator: ", "))
    let text = [title, artists].filter { !$0.isEmpty }.joined(separator: " - ")
    let name = displayable(nowPlaying.player.shortName)
    return (nowPlaying.isPlaying, text.isEmpty ? name : text)
  }
}
