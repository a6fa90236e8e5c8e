import BluetoothCodec
import HeadphoneProtocols
import Testing

@testable import Companion

@Suite struct SightingTests {
  private let known = KnownHeadphone(
    id: bud, name: "Bud", address: PeerAddress(BluetoothAddress(value: 0xC000_0000_0001), .random),
    lastUsed: Timestamp(milliseconds: 1))

  @Test func `the adapter's readiness starts a scan and the last used headphone`() {
    var scenario = Scenario()
    scenario.send(.launched([known], autoConnect: .lastUsed(else: .only))) {
      var headphone = HeadphoneState(id: bud, name: "Bud", address: known.address)
      headphone.lastUsed = known.lastUsed
      headphone.link = .pending(.waitingForBluetooth(.adapter))
      $0.headphones.insert(headphone)
    }
    scenario.send(.adapterChanged(hci0), effects: [.connect(bud), .startScan]) {
      $0.adapter = hci0
      $0.headphones.update(bud) { $0.link = .pending(.connecting) }
      $0.logs(.info, nil, "Bluetooth is on (hci0)")
    }
  }

  @Test func `the only headphone nearby is connected when all have had time to be received`() {
    var scenario = Scenario()
    scenario.given(.launched([], autoConnect: .lastUsed(else: .only)), .adapterChanged(hci0))
    scenario.send(
      .discovered(peripheral(ear)), effects: [.startTimer(.settled, .exactly(.seconds(1)))]
    ) {
      var headphone = HeadphoneState(
        id: ear, name: "Ear (a)",
        address: PeerAddress(BluetoothAddress(value: 0xF0F1_F2F3_F4F5), .random), rssi: -50)
      headphone.isNearby = true
      headphone.received = noon...noon
      $0.headphones.insert(headphone)
      $0.logs(.info, ear, "found")
    }
    scenario.send(.timerFired(.settled), effects: [.connect(ear)]) {
      $0.autoConnect = .never
      $0.headphones.update(ear) {
        $0.link = .pending(.connecting)
      }
    }
  }

  @Test func `what was taken for an unknown device goes when its address is identified`() {
    var scenario = Scenario()
    scenario.given(
      .launched([], autoConnect: .never), .adapterChanged(hci0), .discovered(peripheral(ear)),
      .discovered(peripheral(bud, name: "Bud")), .pressed(.nextHeadphone))
    var reported = peripheral(ear)
    reported.earlierID = bud
    scenario.send(.discovered(reported)) {
      $0.headphones.remove(bud)
      $0.headphones.select(ear)
    }
  }

  @Test func `the bond of one that was used is remembered once, at its identity address`() {
    var scenario = Scenario.withReady()
    let identity = PeerAddress(BluetoothAddress(value: 0x0011_2233_4455), .public)
    var found = peripheral(ear)
    (found.address, found.bondAddress) = (identity, identity)
    let remembered = scenario.effects(of: .discovered(found)).compactMap { effect in
      if case .remember(let known) = effect { known } else { nil }
    }
    #expect(remembered.map(\.address) == [identity])
    #expect(remembered.map(\.bondAddress) == [identity])
    #expect(scenario.effects(of: .discovered(found)) == [])
  }

  @Test func `an unknown device that is being connected stays until its link identifies it`() {
    var scenario = Scenario()
    scenario.given(
      .launched([], autoConnect: .never), .adapterChanged(hci0), .discovered(peripheral(ear)),
      .discovered(peripheral(bud, name: "Bud")), .pressed(.nextHeadphone),
      .pressed(.connectOrDisconnect))
    var reported = peripheral(ear)
    reported.earlierID = bud
    scenario.send(.discovered(reported)) { _ in }
  }

  @Test func `of several new ones the person chooses`() {
    var scenario = Scenario()
    scenario.given(
      .launched([], autoConnect: .lastUsed(else: .only)), .adapterChanged(hci0),
      .discovered(peripheral(ear)),
      .discovered(peripheral(bud, name: "Bud")))
    scenario.send(.timerFired(.settled), effects: [.noticeTimer]) {
      $0.autoConnect = .never
      $0.focusList()
      $0.says("found 2 headphones: choose one and connect", remedy: .nextHeadphone)
    }
    #expect(UserCommand.nextHeadphone.label(in: scenario.state) == "Next")
  }

  @Test func `where the nearest is wanted the strongest signal decides`() {
    var scenario = Scenario()
    scenario.given(
      .launched([], autoConnect: .lastUsed(else: .nearest)), .adapterChanged(hci0),
      .discovered(peripheral(ear, rssi: nil)), .discovered(peripheral(bud, name: "Bud", rssi: -80)))
    scenario.send(.timerFired(.settled), effects: [.connect(bud)]) {
      $0.autoConnect = .never
      $0.headphones.select(bud)
      $0.headphones.update(bud) {
        $0.link = .pending(.connecting)
      }
    }
  }

