import AudioRoute
import BluetoothCodec
import BluetoothRadio
import HeadphoneProtocols
import Testing

@testable import Companion

/// The sound that comes back by itself.
@Suite struct SoundFollowingTests {
  private static let address = "F0:F1:F2:F3:F4:F5"
  private static let fiveSeconds = Effect.startTimer(.follow(ear), .exactly(.seconds(5)))
  let away = sound(to: speakers.name, speakers)
  let here = sound(to: "bluez_output.ear", speakers, bluetoothSink())
  private let beside = sound(to: speakers.name, speakers, bluetoothSink())

  private func rules(_ word: String = "follow") -> SoundRules {
    var rules = SoundRules()
    rules.all[.following] = .word(word)
    return rules
  }

  /// A headphone of earlier runs that is away; the sound server runs.
  func known(
    wasHere: Bool = true, isDeclined: Bool = false, kind: PeerAddress.Kind = .random,
    _ rules: SoundRules? = nil
  ) -> Scenario {
    var scenario = Scenario()
    var peer = randomPeer(Self.address)
    peer.kind = kind
    let known = KnownHeadphone(
      id: ear, name: "Ear (a)", address: peer, publicAddress: Self.address, lastUsed: noon,
      sound: KnownSound(hasPlayed: true, wasHere: wasHere, isDeclined: isDeclined))
    scenario.given(
      .launched([known], autoConnect: .never),
      .configured(\.sound, rules ?? self.rules()), .adapterChanged(hci0), away)
    return scenario
  }

  func after(_ seconds: Int64) -> Timestamp {
    Timestamp(milliseconds: noon.milliseconds + seconds * 1000)
  }

  func connect(_ scenario: inout Scenario) -> [Effect] {
    if scenario.state.headphones[ear]?.link.isWanted != true {
      scenario.given(.pressed(.connectOrDisconnect))
    }
    scenario.given(.link(ear, .connected))
    return scenario.effects(of: .link(ear, .ready(description(), isEncrypted: false)))
  }

  private func routes(_ effects: [Effect]) -> Bool {
    effects.contains(.audio(.route(sink: "bluez_output.ear")))
  }

  func attempts(_ effects: [Effect]) -> Bool {
    effects.contains(.connectSound(ear, address: Self.address))
  }

  @Test func `with its controls back and no sound after 5 s it is connected once`() {
    var scenario = known()
    #expect(connect(&scenario).contains(Self.fiveSeconds))
    #expect(attempts(scenario.effects(of: .timerFired(.follow(ear)))))
    scenario.given(.soundLink(ear, .connected))
    #expect(routes(scenario.effects(of: beside)))
    #expect(scenario.effects(of: here).isEmpty)
    #expect(scenario.state.problem == nil)
  }

  @Test func `what bluetoothd or the server connects in that time is awaited no more`() {
    var scenario = known()
    _ = connect(&scenario)
    let effects = scenario.effects(of: beside)
    #expect(effects.contains(.cancelTimer(.follow(ear))))
    #expect(routes(effects))
  }

  /// The sound is on the headphone, and this machine ends its link after a minute.
  private func endedHere() -> Scenario {
    var scenario = known()
    _ = connect(&scenario)
    scenario.given(here)
    scenario.now = after(60)
    scenario.given(away, .link(ear, .ended(.localHost)))
    return scenario
  }

  func isDeclined(_ scenario: Scenario) -> Bool? {
    scenario.state.headphones[ear]?.care.known.isDeclined
  }

  @Test func `a suspend that ended the link is no person's disconnection`() {
    var scenario = endedHere()
    #expect(isDeclined(scenario) == true)
    // The machine slept from second 62 to second 3662.
    scenario.now = after(3663)
    let effects = scenario.effects(of: .woke(asleep: .seconds(3600)))
    #expect(isDeclined(scenario) == false)
    #expect(effects.contains { if case .keep(.sound, _) = $0 { true } else { false } })
    scenario.given(.timerFired(.reconnect(ear)))
    #expect(connect(&scenario).contains(Self.fiveSeconds))
  }

  @Test func `nor is one whose end is reported after the computer woke up`() {
    var scenario = known()
    _ = connect(&scenario)
    scenario.given(here)
    scenario.now = after(3600)
    scenario.given(.woke(asleep: .seconds(3000)))
    scenario.now = after(3610)
    scenario.given(away, .link(ear, .ended(.localHost)))
    #expect(isDeclined(scenario) == false)
  }

