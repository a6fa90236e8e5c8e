import BluetoothCodec
import BluetoothRadio
import HeadphoneProtocols
import Testing

@testable import Companion

@Suite struct BroadcastTests {
  private static let address = PeerAddress(BluetoothAddress(value: 0xC0DE_5E00_5A01), .random)

  private static func broadcast(
    _ number: UInt32, _ name: String?, _ features: PublicBroadcastAnnouncement.Features? = []
  ) -> Broadcast {
    var broadcast = Broadcast(BroadcastID(rawValue: number), at: address)
    broadcast.name = name
    broadcast.features = features
    broadcast.set = 3
    return broadcast
  }

  private static let gate = broadcast(1, "Gate B12")
  private static let lounge = broadcast(2, "Lounge", .encrypted)

  private static func reception(
    _ side: Side?, of broadcast: Broadcast, _ sync: ReceiveState.Sync = .on,
    _ encryption: ReceiveState.Encryption = .none, streams: UInt32 = 1
  ) -> BroadcastReception {
    let source = BroadcastSource(address, set: 3, broadcast.id)
    return BroadcastReception(
      side, [ReceiveState(1, source, sync, encryption, [BroadcastSubgroup(streams)])])
  }

  /// The capabilities of a headphone that can receive broadcasts.
  private var receiving: Capabilities {
    var capabilities = allFeatures
    capabilities.hasBroadcasts = true
    return capabilities
  }

  private func opened(_ heard: Broadcast...) -> Scenario {
    var scenario = Scenario.withReady()
    scenario.given(
      .adapterChanged(
        .ready(Adapter(name: "hci0", address: BluetoothAddress(value: 1), isPowered: true))),
      .headphone(ear, .described(description(of: receiving))), .pressed(.broadcasts))
    for broadcast in heard { scenario.given(.broadcast(.heard(broadcast))) }
    return scenario
  }

  private func command(_ scenario: inout Scenario, _ command: UserCommand) -> BroadcastCommand? {
    for case .perform(ear, .broadcast(let command), _) in scenario.effects(of: .pressed(command)) {
      return command
    }
    return nil
  }

  /// Starts or stops a search, and returns the effects.
  private func search(_ isOn: Bool, command number: UInt64) -> [Effect] {
    [
      .searchBroadcasts(isOn),
      .perform(ear, .announceSearch(isOn), CommandToken(rawValue: number)),
    ]
  }