  @Test func `the one that a command has chosen is that of commands, and turns no screen`() {
    var scenario = Scenario()
    scenario.given(
      .launched([], autoConnect: .lastUsed(else: .nearest)), .adapterChanged(hci0),
      .discovered(peripheral(ear, rssi: -40)),
      .discovered(peripheral(bud, name: "Bud", rssi: -80)))
    scenario.send(.selected(bud)) {
      $0.autoConnect = .never
      $0.commandChoice = bud
    }
    scenario.send(.timerFired(.settled))
    #expect(scenario.state.headphones.selected?.id == ear)
    #expect(scenario.state.headphoneOfCommands?.id == bud)
    scenario.given(.pressed(.nextHeadphone), .pressed(.nextHeadphone))
    #expect(scenario.state.headphoneOfCommands?.id == ear)
  }

  @Test(arguments: ["Buds", "BU", "c0:00"])
  func `part of a name connects when a second has brought no other`(selector: String) {
    var scenario = Scenario()
    let settling = Effect.startTimer(.settled, .exactly(.seconds(1)))
    scenario.given(.launched([], autoConnect: .matching(selector)), .adapterChanged(hci0))
    var state = scenario.state
    let buds = peripheral(bud, name: "Buds Pro", address: "C0:00:00:00:00:01")
    #expect(state.reduce(.discovered(buds), at: noon).contains(settling))
    // Its next advertisement does not begin another second.
    #expect(!state.reduce(.discovered(buds), at: noon).contains(settling))
    var alone = state
    #expect(alone.reduce(.timerFired(.settled), at: noon).contains(.connect(bud)))
    let other = peripheral(ear, name: "Buds", address: "C0:00:00:00:00:02")
    let effects = state.reduce(.discovered(other), at: noon)
    if selector == "Buds" {
      #expect(effects.contains(.connect(ear)))
    } else {
      #expect(effects.contains(settling))
      #expect(!state.reduce(.timerFired(.settled), at: noon).contains(.connect(bud)))
      #expect(state.notice?.text == "found 2 headphones: choose one and connect")
    }
  }

  @Test(arguments: ["buds", "BUDS", "\(bud.rawValue)", "c0:00:00:00:00:01"])
  func `a named headphone is connected as soon as it is received`(selector: String) {
    var scenario = Scenario()
    scenario.given(
      .launched([], autoConnect: .matching(selector)), .adapterChanged(hci0),
      .discovered(peripheral(ear)))
    #expect(scenario.state.headphones[ear]?.link == .unwanted(.idle))
    scenario.given(.discovered(peripheral(bud, name: "Buds", address: "C0:00:00:00:00:01")))
    #expect(scenario.state.headphones[bud]?.link.attempt == .connecting)
    #expect(scenario.state.headphones.selected?.id == bud)
  }

  @Test func `an advertisement of a lost headphone ends the pause`() {
    var scenario = Scenario.withReady()
    scenario.given(.link(ear, .ended(.timeout)))
    scenario.send(
      .discovered(peripheral(ear)), effects: [.cancelTimer(.reconnect(ear)), .connect(ear)]
    ) {
      $0.headphones.update(ear) { $0.link = .pending(.connecting, .backoff(failures: 1)) }
    }
  }

  @Test(arguments: [DisconnectReason.refused, .peer, .busy("bluetoothd")])
  func `a headphone that advertises and refuses is not tried without pause`(
    reason: DisconnectReason
  ) {
    var scenario = Scenario.withReady()
    scenario.given(.link(ear, .ended(reason)))
    scenario.send(.discovered(peripheral(ear)))
  }

  @Test func `a private address is connected when it is received, not before`() {
    var scenario = Scenario()
    var moved = known
    moved.address = PeerAddress(BluetoothAddress(value: 0x5A00_0000_0001), .random)
    scenario.given(.launched([moved], autoConnect: .lastUsed(else: .only)))
    scenario.send(.adapterChanged(hci0), effects: [.startScan]) {
      $0.adapter = hci0
      $0.headphones.update(bud) { $0.link = .pending(.scanning) }
      $0.logs(.info, nil, "Bluetooth is on (hci0)")
    }
    scenario.send(
      .discovered(peripheral(bud, name: "Bud", address: "4B:00:00:00:00:02")),
      effects: [.cancelTimer(.reconnect(bud)), .connect(bud)]
    ) {
      $0.headphones.update(bud) {
        $0.isNearby = true
        $0.received = noon...noon
        $0.rssi = -50
        $0.address = PeerAddress(BluetoothAddress(value: 0x4B00_0000_0002), .random)
        $0.link = .pending(.connecting)
      }
    }
  }

