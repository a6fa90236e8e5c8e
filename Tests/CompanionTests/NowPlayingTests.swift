import Companion
import Desktop
import Testing

@Suite struct NowPlayingTests {
  private let mpv = MediaPlayer(name: "org.mpris.MediaPlayer2.mpv", owner: ":1.7")

  private func playing(_ title: String?, _ artists: String..., isPlaying: Bool = true) -> Action {
    .nowPlaying(
      NowPlaying(player: mpv, isPlaying ? .playing : .paused, title: title, artists: artists))
  }

  @Test(arguments: [
    (UserCommand.playOrPause, PlayerCommand.playPause), (.nextTrack, .next),
    (.previousTrack, .previous),
  ])
  func `keys go to the player that is shown`(key: UserCommand, order: PlayerCommand) {
    var scenario = Scenario()
    scenario.given(playing("Song"))
    scenario.press(key, effects: [.commandPlayer(order, mpv)])
  }

  @Test func `without a player a key says so, and a refusal is told`() {
    var scenario = Scenario()
    scenario.press(.playOrPause, effects: [.noticeTimer]) {
      $0.explains("no media player is playing or paused")
    }
    scenario.send(.playerRefused("not now"), effects: [.noticeTimer]) {
      $0.says("the media player refused: not now")
    }
  }

  @Test func `title and artists are one line; a player that tells neither is named`() {
    var scenario = Scenario()
    scenario.given(playing("Song", "One", "Two"))
    #expect(scenario.state.nowPlayingText?.text == "Song - One, Two")
    scenario.given(playing(nil, isPlaying: false))
    #expect(scenario.state.nowPlayingText?.text == "mpv")
    #expect(scenario.state.nowPlayingText?.isPlaying == false)
    scenario.given(.nowPlaying(nil))
    #expect(scenario.state.nowPlayingText == nil)
  }

  @Test func `hostile text does not reach the terminal`() {
    var scenario = Scenario()
    scenario.given(playing("\u{1B}[2Jgone\n\u{202E}live", "\u{7}"))
    let text = scenario.state.nowPlayingText?.text ?? ""
    #expect(!text.unicodeScalars.contains { $0.value < 32 || $0.value == 0x202E })
  }
}