  @Test func `the radio searches only while the page or a command lists broadcasts`() {
    var scenario = opened()
    #expect(scenario.state.page == .broadcasts(line: 0) && scenario.state.broadcasts.isSearching)
    #expect(scenario.effects(of: .broadcast(.wanted(true))) == [])
    #expect(scenario.effects(of: .pressed(.broadcasts)) == [])
    #expect(scenario.effects(of: .broadcast(.wanted(false))) == search(false, command: 2))
    #expect(scenario.effects(of: .broadcast(.heard(Self.gate))) == [])
    #expect(scenario.state.broadcasts.list.isEmpty)
    #expect(scenario.effects(of: .pressed(.broadcasts)) == search(true, command: 3))
    #expect(
      scenario.effects(of: .adapterChanged(.off(adapter: "hci0"))).contains(
        .searchBroadcasts(false)))
  }

  @Test func `a search that fails says why, and is tried again when the page is opened again`() {
    var scenario = opened()
    let effects = scenario.effects(of: .broadcast(.failed("no permission", advice: "grant it")))
    #expect(effects.contains(search(false, command: 2)[1]))
    #expect(scenario.state.broadcasts.problem == "no permission: grant it")
    #expect(scenario.effects(of: .broadcast(.wanted(true))) == [])
    scenario.given(.broadcast(.wanted(false)), .pressed(.back))
    #expect(scenario.effects(of: .pressed(.broadcasts)) == search(true, command: 3))
  }

  @Test func `a headphone or a bud whose link comes later hears of a search that runs`() {
    var scenario = opened()
    scenario.given(.link(ear, .ended(.timeout)), .timerFired(.reconnect(ear)))
    let again =
      scenario.effects(of: .link(ear, .connected))
      + scenario.effects(of: .link(ear, .ready(description(of: receiving), isEncrypted: true)))
    #expect(again.contains(search(true, command: 2)[1]) && !again.contains(.searchBroadcasts(true)))
    let address = PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F6), .random)
    let bud = SetMember(address, .right, isLinked: true)
    #expect(
      scenario.effects(of: .link(ear, .member(bud))).contains(search(true, command: 3)[1]))
  }

  @Test func `a headphone without the service has no page`() {
    var scenario = Scenario.withReady()
    scenario.given(.pressed(.broadcasts))
    #expect(scenario.state.page == .main)
    #expect(scenario.state.notice?.text == "this headphone has no Auracast")
  }

  @Test func `Enter listens, and stops what plays`() {
    var scenario = opened(Self.gate)
    #expect(command(&scenario, .accept) == .join(Self.gate, nil))
    #expect(scenario.state.headphones.selected?.broadcastRequest?.broadcast == Self.gate.id)
    #expect(scenario.state.headphones.selected.flatMap(scenario.state.broadcastText) == nil)
    scenario.given(.headphone(ear, .receptionChanged(Self.reception(nil, of: Self.gate))))
    #expect(
      scenario.state.headphones.selected.flatMap(scenario.state.broadcastText)
        == "listening to Gate B12 (Auracast), not to this computer")
    scenario.given(
      .commandEnded(
        ear, .broadcast(.join(Self.gate, nil)), CommandToken(rawValue: scenario.state.commandCount),
        .done))
    #expect(scenario.state.headphones.selected?.broadcastRequest == nil)
    #expect(command(&scenario, .accept) == .leave)
  }

  @Test func `a locked one asks for its code, which is in no line of the log`() throws {
    var scenario = opened(Self.lounge)
    #expect(command(&scenario, .accept) == nil)
    #expect(scenario.state.dialog == .entry(TextEntry(.broadcastCode(ear, Self.lounge))))
    for letter in "abc" { scenario.given(.typed(.character(letter))) }
    #expect(command(&scenario, .accept) == nil)
    guard case .entry(let entry)? = scenario.state.dialog else { return #expect(Bool(false)) }
    #expect(entry.complaint == "a code has 4 to 16 characters")
    for letter in "defg" { scenario.given(.typed(.character(letter))) }
    let code = try #require(BroadcastCode("abcdefg"))
    #expect(command(&scenario, .accept) == .join(Self.lounge, code))
    let ended = Action.commandEnded(
      ear, .broadcast(.join(Self.lounge, code)), CommandToken(rawValue: 1),
      .failed(.broadcast(.wrongCode)))
    scenario.given(ended)
    #expect(scenario.state.problem?.text == "listening to Lounge: the code is wrong")
    #expect(scenario.state.log.lines.allSatisfy { !$0.text.contains("abcd") })
    #expect(!"\(ended)".contains("abcd"))
  }

  @Test func `a problem with a broadcast ends when both buds play it`() {
    var scenario = opened(Self.lounge)
    let joined = HeadphoneCommand.broadcast(.join(Self.lounge, BroadcastCode("wrongcode")))
    let wrong = Self.reception(.left, of: Self.lounge, .on, .badCode, streams: 0)
    scenario.given(
      .headphone(ear, .receptionChanged(wrong)),
      .commandEnded(
        ear, joined, CommandToken(rawValue: 1), .failed(.broadcast(.wrongCode))))
    #expect(scenario.state.problem?.text == "listening to Lounge: the code is wrong")
    var right = wrong
    right.side = .right
    for other in [
      Self.reception(.left, of: Self.gate), right,
      Self.reception(.left, of: Self.lounge, .on, .decrypting),
    ] {
      scenario.given(.headphone(ear, .receptionChanged(other)))
      #expect(scenario.state.problem != nil)
    }
    scenario.given(
      .headphone(ear, .receptionChanged(Self.reception(.right, of: Self.lounge, .on, .decrypting))))
    #expect(scenario.state.problem == nil)
    // What it says of something else stays.
    scenario.given(
      .commandEnded(ear, .rename("x"), CommandToken(rawValue: 2), .failed(.noResponse)),
      .headphone(ear, .receptionChanged(Self.reception(.left, of: Self.lounge))))
    #expect(scenario.state.problem != nil)
  }

  @Test func `one that turns out to be locked asks the next time`() {
    var scenario = opened(Self.broadcast(3, nil, nil))
    guard let join = command(&scenario, .accept) else { return #expect(Bool(false)) }
    scenario.given(
      .commandEnded(
        ear, .broadcast(join), CommandToken(rawValue: 1), .failed(.broadcast(.codeNeeded))),
      .pressed(.back))
    #expect(command(&scenario, .accept) == nil)
    guard case .entry = scenario.state.dialog else { return #expect(Bool(false)) }
  }

  @Test func `one bud that plays and one that does not are a state to show`() {
    var scenario = opened(Self.gate)
    scenario.given(
      .headphone(ear, .receptionChanged(Self.reception(.left, of: Self.gate))),
      .headphone(
        ear, .receptionChanged(Self.reception(.right, of: Self.gate, .failed, streams: 0))))
    #expect(
      scenario.state.headphones.selected.flatMap(scenario.state.broadcastText)
        == "left bud: listening to Gate B12 (Auracast); other bud: not found")
    #expect(scenario.state.receptionText(of: Self.gate.id) == "left listening, right not found")
    scenario.given(.headphone(ear, .receptionChanged(Self.reception(.right, of: Self.gate))))
    #expect(scenario.state.receptionText(of: Self.gate.id) == "listening")
  }

  @Test func `the log says what is heard by its name, and what has none by its number`() {
    var scenario = opened(Self.gate)
    let said = { scenario.state.log.lines.last?.text }
    scenario.given(
      .headphone(ear, .receptionChanged(Self.reception(.right, of: Self.gate, .off))),
      .headphone(ear, .receptionChanged(Self.reception(.right, of: Self.gate))))
    #expect(said() == "right bud: Gate B12, listening")
    let unknown = Self.broadcast(0xA17004, nil)
    scenario.given(.headphone(ear, .receptionChanged(Self.reception(.right, of: unknown))))
    #expect(said() == "right bud: broadcast A17004, listening")
  }

  @Test func `its key is in the footer of a headphone that has it, before those of the links`() {
    var scenario = opened(Self.gate)
    scenario.given(.pressed(.back))
    let commands = scenario.state.footerHints.flatMap(\.commands)
    let wanted: [UserCommand] = [.broadcasts, .otherPanel, .info]
    #expect(commands.filter(wanted.contains) == wanted)
    #expect(!Scenario.withReady().state.footerHints.flatMap(\.commands).contains(.broadcasts))
  }

  @Test(arguments: [("deu", "German"), ("ENG", "English"), ("ger", "German"), ("tlh", "tlh")])
  func `a language is called by its name`(code: String, name: String) {
    var broadcast = Self.gate
    #expect(broadcast.languageText == nil)
    broadcast.language = code
    #expect(broadcast.languageText == name)
  }

  @Test func `what the headphone knows is listed though nothing is heard, and not without a link`()
  {
    var scenario = opened()
    scenario.given(.headphone(ear, .receptionChanged(Self.reception(nil, of: Self.gate))))
    #expect(scenario.state.broadcastLines.map(\.title) == ["broadcast 000001"])
    scenario.given(.link(ear, .ended(.timeout)))
    #expect(scenario.state.broadcastLines.isEmpty && !scenario.state.isPlaying(Self.gate.id))
  }

  @Test func `the list is bounded, and forgets what is not heard any more`() {
    var nearby = BroadcastsNearby()
    for number in 0..<100 {
      nearby.hear(Self.broadcast(UInt32(number), "x"), at: Timestamp(milliseconds: 0))
    }
    #expect(nearby.list.count == BroadcastsNearby.limit)
    var without = Self.broadcast(5, nil, nil)
    without.set = nil
    nearby.hear(without, at: Timestamp(milliseconds: 31_000))
    #expect(nearby.list.count == 1)
    #expect(nearby.list.first?.name == "x" && nearby.list.first?.set == 3)
  }
}
