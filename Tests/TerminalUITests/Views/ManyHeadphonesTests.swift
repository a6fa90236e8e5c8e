import BluetoothCodec
import Companion
import HeadphoneProtocols
import TerminalUI
import Testing

extension Golden {
  /// Several headphones with state, battery and signal.
  static let lists: [Golden] = [
    .screen("headphones", showsRoles: true) { many(6) },
    .screen("headphones-40x12", .small) { many(6) },
    .rows("headphones-two", unlike: { many(6) }) { [("two", many(2))] },
    .screen("headphones-crowd-120x40", .large, showsRoles: true) { crowd() },
    .screen("headphones-crowd") { crowd() },
    .screen("headphones-crowd-40x12", .small) { crowd().changed { $0.focus = .headphones } },
  ]

  /// Returns 300 known absent headphones, three nearby, and one that plays.
  static func crowd() -> State {
    var state = Example.state()
    let absent = (0..<300).map { number in
      var headphone = HeadphoneState(
        id: HeadphoneID(rawValue: "absent\(number)"), name: "Old Buds \(number)",
        address: PeerAddress(BluetoothAddress(value: 0xC100_0000_0000 + UInt64(number)), .random))
      headphone.lastUsed = Example.at(-Int64(number) * 40_000 - 20_000)
      if number % 2 == 0 {
        headphone.battery = Reading(
          [.left: Battery(level: 85), .right: Battery(level: 9)], seenAt: Example.at(-90_000))
      }
      return headphone
    }
    state.headphones = HeadphoneList(
      absent.prefix(150) + [Example.nimbus()] + absent.suffix(150) + headphones.suffix(2)
        + [Example.auroraPro()])
    state.headphones.select(Example.aurora)
    return state
  }

  private static func many(_ count: Int) -> State {
    var state = Example.state()
    state.headphones = HeadphoneList(headphones.prefix(count))
    state.headphones.select(HeadphoneID(rawValue: "h\(count / 2)"))
    return state
  }

  /// Headphones in each state that a list must distinguish.
  private static let headphones: [HeadphoneState] = {
    let links: [LinkState] = [
      .connected(.ready), .connected(.ready), .pending(.connecting),
      .pending(.waitingForBluetooth(.turn)),
      .reconnecting(Retry(attempt: 2, after: .timeout)),
      .pending(.waitingForBluetooth(.room)),
    ]
    return links.enumerated().map { number, link in
      var headphone = HeadphoneState(
        id: HeadphoneID(rawValue: "h\(number)"), name: "Aurora Pro \(number + 1)",
        address: PeerAddress(BluetoothAddress(value: 0xC000_0000_0000 + UInt64(number)), .random),
        rssi: Int8(-48 - 7 * number))
      headphone.link = link
      headphone.isNearby = true
      if number != 2 {
        headphone.battery = Reading(
          [
            .left: Battery(level: UInt8(91 - 16 * number)),
            .right: Battery(level: UInt8(88 - 15 * number)),
          ], seenAt: Example.now)
      }
      return headphone
    }
  }()
}

@Suite struct `The selected headphone` {
  @Test(arguments: [["j"], ["]"], ["/", "l", "i", "t"]])
  func `is the one in the header, the panels and the list`(keys: [Unicode.Scalar]) {
    var state = Example.state().changed { $0.focus = .headphones }
    for key in keys.map(Key.character) + [.enter].prefix(keys.count > 1 ? 1 : 0) {
      for action in KeyMap.standard.actions(for: key, in: state) {
        _ = state.reduce(action, at: Example.now)
      }
    }
    let name = "Nimbus Lite"
    for size in [Size.ordinary, Size(columns: 120, rows: 40)] {
      let screen = view(state, size: size)
      let rows = (0..<size.rows).map { screen.text(row: $0) }
      #expect(rows[0].contains("\(name) 2/"))
      #expect(rows.contains { $0.contains("▸\(name)") })
      #expect(rows.filter { $0.contains("▸") }.count == 1, "one cursor")
    }
  }
}

@Suite struct `A search` {
  @Test(arguments: [Page.main, .info(line: 0), .help(line: 0)])
  func `without a match says so`(page: Page) {
    var state = Example.state().changed { $0.page = page }
    for key in (["/", "z", "z", "z"] as [Unicode.Scalar]).map(Key.character) + [.enter] {
      for action in KeyMap.standard.actions(for: key, in: state) {
        _ = state.reduce(action, at: Example.now)
      }
    }
    #expect(state.dialog == nil && state.notice?.text == "no match for \"zzz\"")
  }
}

@Suite struct `The doctor's page` {
  @Test func `says that it looks`() {
    let state = Example.state().changed { $0.page = .doctor(line: 0) }
    #expect(view(state, size: .ordinary).text(row: 2).contains("Checking"))
  }
}

@Suite struct `A list of 300 headphones` {
  private static let sizes = [
    Size.ordinary, .large, .small, Size(columns: 200, rows: 60), Size(columns: 60, rows: 30),
  ]

  private func rows(_ state: State, _ size: Size) -> [String] {
    let screen = view(state, size: size)
    return (0..<size.rows).map { screen.text(row: $0) }
  }

