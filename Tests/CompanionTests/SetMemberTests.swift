import BluetoothCodec
import HeadphoneProtocols
import Testing

@testable import Companion

@Suite struct SetMemberTests {
  private func member(isLinked: Bool) -> Action {
    let address = PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F6), .random)
    return .link(ear, .member(SetMember(address, .right, isLinked: isLinked)))
  }

  /// Returns a headphone with one ready bud, and a link to the other.
  private func both(_ settings: [SettingDeclaration] = []) throws -> Scenario {
    var capabilities = allFeatures
    capabilities.settings += settings
    var described = description(of: capabilities)
    described.set = CoordinatedSet(
      key: try #require(SetKey(Array(0...15)[...])), size: 2, side: .left)
    var scenario = Scenario.withHeadphone()
    scenario.given(
      .pressed(.connectOrDisconnect), .link(ear, .connected),
      .link(ear, .ready(described, isEncrypted: true)), .scan(.started), member(isLinked: true))
    return scenario
  }

  @Test func `a bud that is lost is looked for`() throws {
    var scenario = try both()
    // The scan of the start goes on.
    #expect(!scenario.effects(of: member(isLinked: false)).contains(.startScan))
    scenario = try both()
    scenario.given(.scan(.ended))
    #expect(scenario.effects(of: member(isLinked: false)).contains(.startScan))
    // It is away already.
    #expect(!scenario.effects(of: member(isLinked: false)).contains(.startScan))
  }

  @Test func `a bud that stays away longer than a scan is connected when it advertises`() throws {
    let other = PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F6), .random)
    let listening = Effect.listenForMember(ear, other)
    let end = Effect.stopListeningForMember(ear, other)
    var scenario = try both()
    scenario.given(.scan(.ended))
    // Its loss begins a scan, which sees it.
    let lost = scenario.effects(of: member(isLinked: false))
    #expect(lost.contains(.startScan) && !lost.contains(listening))
    scenario.given(.scan(.started))
    #expect(scenario.effects(of: .scan(.ended)) == [listening])
    // The next scan sees it, too.
    #expect(scenario.effects(of: .scan(.started)) == [end])
    #expect(scenario.effects(of: .scan(.ended)) == [listening])
    #expect(scenario.effects(of: member(isLinked: true)).contains(end))
    // It goes with the headphone's own link.
    scenario.given(.scan(.started), member(isLinked: false))
    #expect(scenario.effects(of: .scan(.ended)) == [listening])
    #expect(scenario.effects(of: .link(ear, .ended(.peer))).contains(end))
  }

  @Test func `the other bud goes with the headphone's own link, and that is said`() throws {
    let words = "the other bud is disconnected with it, and connected again with it"
    var scenario = try both()
    scenario.given(.link(ear, .ended(.peer)))
    #expect(scenario.state.log.lines.last?.text == words)
    scenario = try both()
    scenario.given(member(isLinked: false), .link(ear, .ended(.peer)))
    #expect(scenario.state.log.lines.last?.text != words)
  }

  @Test func `presets that differ are shown by side, until they agree`() throws {
    var scenario = try both([
      .preset(.preset, [("everyday", "Everyday"), ("outdoors", "Outdoors")])
    ])
    func left(_ preset: String) -> Action {
      .headphone(ear, .settingChanged(.preset, .choice(preset)))
    }
    func right(_ preset: String) -> Action {
      let address = PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F6), .random)
      return .link(
        ear, .member(SetMember(address, .right, isLinked: true, preset: .choice(preset))))
    }
    func shown() -> (words: String?, last: SettingValue?) {
      let headphone = scenario.state.headphones[ear]
      return (headphone?.differingPresets, headphone?.setting(.preset).confirmed)
    }
    scenario.given(left("everyday"), right("everyday"))
    #expect(shown() == (nil, .choice("everyday")))
    scenario.given(right("outdoors"))
    #expect(shown() == ("left Everyday, right Outdoors", .choice("outdoors")))
    let lines = scenario.state.headphones[ear]?.setLines.map(\.value).suffix(2)
    #expect(lines?.first??.hasSuffix(", Everyday") == true)
    #expect(lines?.last??.hasSuffix(", Outdoors") == true)
    // The other one says the same again, and is no news.
    scenario.given(left("everyday"), right("outdoors"))
    #expect(shown() == ("left Everyday, right Outdoors", .choice("everyday")))
    scenario.given(left("outdoors"))
    #expect(shown() == (nil, .choice("outdoors")))
    scenario.given(left("everyday"), member(isLinked: false))
    #expect(shown() == (nil, .choice("everyday")))
  }

  @Test(arguments: [Side.left, .right])
  func `the settings of both sides stand together, the left one first`(first: Side) throws {
    let second: Side = first == .left ? .right : .left
    var scenario = try both([
      .preset(.preset(of: first), [("outdoors", "Outdoors")]), .offset(.offset(of: first)),
      .microphoneMuted,
    ])
    let address = PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F6), .random)
    let settings = [
      SettingDeclaration.preset(.preset(of: second), [("outdoors", "Outdoors")]),
      .offset(.offset(of: second)), .microphoneMuted,
    ]
    scenario.given(
      .link(ear, .member(SetMember(address, .right, isLinked: true, settings: settings))))
    let wanted: [SettingID] = [
      .preset(of: .left), .preset(of: .right), .offset(of: .left), .offset(of: .right),
      .microphoneMuted,
    ]
    let shown = scenario.state.headphones[ear]?.capabilities?.settings.map(\.id) ?? []
    #expect(shown.filter(wanted.contains) == wanted)
  }

  @Test(arguments: [SettingID.preset, .preset(of: .left)])
  func `the members are buds, and those with presets are aids`(preset: SettingID) throws {
    let buds = try both()
    #expect(buds.state.headphones[ear]?.setLines.map(\.label).last == "Right bud")
    #expect(buds.state.log.lines.last?.text == "right bud connected")
    let aids = try both([.preset(preset, [("outdoors", "Outdoors")])])
    #expect(aids.state.headphones[ear]?.setLines.map(\.label).last == "Right aid")
    #expect(aids.state.log.lines.last?.text == "right aid connected")
  }
}
