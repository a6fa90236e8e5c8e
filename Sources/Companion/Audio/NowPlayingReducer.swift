import Desktop
import HeadphoneProtocols

extension UserCommand {
  static let playerCommands = [playOrPause, previousTrack, nextTrack]

  package static let playOrPause = player(
    "play-pause", keys: ["v"], "play or pause", .playPause,
    label: { $0.nowPlaying?.isPlaying == true ? "Pause" : "Play" })
  package static let previousTrack = player(
    "previous-track", keys: ["<", ","], "previous track", .previous, label: { _ in "Previous" })
  package static let nextTrack = player(
    "next-track", keys: [">", "."], "next track", .next, label: { _ in "Next" })

  private static func player(
    _ name: String, keys: [String], _ summary: String, _ command: PlayerCommand,
    label: @escaping @Sendable (State) -> String
  ) -> UserCommand {
    UserCommand(
      name, keys: keys, "media player: \(summary)", currentLabel: label,
      availability: {
        $0.nowPlaying == nil ? .refused("no media player is playing or paused") : .available
      }
    ) { state, timestamp in
      guard let playing = state.nowPlaying else { return [] }
      let begins = command == .playPause && !playing.isPlaying
      return [.commandPlayer(command, playing.player)]
        + (begins ? state.takeOverForPlayer(at: timestamp) : [])
    }
  }
}

extension State {
  /// The displayable track of the media player: "Title - Artist, Artist", or the player's name.
  package var nowPlayingText: (isPlaying: Bool, text: String)? {
    guard let nowPlaying else { return nil }
    let title = displayable(nowPlaying.title ?? "")
    let artists = displayable(nowPlaying.artists.joined(separator: ", "))
    let text = [title, artists].filter { !$0.isEmpty }.joined(separator: " - ")
    let name = displayable(nowPlaying.player.shortName)
    return (nowPlaying.isPlaying, text.isEmpty ? name : text)
  }
}