  @Test(arguments: sizes) func `begins with the one that plays and those nearby`(size: Size) {
    let rows = rows(Golden.crowd().changed { $0.focus = .headphones }, size)
    let names = rows.compactMap { row in
      ["▸Aurora P", " Nimbus L", " Old Buds"].first { row.contains($0) }
    }
    #expect(names.first == "▸Aurora P")
    #expect(rows.contains { $0.contains("▼") && $0.contains(" more") })
    #expect(rows[0].contains("1/304"))
  }

  @Test(arguments: sizes) func `shows the cursor wherever it is, and how much is out of sight`(
    size: Size
  ) {
    var state = Golden.crowd().changed { $0.focus = .headphones }
    for step in 0..<40 {
      let selected = state.headphones.selected
      let name = selected.map { "▸" + state.name(of: $0.id).prefix(8) } ?? ""
      let rows = rows(state, size)
      #expect(rows.contains { $0.contains(name) }, "\(step): \(name)")
      let place = (state.headphoneOrder.firstIndex { $0 == selected?.id } ?? 0) + 1
      #expect(rows[0].contains("\(place)/304"))
      let counts = rows.compactMap { $0.firstMatch(of: #/(?:▲ (\d+) )?(?:▼ (\d+) )?more/#) }
      let hidden = counts.map { [$0.1, $0.2].compactMap { $0.flatMap { Int($0) } }.reduce(0, +) }
      // All rows of the list and all that is counted make 304; the heading "not here" is none.
      #expect(hidden.contains { (240...303).contains($0) }, "\(step): \(hidden)")
      _ = state.reduce(.pressed(step % 3 == 0 ? .pageDown : .down), at: Example.now)
    }
  }

  @Test(arguments: sizes) func `tells when an absent one was last heard`(size: Size) {
    var state = Golden.crowd().changed { $0.focus = .headphones }
    for _ in 0..<5 { _ = state.reduce(.pressed(.down), at: Example.now) }
    let rows = rows(state, size)
    // Beside the panels the list is as narrow as on a small screen.
    let words = (80..<140).contains(size.columns) ? "last heard yesterday" : "1 day"
    #expect(rows.contains { $0.contains("Old Buds") && $0.contains(words) }, "\(rows)")
  }

  @Test func `names each column where there is room`() {
    let heading = rows(Golden.crowd(), .large).first { $0.contains("HEADPHONES") }
    for title in ["sound", "controls", "battery", "signal"] {
      #expect(heading?.contains(" \(title) ") == true, "\(title)")
    }
  }
}

@Suite struct `The footer` {
  @Test(arguments: [Size.ordinary, .large, .small, Size(columns: 200, rows: 60)])
  func `has no key that stands in a frame`(size: Size) {
    for focus in Panel.allCases {
      let screen = view(Example.state().changed { $0.focus = focus }, size: size)
      let footer = screen.text(row: size.rows - 1)
      let frames = (0..<size.rows - 1).map { screen.text(row: $0) }.filter { $0.contains("╯") }
      for hint in ["c Disconnect", "i Info", "s Scan", "X Forget", "m Mute", "O Profile", "L Log"] {
        #expect(
          !(footer.contains(" \(hint)") && frames.contains { $0.contains(" \(hint)") }), "\(hint)")
      }
    }
  }
}

@Suite struct `The rows of the control panel` {
  /// A hidden setting takes precedence over a blank row.
  @Test func `has no blank row while settings are hidden`() {
    for state in FamilyExample.allCases.map(\.state) + [Example.state()] {
      for rows in 14...40 { expectNoBlankRow(state, rows) }
    }
  }

  private func expectNoBlankRow(_ state: State, _ rows: Int) {
    let screen = view(state, size: Size(columns: 80, rows: rows))
    let texts = (0..<rows).map { screen.text(row: $0) }
    guard let top = texts.firstIndex(where: { $0.contains("CONTROL LINK") }),
      let bottom = texts[top...].firstIndex(where: { $0.contains("╰") })
    else { return }
    let isCut = texts[top].contains(" of ")
    let panel = texts[top + 1..<bottom].map { $0.split(separator: "││").last ?? "" }
    let blank = panel.filter { $0.allSatisfy { " │".contains($0) } }
    // The row of notes on batteries may be empty.
    #expect(!isCut || blank.count <= 1, "\(rows) rows")
  }
}

extension Golden {
  static let batteries: [Golden] = [
    .screen("battery-day-120x40", .large) {
      Example.state().with { $0.charges = Example.dayOfCharges() }
    }
  ]
}

extension Example {
  static func dayOfCharges() -> BatteryHistory {
    var first = ChargeSample(minute: now.milliseconds / 60_000 - 24 * 60, isFirst: true)
    first[.left] = ChargeSample.Charge(level: 40, isCharging: false)
    return BatteryHistory([first] + charges().samples)
  }
}

@Suite struct `The battery's history` {
  @Test(arguments: [Size.large, Size(columns: 200, rows: 60)])
  func `is words until there is a day of it`(size: Size) {
    func rows(_ state: State) -> [String] {
      let screen = view(state, size: size)
      return (0..<size.rows).map { screen.text(row: $0) }
    }
    let young = rows(Example.state())
    #expect(young.contains { $0.contains("Left") && $0.contains("about") && $0.contains("left") })
    #expect(young.contains { $0.contains("Graphs begin after a day of use.") })
    #expect(!young.contains { $0.contains("last 4 h") })
    let old = rows(Example.state().with { $0.charges = Example.dayOfCharges() })
    #expect(old.contains { $0.contains("last 24 h") })
    #expect(!old.contains { $0.contains("Graphs begin") })
  }
}