  @Test func `a disconnection stays one, also through a suspend`() {
    var earlier = endedHere()
    earlier.now = after(60 + 600 + 3600)
    earlier.given(.woke(asleep: .seconds(3600)))
    #expect(isDeclined(earlier) == true)
    var byCommand = endedHere()
    byCommand.given(.soundLink(ear, .disconnected))
    byCommand.now = after(3663)
    byCommand.given(.woke(asleep: .seconds(3600)))
    #expect(isDeclined(byCommand) == true)
    var later = endedHere()
    later.now = after(3663)
    later.given(.woke(asleep: .seconds(3600)))
    later.now = after(3700)
    later.given(.timerFired(.reconnect(ear)))
    _ = connect(&later)
    later.now = after(3800)
    later.given(.link(ear, .ended(.localHost)))
    #expect(isDeclined(later) == true)
  }

  @Test func `sound that was elsewhere is connected and stays elsewhere`() {
    var scenario = known(wasHere: false)
    _ = connect(&scenario)
    #expect(attempts(scenario.effects(of: .timerFired(.follow(ear)))))
    scenario.given(.soundLink(ear, .connected))
    #expect(!routes(scenario.effects(of: beside)))
  }

  @Test func `only where the configuration says so, and in a process that stays`() {
    var leaves = known(rules("leave"))
    #expect(!connect(&leaves).contains(Self.fiveSeconds))
    #expect(!routes(leaves.effects(of: beside)))
    var command = known()
    command.given(.configured(\.sound, rules(), isResident: false))
    #expect(!connect(&command).contains(Self.fiveSeconds))
  }

