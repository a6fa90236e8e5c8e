import AudioRoute
import HeadphoneProtocols
import Testing

@testable import Companion

/// The order of the headphone list.
@Suite struct HeadphoneOrderTests {
  private func id(_ number: Int) -> HeadphoneID { HeadphoneID(rawValue: "h\(number)") }

  private func at(_ days: Int64) -> Timestamp {
    Timestamp(milliseconds: noon.milliseconds + days * 86_400_000)
  }

  /// Returns headphones from earlier runs; the higher the number, the longer ago.
  private func known(_ count: Int) -> [KnownHeadphone] {
    (0..<count).map { number in
      KnownHeadphone(
        id: id(number), name: "Old \(number)",
        address: randomPeer("C0:00:00:00:00:0\(number % 10)"),
        lastUsed: at(-Int64(number) - 1))
    }
  }

  /// Returns eight absent headphones and two nearby, one of which plays.
  private func scenario() -> Scenario {
    var scenario = Scenario.withAdapter()
    scenario.given(
      .launched(known(8), autoConnect: .never),
      .discovered(peripheral(ear, name: "Far", rssi: -84)),
      .discovered(peripheral(bud, name: "Near", rssi: -50)))
    return scenario
  }

  @Test func `those nearby are first, by their signal, then known ones by when they were heard`() {
    let state = scenario().state
    #expect(state.headphoneOrder == [bud, ear] + (0..<8).map(id))
    #expect(state.headphones.map(\.id) == (0..<8).map(id) + [ear, bud])
  }

  @Test func `the one that plays is first, then those with a link`() {
    var scenario = Scenario.withReady()
    scenario.given(
      .discovered(peripheral(bud, name: "Near", rssi: -40)),
      .discovered(peripheral(id(1), name: "Playing", rssi: -80)),
      sound(to: "bluez_output.playing", named("Playing")))
    #expect(scenario.state.headphoneOrder == [id(1), ear, bud])
    let state = scenario.state
    let ranks = state.headphoneOrder.compactMap { state.headphones[$0] }.map { state.rank(of: $0) }
    #expect(ranks == [.playing, .connected, .near])
  }

  private func named(_ name: String) -> AudioSink {
    AudioSink(
      name: "bluez_output.playing", description: name,
      bluetooth: BluetoothSink(address: nil, profile: .a2dp, codec: "sbc"), volume: 50,
      activity: .running)
  }

  @Test func `the order stands still while the cursor is in it`() {
    var scenario = scenario()
    while scenario.state.focus != .headphones { scenario.given(.pressed(.otherPanel)) }
    let order = scenario.state.headphoneOrder
    scenario.given(
      .discovered(peripheral(ear, name: "Far", rssi: -40)),
      .discovered(peripheral(bud, name: "Near", rssi: -88)))
    #expect(scenario.state.headphoneOrder == order)
    // A new one is last, and one that is forgotten leaves no gap.
    scenario.given(.discovered(peripheral(id(20), name: "New", rssi: -40)))
    #expect(scenario.state.headphoneOrder == order + [id(20)])
    scenario.given(
      .selected(id(3)), .pointed(.headphone(id(3))), .pressed(.forget), .pressed(.right))
    scenario.given(.pressed(.accept))
    #expect(scenario.state.headphoneOrder == order.filter { $0 != id(3) } + [id(20)])
    // The help is over the list, not beside it.
    scenario.given(.pressed(.help))
    #expect(scenario.state.headphoneOrder.first == bud)
    scenario.given(.pressed(.back), .pressed(.otherPanel))
    #expect(scenario.state.headphoneOrder.prefix(3) == [ear, id(20), bud])
  }

  @Test func `keys and the search follow what is shown`() {
    var scenario = scenario()
    scenario.given(.pointed(.headphone(bud)), .pressed(.down))
    #expect(scenario.state.headphones.selected?.id == ear)
    scenario.given(.pressed(.nextHeadphone))
    #expect(scenario.state.headphones.selected?.id == id(0))
    scenario.given(.pressed(.bottom))
    #expect(scenario.state.headphones.selected?.id == id(7))
    scenario.given(.pressed(.nextHeadphone))
    #expect(scenario.state.headphones.selected?.id == bud)
    scenario.given(.pressed(.previousHeadphone))
    #expect(scenario.state.headphones.selected?.id == id(7))
    scenario.given(.pressed(.filter), .typed(.character("o")), .typed(.character("l")))
    #expect(scenario.state.headphones.selected?.id == id(7))
    scenario.given(.pressed(.accept), .pressed(.nextMatch))
    #expect(scenario.state.headphones.selected?.id == id(0))
  }

