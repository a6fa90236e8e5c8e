import AudioRoute
import BluetoothRadio
import Companion
import HeadphoneProtocols
import Testing

@Suite struct AutoPauseTests {
  private let here = sound(to: "bluez_output.ear", bluetoothSink(), speakers)
  private let away = sound(to: "alsa_output.pci", bluetoothSink(), speakers)
  private let bothOut = Action.headphone(ear, .wearingChanged(Wearing(left: false, right: false)))
  /// The end of the time in which the headphone may pause playback itself.
  private let waited = Action.timerFired(.wearPause)
  private let oneIn = Action.headphone(ear, .wearingChanged(Wearing(left: true, right: false)))

  private let wait = Effect.startTimer(.wearPause, .exactly(.milliseconds(500)))

  private func scenario(_ setting: AutoPause, _ sound: Action) -> Scenario {
    var scenario = Scenario.withReady()
    scenario.given(.configured(\.autoPause, setting), sound, oneIn)
    return scenario
  }

  /// Returns the effects of each action, without those of the log.
  private func effects(_ scenario: Scenario, _ actions: Action...) -> [[Effect]] {
    var state = scenario.state
    return actions.map { action in
      state.reduce(action, at: noon).filter { $0 != .noticeTimer }
    }
  }

  @Test func `players are paused when both buds are out, and play again when one is put back`() {
    let reported = effects(
      scenario(.players, here), bothOut, waited, .playersPaused(["mpv"]), oneIn, bothOut)
    #expect(reported == [[wait], [.pausePlayers], [], [.resumePlayers], [wait]])
  }

  @Test(arguments: [PlayerKey.pause, .stop])
  func `a headphone that pauses by itself is neither paused nor resumed a second time`(
    key: PlayerKey
  ) {
    let reported = effects(
      scenario(.players, here), bothOut, .deviceNews(.key(key)), waited, oneIn)
    #expect(reported == [[wait], [.cancelTimer(.wearPause)], [], []])
  }

  @Test func `a bud that is put back at once, or sound that has gone elsewhere, pauses nothing`() {
    #expect(
      effects(scenario(.players, here), bothOut, oneIn, waited) == [
        [wait], [.cancelTimer(.wearPause)], [],
      ])
    #expect(
      effects(scenario(.players, here), bothOut, away, waited, oneIn) == [[wait], [], [], []])
    #expect(
      effects(scenario(.players, here), bothOut, .configured(\.autoPause, .off), waited) == [
        [wait], [.cancelTimer(.wearPause)], [],
      ])
  }

  @Test func `a link that ends while the headphone may pause by itself pauses nothing`() {
    var scenario = scenario(.players, here)
    scenario.given(bothOut, .link(ear, .ended(.timeout)))
    #expect(effects(scenario, waited) == [[]])
  }

  @Test func `it is off unless asked for`() {
    #expect(State().preferences.autoPause == .off)
    #expect(effects(scenario(.off, here), bothOut, oneIn) == [[], []])
    var command = Scenario.withReady()
    command.given(.configured(\.autoPause, .players, isResident: false), here, oneIn)
    #expect(effects(command, bothOut) == [[]])
  }

  @Test func `one bud out pauses nothing`() {
    let both = Action.headphone(ear, .wearingChanged(Wearing(left: true, right: true)))
    #expect(effects(scenario(.players, here), both, oneIn, both) == [[], [], []])
  }

  @Test func `a headphone that is out from the start pauses nothing`() {
    var scenario = Scenario.withReady()
    scenario.given(.configured(\.autoPause, .players), here)
    #expect(effects(scenario, bothOut) == [[]])
  }

  @Test func `a bud of which nothing is known is not out`() {
    let unknown = Action.headphone(ear, .wearingChanged(Wearing(left: false, right: nil)))
    #expect(effects(scenario(.players, here), unknown) == [[]])
  }

  @Test func `sound that goes elsewhere plays on`() {
    #expect(effects(scenario(.players, away), bothOut) == [[]])
  }

  @Test func `what was paused does not start on the speakers`() {
    let reported = effects(
      scenario(.players, here), bothOut, waited, .playersPaused(["mpv"]), away, oneIn)
    #expect(reported == [[wait], [.pausePlayers], [], [], [.forgetPlayers]])
  }

  @Test func `without a player nothing is resumed`() {
    #expect(
      effects(scenario(.players, here), bothOut, waited, .playersPaused([]), oneIn)
        == [[wait], [.pausePlayers], [], []])
  }

  @Test func `a lost link forgets the pause`() {
    var scenario = scenario(.players, here)
    scenario.given(bothOut, waited, .playersPaused(["mpv"]), .link(ear, .ended(.timeout)))
    #expect(scenario.state.soundPause == nil)
  }

  @Test func `players that a lost link leaves paused stay so when it is back`() {
    var scenario = scenario(.players, here)
    scenario.given(bothOut, waited, .playersPaused(["mpv"]))
    let lost = effects(scenario, .link(ear, .ended(.timeout)))[0]
    #expect(lost.contains(.forgetPlayers))
    scenario.given(
      .link(ear, .ended(.timeout)), .link(ear, .connected),
      .link(ear, .ready(description(of: allFeatures), isEncrypted: false)), here)
    #expect(effects(scenario, oneIn) == [[]])
  }

  @Test func `PulseAudio holds the headphone's sink and lets it go`() {
    let sink = "bluez_output.ear"
    #expect(
      effects(scenario(.cork, here), bothOut, oneIn) == [
        [.audio(.setSuspended(sink: sink, isSuspended: true))],
        [.audio(.setSuspended(sink: sink, isSuspended: false))],
      ])
  }

  @Test(arguments: [
    Action.link(ear, .ended(.timeout)), .pressed(.dropControlLink), .configured(\.autoPause, .off),
  ])
  func `no way leaves a sink that is held for ever`(end: Action) {
    var scenario = scenario(.cork, here)
    scenario.given(bothOut)
    let release = Effect.audio(.setSuspended(sink: "bluez_output.ear", isSuspended: false))
    #expect(effects(scenario, end).joined().contains(release))
  }

  @Test func `PipeWire cannot hold what plays, and that is said`() {
    var snapshot = AudioSnapshot(
      serverName: "PulseAudio (on PipeWire 1.0.5)", serverVersion: "15",
      defaultSink: "bluez_output.ear", sinks: [bluetoothSink()])
    snapshot.cards = []
    var scenario = scenario(.cork, .audio(.running(snapshot)))
    #expect(effects(scenario, bothOut) == [[]])
    scenario.given(bothOut)
    #expect(scenario.state.notice?.text.contains("cannot suspend") == true)
    #expect(scenario.state.soundPause == nil)
  }
}
