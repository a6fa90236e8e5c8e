import BluetoothCodec
import BluetoothRadio
import Companion
import HeadphoneProtocols
import Testing

/// A headphone that did not respond is connected as soon as it advertises.
@Suite struct AbsenteeTests {
  /// Returns a scenario whose headphone was tried once and was absent.
  private func absent(_ received: DiscoveredHeadphone = peripheral(ear)) -> Scenario {
    var scenario = Scenario.withHeadphone(received)
    scenario.given(.pressed(.connectOrDisconnect), .link(ear, .ended(.connectTimeout)))
    return scenario
  }

  private let retry = LinkState.reconnecting(Retry(attempt: 1, after: .connectTimeout))

  @Test func `it is listened for until the next attempt`() {
    var scenario = Scenario.withHeadphone()
    scenario.given(.pressed(.connectOrDisconnect))
    #expect(
      scenario.effects(of: .link(ear, .ended(.connectTimeout)))
        == [
          .cancelTimer(.steady(ear)), .startTimer(.reconnect(ear), .about(.seconds(1))),
          .listen(for: ear),
        ])
    #expect(scenario.effects(of: .timerFired(.reconnect(ear))) == [.connect(ear)])
    #expect(scenario.state.headphones[ear]?.link.attempt == .connecting)
  }

  /// Returns a scenario whose headphone was tried seven times and was always absent.
  private func longAway() -> Scenario {
    var scenario = absent()
    for _ in 2...7 {
      scenario.given(.timerFired(.reconnect(ear)), .link(ear, .ended(.connectTimeout)))
    }
    return scenario
  }

  @Test func `who is long away is listened for, and nothing else wakes up`() {
    var scenario = absent()
    for attempt in 2...7 {
      scenario.given(.timerFired(.reconnect(ear)))
      let effects = scenario.effects(of: .link(ear, .ended(.connectTimeout)))
      let stops = Array(effects.suffix(2)) == [.cancelTimer(.reconnect(ear)), .listen(for: ear)]
      #expect(stops == (attempt == 7), "attempt \(attempt)")
    }
    #expect(scenario.effects(of: .link(ear, .connected)) == [.cancelTimer(.reconnect(ear))])
    #expect(scenario.state.headphones[ear]?.link.use == .starting(.discoveringServices))
  }

  @Test(arguments: [LinkEvent.ended(.connectTimeout), .ended(.busy("bluetoothd")), .noRoom])
  func `a listening that ends by itself leaves the attempts`(event: LinkEvent) {
    var scenario = longAway()
    let link = scenario.state.headphones[ear]?.link
    #expect(
      scenario.effects(of: .link(ear, event))
        == [.startTimer(.reconnect(ear), .about(.seconds(60)))])
    #expect(scenario.state.headphones[ear]?.link == link)
    #expect(scenario.effects(of: .timerFired(.reconnect(ear))) == [.connect(ear)])
    var early = absent()
    #expect(early.effects(of: .link(ear, event)) == [], "its timer runs")
  }

  @Test func `during a scan the attempts go on`() {
    var scenario = longAway()
    let timer = Effect.startTimer(.reconnect(ear), .about(.seconds(60)))
    #expect(scenario.effects(of: .scan(.started)) == [.disconnect(ear), timer])
    #expect(
      scenario.effects(of: .scan(.ended)) == [.cancelTimer(.reconnect(ear)), .listen(for: ear)])
  }

  @Test func `during a search for broadcasts the attempts go on`() {
    var scenario = longAway()
    scenario.given(
      .adapterChanged(
        .ready(Adapter(name: "hci0", address: BluetoothAddress(value: 1), isPowered: true))))
    let timer = Effect.startTimer(.reconnect(ear), .about(.seconds(60)))
    #expect(
      scenario.effects(of: .broadcast(.wanted(true)))
        == [.searchBroadcasts(true), .disconnect(ear), timer])
    #expect(
      scenario.effects(of: .broadcast(.wanted(false)))
        == [.searchBroadcasts(false), .cancelTimer(.reconnect(ear)), .listen(for: ear)])
  }

  @Test func `an address that changes is looked for, which is reported`() {
    var received = peripheral(ear)
    received.address = PeerAddress(BluetoothAddress(value: 0x40F1_F2F3_F4F5), .random)
    var scenario = absent(received)
    #expect(
      scenario.state.logLines.map(\.text).contains(
        "its private address has changed: scanning for it"))
    #expect(scenario.effects(of: .timerFired(.reconnect(ear))) == [.startScan])
    #expect(scenario.state.headphones[ear]?.link.attempt == .scanning)
    var moved = peripheral(ear)
    moved.address = PeerAddress(BluetoothAddress(value: 0x4100_0000_0009), .random)
    #expect(scenario.effects(of: .discovered(moved)).contains(.connect(ear)))
  }

  @Test func `it is back without an attempt`() {
    var scenario = absent()
    #expect(scenario.effects(of: .link(ear, .connected)) == [.cancelTimer(.reconnect(ear))])
    #expect(scenario.state.headphones[ear]?.link.use == .starting(.discoveringServices))
    #expect(scenario.state.logLines.first?.text == "connected again")
    scenario.given(.link(ear, .ready(description(), isEncrypted: false)))
    #expect(scenario.state.headphones[ear]?.link.use == .ready)
  }

  @Test func `who looks for headphones hears it, too`() {
    var scenario = absent()
    #expect(scenario.effects(of: .scan(.started)) == [.disconnect(ear)])
    #expect(scenario.state.headphones[ear]?.link == retry)
    #expect(scenario.effects(of: .scan(.ended)) == [.listen(for: ear)])
    scenario.given(.scan(.started))
    #expect(
      scenario.effects(of: .discovered(peripheral(ear))) == [
        .cancelTimer(.reconnect(ear)), .connect(ear),
      ])
  }

  @Test func `a link that comes when nobody listens any more is ignored`() {
    var scenario = absent()
    scenario.given(.scan(.started), .link(ear, .connected))
    #expect(scenario.state.headphones[ear]?.link == retry)
  }

  @Test func `cancelling ends the listening at once`() {
    var scenario = absent()
    #expect(
      scenario.effects(of: .pressed(.connectOrDisconnect)) == [
        .cancelTimer(.reconnect(ear)), .cancelTimer(.steady(ear)), .disconnect(ear),
      ])
    scenario.given(.link(ear, .connected))
    #expect(scenario.state.headphones[ear]?.link == .unwanted(.userCancelled))
  }

  @Test func `an adapter that goes off ends it, and begins with an attempt when it is back`() {
    var scenario = absent()
    #expect(
      scenario.effects(of: .adapterChanged(.off(adapter: "hci0"))) == [
        .cancelTimer(.reconnect(ear)), .disconnect(ear),
      ])
    #expect(scenario.effects(of: .adapterChanged(hci0)) == [.connect(ear), .startScan])
  }

  @Test func `another headphone is connected meanwhile`() {
    var scenario = absent()
    scenario.given(.discovered(peripheral(bud, name: "Bud", address: "F0:F1:F2:F3:F4:F6")))
    scenario.given(.pressed(.nextHeadphone))
    #expect(scenario.effects(of: .pressed(.connectOrDisconnect)) == [.connect(bud)])
    #expect(
      scenario.effects(of: .link(bud, .ended(.connectTimeout))).contains(.listen(for: bud)),
      "several are listened for at once")
    scenario.given(.link(ear, .connected))
    #expect(scenario.state.headphones[ear]?.link.use == .starting(.discoveringServices))
  }

  @Test(arguments: [
    DisconnectReason.peer, .timeout, .refused, .requestTimeout, .busy("bluetoothd"), .adapterGone,
  ])
  func `what was there is tried first`(reason: DisconnectReason) {
    var scenario = Scenario.withHeadphone()
    scenario.given(.pressed(.connectOrDisconnect))
    #expect(!scenario.effects(of: .link(ear, .ended(reason))).contains(.listen(for: ear)))
  }

  @Test(arguments: [
    PeerAddress(BluetoothAddress(value: 0x40F1_F2F3_F4F5), .random),
    PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .classic),
  ])
  func `what does not advertise under a lasting address is not listened for`(
    address: PeerAddress
  ) {
    var received = peripheral(ear)
    received.address = address
    var scenario = Scenario.withHeadphone(received)
    scenario.given(.pressed(.connectOrDisconnect))
    let effects = scenario.effects(of: .link(ear, .ended(.connectTimeout)))
    #expect(effects.contains(.startTimer(.reconnect(ear), .about(.seconds(1)))))
    #expect(!effects.contains(.listen(for: ear)))
  }
}