  @Test func `a failure is only logged, and silence follows until something changes`() {
    var scenario = known()
    _ = connect(&scenario)
    scenario.given(.timerFired(.follow(ear)))
    scenario.given(.soundLink(ear, .failed("it is busy", advice: "")))
    #expect(scenario.state.problem == nil)
    #expect(scenario.state.headphones[ear]?.isSoundWanted == false)
    #expect(scenario.effects(of: away) == [])
    // Its controls come back: a minute after the last attempt at the earliest.
    scenario.now = after(20)
    scenario.given(.link(ear, .ended(.timeout)), .timerFired(.reconnect(ear)))
    #expect(
      connect(&scenario).contains(.startTimer(.follow(ear), .exactly(.seconds(40)))))
    scenario.now = after(60)
    #expect(attempts(scenario.effects(of: .timerFired(.follow(ear)))))
    scenario.given(.soundLink(ear, .failed("it is busy", advice: "")))
    scenario.now = after(70)
    scenario.given(.link(ear, .ended(.timeout)), .timerFired(.reconnect(ear)))
    #expect(
      connect(&scenario).contains(.startTimer(.follow(ear), .exactly(.seconds(110)))))
  }

  @Test func `a success ends the pause between attempts`() {
    var scenario = known()
    _ = connect(&scenario)
    scenario.given(.timerFired(.follow(ear)), .soundLink(ear, .connected), beside, here)
    // It plays, goes into its case after 15 s, and comes out of it.
    scenario.now = after(15)
    scenario.given(.link(ear, .ended(.timeout)), away)
    scenario.now = after(18)
    scenario.given(.timerFired(.reconnect(ear)))
    #expect(connect(&scenario).contains(Self.fiveSeconds))
  }

  @Test func `sound that goes while the controls stay is left to whoever took it`() {
    var scenario = known()
    _ = connect(&scenario)
    scenario.given(here)
    scenario.now = after(100)
    #expect(!scenario.effects(of: away).contains(Self.fiveSeconds))
  }

  @Test func `a headphone that leaves right after an attempt is asked no more until a person does`()
  {
    var scenario = known()
    _ = connect(&scenario)
    scenario.given(.timerFired(.follow(ear)), .soundLink(ear, .connected), beside, here)
    scenario.now = after(3)
    scenario.given(away)
    #expect(scenario.state.headphones[ear]?.care.known.isDeclined == true)
    scenario.now = after(3600)
    scenario.given(.link(ear, .ended(.timeout)), .timerFired(.reconnect(ear)))
    let effects = connect(&scenario)
    #expect(!effects.contains { if case .startTimer(.follow, _) = $0 { true } else { false } })
    scenario.given(.pressed(.routeSound))
    #expect(scenario.state.headphones[ear]?.care.known.isDeclined == false)
  }

  @Test func `a person who disconnects it here is not contradicted, in this run and the next`() {
    var scenario = known()
    _ = connect(&scenario)
    scenario.given(here)
    let effects = scenario.effects(of: .soundLink(ear, .disconnected))
    #expect(
      effects.contains {
        if case .keep(.sound, let known) = $0 { known.sound.isDeclined } else { false }
      })
    scenario.given(away, .link(ear, .ended(.timeout)), .timerFired(.reconnect(ear)))
    #expect(!connect(&scenario).contains(Self.fiveSeconds))
    var next = known(isDeclined: true)
    #expect(!connect(&next).contains(Self.fiveSeconds))
    // It is connected by hand: from then on it is followed again.
    next.given(beside)
    #expect(next.state.headphones[ear]?.care.known.isDeclined == false)
  }

  @Test func `so is one whose links another program ended here`() {
    var scenario = known()
    _ = connect(&scenario)
    scenario.given(here, away, .link(ear, .ended(.localHost)))
    #expect(scenario.state.headphones[ear]?.care.known.isDeclined == true)
  }

  @Test func `sound that a person moved elsewhere stays there`() {
    var scenario = known()
    scenario.given(here)
    scenario.now = after(60)
    scenario.given(beside, away)
    #expect(!routes(scenario.effects(of: beside)))
  }

  @Test func `and so it does when another output was chosen while it was away`() {
    let screen = AudioSink(
      name: "alsa_output.hdmi", description: "Screen", volume: 40, activity: .idle)
    var scenario = known()
    scenario.given(here, sound(to: speakers.name, speakers, screen))
    scenario.given(sound(to: screen.name, speakers, screen))
    #expect(
      !routes(scenario.effects(of: sound(to: screen.name, speakers, screen, bluetoothSink()))))
  }

  @Test func `and when the output that it fell back to was chosen while it was away`() {
    var scenario = known()
    scenario.given(here, away)
    let effects = scenario.effects(of: .soundRouted)
    #expect(
      effects.contains {
        if case .keep(.sound, let known) = $0 { !known.sound.wasHere } else { false }
      })
    #expect(!routes(scenario.effects(of: beside)))
  }

  @Test func `an output that goes is no choice`() {
    let screen = AudioSink(
      name: "alsa_output.hdmi", description: "Screen", volume: 40, activity: .idle)
    var scenario = known()
    scenario.given(here, sound(to: screen.name, speakers, screen), away)
    #expect(routes(scenario.effects(of: beside)))
  }

  @Test func `what is there at the start stays as it is`() {
    var scenario = Scenario()
    let known = KnownHeadphone(
      id: ear, name: "Ear (a)", address: randomPeer(Self.address), publicAddress: Self.address,
      lastUsed: noon, sound: KnownSound(hasPlayed: true, wasHere: true))
    scenario.given(
      .launched([known], autoConnect: .never), .configured(\.sound, rules()),
      .adapterChanged(hci0))
    #expect(!routes(scenario.effects(of: beside)))
  }

  @Test(arguments: [true, false])
  func `one whose controls are on its audio side is connected at the start, if it was here`(
    wasHere: Bool
  ) {
    var scenario = known(wasHere: wasHere, kind: .classic)
    #expect(scenario.state.headphones[ear]?.care.follow.isAwaited == wasHere)
    #expect(attempts(scenario.effects(of: .timerFired(.follow(ear)))) == wasHere)
  }

  @Test func `a bluetoothd or a sound server that is back is tried with controls that are there`() {
    var scenario = known()
    _ = connect(&scenario)
    scenario.given(.timerFired(.follow(ear)), .soundLink(ear, .failed("no bluetoothd", advice: "")))
    scenario.now = after(600)
    #expect(
      scenario.effects(of: .deviceNews(.bluetoothdStarted)).contains(Self.fiveSeconds))
    scenario.given(.timerFired(.follow(ear)), .soundLink(ear, .failed("no server", advice: "")))
    scenario.now = after(6000)
    scenario.given(.audio(.unavailable(.serverEnded)))
    #expect(scenario.effects(of: away).contains(Self.fiveSeconds))
  }

  @Test func `nothing is awaited while nothing can come`() {
    var scenario = known()
    _ = connect(&scenario)
    #expect(
      scenario.effects(of: .link(ear, .ended(.timeout))).contains(.cancelTimer(.follow(ear))))
    #expect(scenario.effects(of: .timerFired(.follow(ear))) == [])
  }
}