  @Test func `an advertised battery counts only without a link`() {
    var received = peripheral(ear)
    received.battery = [.left: Battery(level: 10)]
    var scenario = Scenario.withReady()
    scenario.given(.headphone(ear, .batteryChanged([.left: Battery(level: 80)])))
    scenario.send(.discovered(received))
    scenario.given(.pressed(.connectOrDisconnect), .discovered(received))
    #expect(scenario.state.headphones[ear]?.battery?.value[.left]?.level == 10)
  }

  @Test func `looking without an adapter says what is missing, and looks at it again`() {
    var scenario = Scenario()
    scenario.given(.adapterChanged(.blocked(adapter: "hci0")))
    scenario.press(.scan, effects: [.noticeTimer, .startScan]) {
      $0.explains(
        "Bluetooth is blocked by rfkill (hci0): rfkill unblock bluetooth, or use the machine's switch"
      )
    }
  }

  @Test func `a scan that needs a capability says that known headphones work`() {
    var scenario = Scenario.withAdapter()
    scenario.send(.scan(.denied(capability: "CAP_NET_RAW"))) {
      $0.scan = .denied(capability: "CAP_NET_RAW")
      $0.logs(
        .warning, nil,
        "scanning needs CAP_NET_RAW; known headphones can be connected without it")
    }
  }

  @Test func `an adapter that goes makes wanted links wait, and its return connects them`() {
    var scenario = Scenario.withReady()
    scenario.given(.link(ear, .ended(.adapterGone)))
    scenario.send(
      .adapterChanged(.off(adapter: "hci0")), effects: [.cancelTimer(.reconnect(ear))]
    ) {
      $0.adapter = .off(adapter: "hci0")
      $0.headphones.update(ear) {
        $0.link = .pending(
          .waitingForBluetooth(.power), .backoff(failures: 1))
      }
      $0.logs(.info, nil, "Bluetooth is off (hci0)")
    }
    scenario.send(.adapterChanged(hci0), effects: [.connect(ear), .startScan]) {
      $0.adapter = hci0
      $0.headphones.update(ear) { $0.link = .pending(.connecting, .backoff(failures: 1)) }
      $0.logs(.info, nil, "Bluetooth is on (hci0)")
    }
  }

  @Test(arguments: [AutoConnect.lastUsed(else: .only), .matching("Pods")])
  func `what only advertises is connected as soon as its audio side is there`(_ rule: AutoConnect)
    throws
  {
    var state = State()
    _ = state.reduce(.launched([], autoConnect: rule), at: noon)
    _ = state.reduce(.adapterChanged(hci0), at: noon)
    var advertised = peripheral(ear, name: "Pods")
    advertised.reported = AdvertisedState(
      wearing: Wearing(left: true, right: true), isCaseOpen: nil)
    #expect(state.reduce(.discovered(advertised), at: noon) == [])
    let received = try #require(state.headphones[ear])
    #expect(received.isAdvertisingOnly && received.wearing?.left == true)
    for key in [UserCommand.equaliser, .nextANC, .connectOrDisconnect] {
      _ = state.reduce(.pressed(key), at: noon)
      #expect(
        state.notice?.text == "connect its sound first; until then it only broadcasts")
      #expect(state.notice?.remedy == nil)
    }
    var linked = DiscoveredHeadphone(
      id: ear, name: "Pods",
      address: PeerAddress(BluetoothAddress(value: 0x3C22_FB00_0001), .classic))
    var effects = state.reduce(.discovered(linked), at: noon)
    if case .lastUsed = rule {
      #expect(effects == [.startTimer(.settled, .exactly(.seconds(1)))])
      effects = state.reduce(.timerFired(.settled), at: noon)
    }
    #expect(effects.contains(.connect(ear)))
    #expect(state.headphones[ear]?.isAdvertisingOnly == false)
    // The next advertisement does not undo that.
    linked.reported = advertised.reported
    _ = state.reduce(.discovered(linked), at: noon)
    #expect(state.headphones[ear]?.link.attempt == .connecting)
  }

  @Test(arguments: [
    ("Ear", true, "Ear (a)"), ("Ear", false, "Ear"), ("Other", true, "Other"),
    ("Ear (a) and more", true, "Ear (a) and more"),
  ])
  func `the beginning of a name does not replace the whole`(
    _ advertised: String, _ isShortened: Bool, _ shown: String
  ) {
    var scenario = Scenario.withHeadphone()
    var again = peripheral(ear, name: advertised)
    again.isNameShortened = isShortened
    scenario.given(.discovered(again))
    #expect(scenario.state.headphones[ear]?.name == shown)
  }
}
