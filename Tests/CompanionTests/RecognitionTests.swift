import BluetoothCodec
import Companion
import HeadphoneProtocols
import Testing

/// A headphone is recognised by its serial number, whatever its address or name.
@Suite struct RecognitionTests {
  private let number = SerialNumber(manufacturer: nil, model: "EAR-1", number: "0001")

  private func old(_ address: String = "C1:00:00:00:00:01", audio: String? = nil) -> KnownHeadphone
  {
    KnownHeadphone(
      id: bud, name: "My ears", address: randomPeer(address), publicAddress: audio,
      serial: number, lastUsed: Timestamp(milliseconds: 1))
  }

  /// Returns a known headphone, and one under a new address with the same serial number.
  private func story(
    _ known: KnownHeadphone, hearing: [DiscoveredHeadphone] = [], at pause: Int64 = 1000
  ) -> Scenario {
    var scenario = Scenario.withAdapter()
    scenario.given(.launched([known], autoConnect: .never))
    for (step, received) in (hearing + [peripheral(ear)]).enumerated() {
      scenario.now = Timestamp(milliseconds: noon.milliseconds + Int64(step) * pause)
      scenario.given(.discovered(received))
    }
    scenario.given(.pressed(.nextHeadphone), .pressed(.connectOrDisconnect), .link(ear, .connected))
    return scenario
  }

  @Test func `a new address with a known serial number is the known headphone`() {
    var scenario = story(old())
    let effects = scenario.effects(of: .link(ear, .ready(description(), isEncrypted: false)))
    #expect(scenario.state.headphones.map(\.id) == [bud])
    let headphone = scenario.state.headphones[bud]
    #expect(headphone?.link.use == .ready)
    #expect(headphone?.address == PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .random))
    #expect(scenario.state.headphones.selected?.id == bud)
    #expect(
      effects == [
        .merge(ear, with: bud),
        .remember(
          KnownHeadphone(
            id: bud, name: "Ear (a)",
            address: PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .random),
            serial: number, lastUsed: scenario.now)),
        .startTimer(.steady(bud), .exactly(.seconds(30))),
      ])
  }

  @Test func `the attempt that still looks for it under the old address ends`() {
    var scenario = story(old())
    scenario.given(
      .pressed(.previousHeadphone), .pressed(.connectOrDisconnect),
      .link(bud, .ended(.connectTimeout)))
    let effects = scenario.effects(of: .link(ear, .ready(description(), isEncrypted: false)))
    #expect(
      effects.prefix(3) == [
        .cancelTimer(.reconnect(bud)), .disconnect(bud), .merge(ear, with: bud),
      ])
    #expect(scenario.state.headphones.map(\.link) == [.connected(.ready)])
  }

  @Test func `two that are on the air at once are two, whatever they say`() {
    var scenario = story(
      old(), hearing: [peripheral(ear), peripheral(bud, address: "C1:00:00:00:00:01")])
    scenario.given(.link(ear, .ready(description(), isEncrypted: false)))
    #expect(scenario.state.headphones.count == 2)
  }

  @Test func `one that was received before the address changed is the same`() {
    var scenario = story(old(), hearing: [peripheral(bud, address: "C1:00:00:00:00:01")])
    scenario.given(.link(ear, .ready(description(), isEncrypted: false)))
    #expect(scenario.state.headphones.map(\.id) == [bud])
  }

  @Test func `another audio side is another headphone`() {
    var scenario = story(
      old(audio: "00:00:00:00:00:01"),
      hearing: [peripheral(ear, publicAddress: "00:00:00:00:00:02")])
    scenario.given(.link(ear, .ready(description(), isEncrypted: false)))
    #expect(scenario.state.headphones.count == 2)
  }

  @Test(arguments: ["", "-", "0000", "00000000", "1", "A-1"])
  func `a placeholder is no serial number`(text: String) {
    #expect(SerialNumber(DeviceInformation(model: "EAR-1", serial: text)) == nil)
  }

  @Test func `a number tells apart within one model only`() {
    let one = SerialNumber(DeviceInformation(model: "EAR-1", serial: "0001"))
    let other = SerialNumber(DeviceInformation(model: "EAR-2", serial: "0001"))
    #expect(one != nil && one != other)
  }
}
