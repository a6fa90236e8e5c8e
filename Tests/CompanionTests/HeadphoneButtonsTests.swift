import AudioRoute
import BluetoothRadio
import Desktop
import Testing

@testable import Companion

/// Media keys of headphones, which do not reveal which headphone sent them.
@Suite struct HeadphoneButtonsTests {
  private let mpv = MediaPlayer(name: "org.mpris.MediaPlayer2.mpv", owner: ":1.7")
  private let here = sound(to: "bluez_output.ear", bluetoothSink(), speakers)
  private let onSpeakers = sound(to: "alsa_output.pci", speakers)

  private func has(_ status: NowPlaying.Status, canPause: Bool = true, canControl: Bool = true)
    -> Action
  {
    var playing = NowPlaying(player: mpv, status, title: "Song")
    playing.canPause = canPause
    playing.canControl = canControl
    return .nowPlaying(playing)
  }

  private func key(_ key: PlayerKey) -> Action { .deviceNews(.key(key)) }

  @Test(
    arguments: [
      (.playing, .pause, .pause), (.playing, .stop, .stop), (.playing, .next, .next),
      (.playing, .previous, .previous), (.paused, .play, .play), (.stopped, .play, .play),
      // A headphone with a stale status presses the wrong one, which must not toggle.
      (.playing, .play, nil),
      // Right after play, whose status has not come yet.
      (.paused, .pause, .pause), (.stopped, .stop, .stop),
    ] as [(NowPlaying.Status, PlayerKey, PlayerCommand?)])
  func `a key is passed on, and never toggles`(
    status: NowPlaying.Status, key: PlayerKey, command: PlayerCommand?
  ) {
    var scenario = Scenario()
    scenario.given(here, has(status))
    #expect(
      scenario.effects(of: self.key(key)) == (command.map { [.pressPlayer($0, mpv)] } ?? []))
  }

  @Test func `a player that cannot pause is stopped, and one that cannot be controlled is left`() {
    var scenario = Scenario()
    scenario.given(here, has(.playing, canPause: false))
    #expect(scenario.effects(of: key(.pause)) == [.pressPlayer(.stop, mpv)])
    scenario.given(has(.playing, canControl: false))
    #expect(PlayerKey.allCases.flatMap { scenario.effects(of: key($0)) } == [])
    scenario.given(.nowPlaying(nil))
    #expect(PlayerKey.allCases.flatMap { scenario.effects(of: key($0)) } == [])
  }

  @Test func `play waits for the headphone's sink`() {
    var scenario = Scenario()
    scenario.given(onSpeakers, has(.paused))
    #expect(
      scenario.effects(of: key(.play)) == [.startTimer(.heldPlay, .exactly(.seconds(5)))])
    #expect(scenario.effects(of: onSpeakers) == [])
    #expect(
      scenario.effects(of: here) == [.cancelTimer(.heldPlay), .pressPlayer(.play, mpv)])
    // Once.
    #expect(scenario.effects(of: onSpeakers) == [])
    #expect(scenario.effects(of: here) == [])
  }

  @Test func `play is not passed on where no sink comes, and that is said`() {
    var scenario = Scenario()
    scenario.given(onSpeakers, has(.paused), key(.play))
    #expect(scenario.effects(of: .timerFired(.heldPlay)) == [])
    #expect(scenario.state.log.lines.last?.text.contains("did not connect") == true)
    #expect(scenario.effects(of: here) == [])
  }

  @Test(arguments: [PlayerKey.pause, .stop])
  func `another key takes back a play that waits`(other: PlayerKey) {
    var scenario = Scenario()
    scenario.given(onSpeakers, has(.paused), key(.play))
    #expect(scenario.effects(of: key(other)).first == .cancelTimer(.heldPlay))
    #expect(scenario.effects(of: here) == [])
  }

  @Test func `a sound server that ends takes a play that waits along`() {
    var scenario = Scenario()
    scenario.given(onSpeakers, has(.paused), key(.play))
    #expect(
      scenario.effects(of: .audio(.unavailable(.serverEnded))) == [.cancelTimer(.heldPlay)])
    #expect(scenario.effects(of: here) == [])
  }

  @Test func `without a sound server nothing is waited for`() {
    var scenario = Scenario()
    scenario.given(.audio(.unavailable(.noServer)), has(.paused))
    #expect(scenario.effects(of: key(.play)) == [.pressPlayer(.play, mpv)])
  }

  // MARK: The offer

  private func configured(_ mode: ButtonMode) -> Action {
    .configured(\.sound.all[.buttons], .word(mode.rawValue))
  }

  private func offers(_ scenario: inout Scenario, _ action: Action) -> [PlayerOffer] {
    scenario.allEffects(of: action).compactMap {
      if case .offerPlayer(let offer) = $0 { offer } else { nil }
    }
  }

  @Test func `nothing is offered before it is known whether a desktop handles the keys`() {
    var scenario = Scenario()
    #expect(offers(&scenario, has(.playing)) == [])
    #expect(offers(&scenario, .keyHandlerChanged(.desktop("GNOME"))) == [])
    #expect(scenario.state.buttonsText?.contains("GNOME") == true)
    #expect(
      offers(&scenario, .keyHandlerChanged(.none)) == [
        .offered(SharedPlayer(.playing, title: "Song"))
      ])
    // A desktop that starts after the agent gets its keys back.
    #expect(offers(&scenario, .keyHandlerChanged(.desktop("GNOME"))) == [.withdrawn])
    #expect(
      offers(&scenario, configured(.on)) == [.offered(SharedPlayer(.playing, title: "Song"))])
    #expect(offers(&scenario, configured(.off)) == [.withdrawn])
  }

  @Test func `the place is kept without a player, and only changes are told`() {
    var scenario = Scenario()
    #expect(offers(&scenario, configured(.on)) == [.offered(nil)])
    #expect(
      offers(&scenario, has(.paused)) == [.offered(SharedPlayer(.paused, title: "Song"))])
    #expect(offers(&scenario, has(.paused)) == [])
    #expect(offers(&scenario, has(.paused, canControl: false)) == [.offered(nil)])
    #expect(offers(&scenario, .nowPlaying(nil)) == [])
  }

  @Test func `headphones are shown no control characters`() {
    var scenario = Scenario()
    scenario.given(configured(.on))
    let playing = NowPlaying(player: mpv, .playing, title: "Üml🎧\u{1B}[2J", artists: ["\n"])
    guard case .offered(let player?)? = offers(&scenario, .nowPlaying(playing)).first else {
      Issue.record("nothing was offered")
      return
    }
    #expect(player.title?.hasPrefix("Üml🎧") == true)
    #expect(
      ([player.title ?? ""] + player.artists).allSatisfy {
        $0.unicodeScalars.allSatisfy { $0.value >= 32 }
      })
  }

  @Test func `the information page says where the buttons go`() {
    var scenario = Scenario()
    #expect(scenario.state.buttonsText == nil)
    scenario.given(configured(.on))
    #expect(scenario.state.buttonsText?.contains("not running") == true)
    scenario.given(.deviceNews(.playerRegistration(.registered)))
    #expect(scenario.state.buttonsText == "no media player to control")
    scenario.given(has(.paused))
    #expect(scenario.state.buttonsText == "control mpv")
    scenario.given(.deviceNews(.playerRegistration(.refused("not\u{7} now"))))
    #expect(scenario.state.buttonsText?.contains("refused: not") == true)
    #expect(scenario.state.log.lines.last?.level == .warning)
    scenario.given(
      configured(.off), .keyHandlerChanged(.none), .deviceNews(.playerRegistration(.none)))
    #expect(scenario.state.buttonsText?.contains("off in the configuration") == true)
  }
}
