import AudioRoute
import BluetoothCodec
import HeadphoneProtocols
import Testing

@testable import Companion

/// The headphone that is selected at the start.
@Suite struct `The headphone at the start` {
  private static let address = "F0:F1:F2:F3:F4:F5"

  /// Returns two known headphones, of which the bud was used last, with the adapter on.
  private func story(_ sound: Action? = nil) -> Scenario {
    var scenario = Scenario()
    let known = [
      KnownHeadphone(
        id: bud, name: "Old Buds", address: randomPeer("C1:00:00:00:00:01"),
        lastUsed: Timestamp(milliseconds: 2)),
      KnownHeadphone(
        id: ear, name: "Ear (a)", address: randomPeer(Self.address), publicAddress: Self.address,
        lastUsed: Timestamp(milliseconds: 1)),
    ]
    scenario.given(.launched(known, autoConnect: .lastUsed(else: .only)), .adapterChanged(hci0))
    if let sound { scenario.given(sound) }
    return scenario
  }

  private func shown(_ scenario: Scenario) -> HeadphoneID? {
    scenario.state.headphones.selected?.id
  }

  @Test func `is the one that was used last`() { #expect(shown(story()) == bud) }

  @Test func `is the one that plays while the other is absent`() {
    let scenario = story(sound(to: "bluez_output.ear", speakers, bluetoothSink()))
    #expect(shown(scenario) == ear)
    #expect(scenario.state.notice?.text == "Old Buds not heard; showing Ear (a)")
    #expect(scenario.state.headphones[bud]?.link == .unwanted(.idle))
    #expect(scenario.state.headphones[ear]?.link.isWanted == true)
  }

  @Test func `is the one that is heard once the other had time to be heard`() {
    var scenario = story(sound(to: speakers.name, speakers))
    let effects = scenario.effects(of: .discovered(peripheral(ear)))
    #expect(effects.contains(.startTimer(.settled, .exactly(.seconds(2)))))
    #expect(shown(scenario) == bud)
    let after = scenario.effects(of: .timerFired(.settled))
    #expect(shown(scenario) == ear && after.contains(.disconnect(bud)))
  }

  @Test func `stays if it is heard in that time`() {
    var scenario = story()
    scenario.given(
      .discovered(peripheral(ear)), .discovered(peripheral(bud, name: "Old Buds")),
      .timerFired(.settled))
    #expect(shown(scenario) == bud)
  }

  @Test func `stays once it is connected`() {
    var scenario = story()
    scenario.given(
      .link(bud, .connected), sound(to: "bluez_output.ear", speakers, bluetoothSink()),
      .discovered(peripheral(ear)), .timerFired(.settled))
    #expect(shown(scenario) == bud)
  }

  @Test func `stays where a person has disconnected it`() {
    var scenario = story()
    scenario.given(
      .pressed(.connectOrDisconnect), sound(to: "bluez_output.ear", speakers, bluetoothSink()))
    #expect(shown(scenario) == bud)
  }

  @Test func `stays where it is the only one that was used`() {
    var scenario = Scenario()
    let known = KnownHeadphone(
      id: bud, name: "Old Buds", address: randomPeer("C1:00:00:00:00:01"),
      lastUsed: Timestamp(milliseconds: 2))
    scenario.given(
      .launched([known], autoConnect: .lastUsed(else: .only)), .adapterChanged(hci0),
      .discovered(peripheral(ear)), .timerFired(.settled))
    #expect(shown(scenario) == bud)
  }
}