  @Test func `another screen has an order of its own`() {
    var state = scenario().state
    let other = state.firstViewpoint
    let before = state.headphoneOrder
    state.focus = .headphones
    _ = state.reduce(.pointed(.headphone(bud)), at: noon)
    _ = state.reduce(.discovered(peripheral(ear, name: "Far", rssi: -40)), at: noon)
    _ = state.reduce(.discovered(peripheral(bud, name: "Near", rssi: -88)), at: noon)
    #expect(state.headphoneOrder == before)
    #expect(state.seen(from: other).headphoneOrder.prefix(2) == [ear, bud])
  }

  /// The filter that rules out most headphones rules out none that has a sound device.
  @Test func `each has the rank that it has alone`() {
    var scenario = scenario()
    scenario.given(
      .discovered(peripheral(id(30), name: "ÉCOUTE", address: "F0:F1:F2:F3:F4:00")),
      .discovered(peripheral(id(31), name: " older  7 ", address: "F0:F1:F2:F3:F4:01")),
      .discovered(
        peripheral(
          id(32), name: "Other", address: "F0:F1:F2:F3:F4:02", publicAddress: "00:11:22:33:44:55")),
      .discovered(peripheral(id(33), name: "", address: "F0:F1:F2:F3:F4:03")))
    let devices =
      [
        ("écoute", nil), ("Near", nil), ("OLDER 7", nil), ("Any", "00:11:22:33:44:55"),
        ("Far", "AA:AA:AA:AA:AA:AA"),
      ] as [(String, String?)]
    for (name, address) in devices {
      scenario.given(sound(to: "bluez_output.ear", bluetoothSink(address, named: name), speakers))
      let state = scenario.state
      for place in state.headphonePlaces {
        #expect(place.rank == state.headphones[place.id].map(state.rank), "\(name) \(place.id)")
      }
      #expect(name == "Far" || state.headphonePlaces.first?.rank == .playing, "\(name)")
    }
  }

  @Test func `each headphone is in the list once`() {
    var scenario = Scenario.withAdapter()
    scenario.given(.launched(known(9), autoConnect: .never))
    for step in 0..<300 {
      let number = step * 7 % 40
      scenario.given(
        .discovered(
          peripheral(id(number), name: "N\(number)", rssi: Int8(-40 - step % 45))))
      if step % 5 == 0 { scenario.given(.pressed(.otherPanel)) }
      if step % 3 == 0 { scenario.given(.pressed(.down)) }
      #expect(
        scenario.state.headphoneOrder.map(\.rawValue).sorted()
          == scenario.state.headphones.map(\.id.rawValue).sorted())
    }
  }

  @Test(
    arguments: [
      (0, "14:03", "14:03"), (1, "yesterday 14:03", "1 day"), (2, "2 days ago", "2 d"),
      (30, "30 days ago", "30 d"), (31, "1969-12-01", "31 d"), (1200, "1966-09-19", "1966"),
    ] as [(Int64, String, String)])
  func `a time is told as people do`(days: Int64, words: String, short: String) {
    #expect(at(-days).words(at: noon) == words)
    #expect(at(-days).shortWords(at: noon) == short)
    #expect(at(-days).shortWords(at: noon).count <= 6)
  }

  @Test func `midnight is that of the place`() {
    let late = Timestamp(milliseconds: 23 * 3_600_000, utcOffset: 0)
    let early = Timestamp(milliseconds: 25 * 3_600_000, utcOffset: 0)
    #expect(late.words(at: early) == "yesterday 23:00")
    let here = [late, early].map { Timestamp(milliseconds: $0.milliseconds, utcOffset: 3 * 3600) }
    #expect(here[0].words(at: here[1]) == "02:00")
  }
}
